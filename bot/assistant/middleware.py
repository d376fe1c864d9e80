"""Middleware of ours around LangChain's own: the history, the decided call, an early end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NotRequired, cast

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain.agents.middleware.types import hook_config
from langchain_core.messages import (
    AnyMessage,
    RemoveMessage,
    ToolMessage,
)
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime

from bot.assistant.artifacts import artifacts_of, last_turn
from bot.assistant.budget import HISTORY_TOKENS
from bot.assistant.extractive import Extractive
from bot.assistant.messages import called, shown
from bot.assistant.turn import Turn, trimmed, valid

Handler = Callable[[ModelRequest[Turn]], Awaitable[ModelResponse[Any]]]


class ChatState(AgentState[Any]):
    """The history, which notices this conversation has had, and what the last answer left out."""

    noticed: NotRequired[list[str]]
    left: NotRequired[dict[str, Any]]


class History(AgentMiddleware[ChatState, Turn, Any]):
    """Keeps the stored history valid, and gives a model as much of it as fits."""

    state_schema = ChatState

    async def abefore_agent(
        self, state: ChatState, runtime: Runtime[Turn]
    ) -> dict[str, Any] | None:
        """Repair what a crash left, and forget what is long past."""
        del runtime
        messages = valid(state["messages"])
        if [m.id for m in messages] == [m.id for m in state["messages"]]:
            return None
        return {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), *messages]}

    async def awrap_model_call(
        self, request: ModelRequest[Turn], handler: Handler
    ) -> ModelResponse[Any]:
        """Give the model a valid history within its budget."""
        messages = valid(request.messages)
        if not isinstance(request.model, Extractive):
            messages = await asyncio.to_thread(trimmed, messages, HISTORY_TOKENS)
        return await handler(request.override(messages=cast("list[AnyMessage]", messages)))


class Decided(AgentMiddleware[ChatState, Turn, Any]):
    """Puts the tool call that a command or a button decided in place of the first model call.

    Where the day's tokens are used up, the extractive model stands in for the others.
    """

    def __init__(self, extractive: Extractive) -> None:
        super().__init__()
        self._extractive = extractive

    async def awrap_model_call(
        self, request: ModelRequest[Turn], handler: Handler
    ) -> ModelResponse[Any]:
        """Answer for the model once."""
        call = request.runtime.context.call
        if call and len(last_turn(request.messages)) == 1:
            return ModelResponse(result=[called(*call)])
        if request.runtime.context.limit:
            request = request.override(model=self._extractive)
        return await handler(request)


class EndWhereNothingIsFound(AgentMiddleware[ChatState, Turn, Any]):
    """Nothing found, or unclear which paper is meant: the chat model is not asked."""

    @hook_config(can_jump_to=["end"])
    async def abefore_model(
        self, state: ChatState, runtime: Runtime[Turn]
    ) -> dict[str, Any] | None:
        """End the turn where no tool of it found anything."""
        del runtime
        messages = state["messages"]
        if not messages or not isinstance(messages[-1], ToolMessage):
            return None
        found = artifacts_of(last_turn(messages))
        if not found or not all(artifact.ends_turn for artifact in found):
            return None
        words = found[-1].asks or " ".join(found[-1].notices) or "Nothing found."
        return {"jump_to": "end", "messages": [shown(words)]}
