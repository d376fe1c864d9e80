"""The chat model that needs no LLM: it chooses tools by rule and answers in quotations."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import PrivateAttr

from bot.assistant.artifacts import Artifact, Quote, artifacts_of, last_turn
from bot.assistant.names import Names
from bot.assistant.router import Route, route
from bot.assistant.screen import read_screen
from index.library import Library

NAME = "extractive"
FAILED = "That did not work. Ask again in other words."


class Extractive(BaseChatModel):
    """Answers in quotations; what it says of its own states nothing about any paper."""

    _names: Names = PrivateAttr()

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._names = Names(library)

    @property
    def _llm_type(self) -> str:
        return NAME

    @property
    def names(self) -> Names:
        """Papers by what people call them, with the searches of a moment ago."""
        return self._names

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Itself: it knows the tools by name."""
        del tools, tool_choice, kwargs
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        del stop, run_manager, kwargs
        reply = self.reply(messages)
        reply.response_metadata["model_name"] = NAME
        return ChatResult(generations=[ChatGeneration(message=reply)])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        del stop, run_manager, kwargs
        return await asyncio.to_thread(self._generate, messages)

    def reply(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """The next message: a tool call, or the words that close the turn."""
        spoken = [m for m in messages if m.type in {"human", "ai", "tool"}]
        turn = last_turn(spoken)
        if any(isinstance(message, ToolMessage) for message in turn):
            return AIMessage(content=write(artifacts_of(turn)) or FAILED)
        chosen = self.chosen(spoken)
        if chosen.say:
            return AIMessage(content=chosen.say)
        call = {"name": chosen.tool, "args": chosen.args, "id": f"call_{uuid4().hex[:12]}"}
        return AIMessage(content="", tool_calls=[call])

    def chosen(self, messages: Sequence[BaseMessage], text: str | None = None) -> Route:
        """What the last message asks for, decided by rule; `text` stands in for its words."""
        spoken = [m for m in messages if m.type in {"human", "ai", "tool"}]
        if text is None:
            turn = last_turn(spoken)
            text = turn[0].text if turn else ""
        return route(text, read_screen(spoken), self._known)

    def _known(self, name: str) -> str:
        found = self._names.called(name)
        return found.handle if found else ""


def write(artifacts: Sequence[Artifact]) -> str:
    """The reply to what the tools found: quotations with their keys, and lines that state nothing."""
    return "\n\n".join(text for found in artifacts if (text := _written(found)))


def _written(found: Artifact) -> str:
    if found.asks:
        return found.asks
    if found.abstained:
        return "Nothing found."
    match found.tool:
        case "answer" | "summarise" | "survey" | "explain":
            return "\n".join(quotation(quote) for quote in found.passages) or "Here is its record."
        case "compare":
            return "Side by side, each in its own words:"
        case "show":
            return "Here is its record."
        case "similar" | "contrast":
            return "Nearest first:"
        case _:
            return "Best first:"


def quotation(quote: Quote) -> str:
    """A sentence in quotation marks with its key."""
    return f"“{quote.text}” {quote.marker}"
