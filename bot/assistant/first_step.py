"""The first step of a turn: evidence, before a model may say anything about papers.

Asked freely, small models answer from memory: one of 1.5 billion parameters made up a paper, its
authors and its journal. So a tool call is demanded of the model, and where a server takes no such
demand, or the model does not follow it, the call that the rules choose is made for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from bot.assistant.artifacts import last_turn
from bot.assistant.extractive import NAME, Extractive
from bot.assistant.language import foreign
from bot.assistant.messages import called, model_name
from bot.assistant.middleware import ChatState, Handler
from bot.assistant.providers import AWAY
from bot.assistant.references import Route
from bot.assistant.translation import to_english
from bot.assistant.turn import Turn
from prompts import prompt

log = logging.getLogger(__name__)


class EvidenceFirst(AgentMiddleware[ChatState, Turn, Any]):
    """Demands a tool call first; a model that gives none is from then on only asked to write."""

    def __init__(self, extractive: Extractive) -> None:
        super().__init__()
        self._extractive = extractive
        self._writers: set[str] = set()

    async def awrap_model_call(
        self, request: ModelRequest[Turn], handler: Handler
    ) -> ModelResponse[Any]:
        """Take the first step for the model, or have it take it."""
        if isinstance(request.model, Extractive):
            return await handler(request)
        name = model_name(request.model)
        if len(last_turn(request.state["messages"])) > 1:
            refused = request.runtime.context.unforced == name
            writes = refused or name in self._writers
            response = await handler(self._as_writer(request) if writes else request)
            if refused:
                # It does answer: what it did not take was the demand.
                self._writers.add(name)
            return response
        return await self._first(request, handler, name)

    async def _first(
        self, request: ModelRequest[Turn], handler: Handler, name: str
    ) -> ModelResponse[Any]:
        turn = request.runtime.context
        said = last_turn(request.state["messages"])[0].text
        chosen = await asyncio.to_thread(self._extractive.chosen, request.messages)
        strange = bool(foreign(said))
        if chosen.say and not chosen.asks and not strange:
            return _line(chosen.say)
        if name not in self._writers:
            try:
                response = await handler(request.override(tool_choice="any"))
            except Exception as error:
                if isinstance(error, AWAY):
                    raise
                log.info("%s was not made to call a tool: %s", name, type(error).__name__)
                turn.failed = [failed for failed in turn.failed if failed != name]
                turn.unforced = name
            else:
                if _calls(response) or chosen.say:
                    return response
                self._writers.add(name)
        if strange:
            chosen = await self._in_english(request, handler, said) or chosen
        if chosen.say:
            return _line(chosen.say)
        return ModelResponse(result=[called(chosen.tool, chosen.args)])

    async def _in_english(
        self, request: ModelRequest[Turn], handler: Handler, said: str
    ) -> Route | None:
        """What a message in another language asks for; None where no translation came."""
        asked = request.override(
            messages=[HumanMessage(to_english(said))], tools=[], system_message=None
        )
        response = await handler(asked)
        english = next((m.text for m in response.result if isinstance(m, AIMessage)), "").strip()
        if not english or foreign(english):
            return None
        return await asyncio.to_thread(self._extractive.chosen, request.messages, english)

    @staticmethod
    def _as_writer(request: ModelRequest[Turn]) -> ModelRequest[Turn]:
        return request.override(tools=[], system_message=SystemMessage(prompt("writer")))


class PlainTurns(AgentMiddleware[ChatState, Turn, Any]):
    """Gives a model without tools no messages of tools: what they found stands under the question.

    Servers that take no demand for a tool call seldom take the messages of one either.
    """

    async def awrap_model_call(
        self, request: ModelRequest[Turn], handler: Handler
    ) -> ModelResponse[Any]:
        """Write the turns out as question and answer."""
        if request.tools or isinstance(request.model, Extractive):
            return await handler(request)
        return await handler(request.override(messages=written_out(request.messages)))


def written_out(messages: Sequence[BaseMessage]) -> list[AnyMessage]:
    """Each turn as what the person said, with what was found for it, and what was replied."""
    out: list[AnyMessage] = []
    for message in messages:
        if isinstance(message, AIMessage) and (message.tool_calls or not message.text.strip()):
            continue
        asked = isinstance(message, HumanMessage | ToolMessage)
        if asked and out and isinstance(out[-1], HumanMessage):
            out[-1] = HumanMessage(f"{out[-1].text}\n\n{message.text}")
        elif asked:
            out.append(HumanMessage(message.text))
        elif isinstance(message, AIMessage):
            out.append(AIMessage(message.text))
    return out


def _line(text: str) -> ModelResponse[Any]:
    """A line of the product's own, which no model wrote."""
    return ModelResponse(result=[AIMessage(text, response_metadata={"model_name": NAME})])


def _calls(response: ModelResponse[Any]) -> bool:
    return any(
        isinstance(message, AIMessage) and (message.tool_calls or message.invalid_tool_calls)
        for message in response.result
    )
