"""Context: what a chat model is given of the papers a tool found."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Hashable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import AnyMessage, BaseMessage, ToolMessage

from bot.assistant.artifacts import Artifact, artifact_in
from bot.assistant.data import as_data, harmless, listed, quoted
from bot.assistant.extractive import Extractive
from bot.assistant.middleware import ChatState, Handler
from bot.assistant.navigation import Navigation
from bot.assistant.remembered import stamp_of
from bot.assistant.turn import Turn
from index.library import Library
from index.paper import Paper
from index.text.sentences import split
from prompts import prompt

READ = frozenset({"answer", "summarise", "show"})
"""Tools after which a model writes about what papers say."""
MOST_READ = 3
"""Papers of one result that are given at length."""
KEPT = 512
"""Results that stay written out, of all conversations."""


class Mode(StrEnum):
    """How a paper is given to a model."""

    CARDS = "cards"
    """The sentences that were found, and each paper's card: a sentence for each facet."""
    TEXT = "text"
    """The abstract, sentence by sentence."""
    BOTH = "both"


class Context(AgentMiddleware[ChatState, Turn, Any]):
    """Writes out what tools found, from their artifacts, for the model that is asked.

    The same artifact is always written out the same, so that a provider's prefix cache fits.
    """

    def __init__(
        self, library: Library, mode: Mode = Mode.CARDS, navigation: Navigation | None = None
    ) -> None:
        super().__init__()
        self._library = library
        self._mode = mode
        self._navigation = navigation
        # A long conversation is written out at each call of a model, and only its end is new.
        self._remembered = lru_cache(KEPT)(self._content)

    async def awrap_model_call(
        self, request: ModelRequest[Turn], handler: Handler
    ) -> ModelResponse[Any]:
        """Put the written-out form in place of what the tools said."""
        if isinstance(request.model, Extractive):
            return await handler(request)
        messages = await asyncio.to_thread(self._all, request.messages)
        return await handler(request.override(messages=cast("list[AnyMessage]", messages)))

    def _all(self, messages: Sequence[BaseMessage]) -> list[BaseMessage]:
        stamp = stamp_of(self._library)
        return [self._written_out(message, stamp) for message in messages]

    def _written_out(self, message: BaseMessage, stamp: Hashable) -> BaseMessage:
        if not isinstance(message, ToolMessage) or not isinstance(message.artifact, dict):
            return message
        content = self._remembered(stamp, json.dumps(message.artifact, default=str))
        return message.model_copy(update={"content": content}) if content else message

    def _content(self, stamp: Hashable, artifact: str) -> str:
        """What a result says, written out; "" where it stays as the tool said it."""
        del stamp
        found = artifact_in(json.loads(artifact))
        if found is None or found.tool not in READ or found.ends_turn:
            return ""
        lines = list(self._lines(found))
        if not lines:
            return ""
        guide = ""
        if self._navigation and found.tool == "answer":
            guide = self._navigation.guide(found.query)
        return as_data(prompt("context", guide=guide).strip(), lines)

    def _lines(self, found: Artifact) -> Iterator[str]:
        papers = [p for each in found.papers[:MOST_READ] if (p := self._library.get(each.id))]
        if not papers:
            return
        if self._mode is Mode.CARDS or found.tool == "summarise":
            yield from quoted(found.passages)
            yield ""
        for entry, paper in zip(listed(found.papers), papers, strict=False):
            yield entry
            if self._mode is not Mode.TEXT:
                yield from self._card(paper)
            if self._mode is not Mode.CARDS:
                for number, span in enumerate(split(paper.abstract), 1):
                    yield f"[{paper.handle}:{number}] {harmless(span.text)}"

    def _card(self, paper: Paper) -> Iterator[str]:
        for facet, lines in self._library.card(paper.id).facets.items():
            for line in lines[:2]:
                yield f"{facet.value}: [{paper.handle}:{line.sentence}] {harmless(line.text)}"
