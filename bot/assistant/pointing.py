"""Pointing: which papers a person's words mean in a conversation, and what is put on its screen."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from bot.assistant.artifacts import Artifact, FoundPaper
from bot.assistant.messages import called, shown
from bot.assistant.names import Names
from bot.assistant.references import references
from bot.assistant.screen import read_screen
from index.library import Library
from index.paper import Paper


def meant(library: Library, messages: Sequence[BaseMessage], words: str) -> list[Paper]:
    """The papers that words mean: "the second one", "both", a handle, an id, a title; never a guess."""
    spoken = [m for m in messages if m.type in {"human", "ai", "tool"}]
    spoken.append(HumanMessage(words))
    known, ask = references(words, read_screen(spoken))
    if ask:
        return []
    names = Names(library)
    found = [library.get(name) or names.called(name) for name in known]
    return [paper for paper in dict.fromkeys(found) if paper]


def on_screen(query: str, papers: Sequence[FoundPaper]) -> list[BaseMessage]:
    """A turn of the history that puts a list on the screen, for what is said next."""
    call: AIMessage = called("search", {"query": query})
    artifact = Artifact(tool="search", query=query, papers=list(papers))
    result = ToolMessage(
        "A list of papers.",
        tool_call_id=call.tool_calls[0]["id"] or "",
        name="search",
        artifact=artifact.dump(),
    )
    return [HumanMessage(query), call, result, shown("Best first:")]
