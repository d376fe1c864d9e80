"""Providers of chat models: whose reply it is, how long one may take, and when one rests."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.exceptions import (
    ModelAuthenticationError,
    ModelConnectionError,
    ModelPermissionDeniedError,
    ModelRateLimitError,
    ModelTimeoutError,
)
from langchain_core.messages import AIMessage

from bot.assistant.budget import count
from bot.assistant.extractive import Extractive
from bot.assistant.messages import model_name
from bot.assistant.middleware import ChatState, Handler
from bot.assistant.turn import Turn

REST = 60.0
"""Seconds for which a provider that did not answer is not asked again."""
SHARE = 0.6
"""Of the turn's time left, what one call may take: the next model needs the rest."""
LEAST = 5.0
"""Seconds a call may take in any case."""

AWAY = (
    TimeoutError,
    ConnectionError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelPermissionDeniedError,
    ModelRateLimitError,
    ModelTimeoutError,
)
"""Faults that the next request would meet too: the provider is away, or has had enough of us."""

log = logging.getLogger(__name__)


class ModelRests(ConnectionError):
    """A provider that did not answer a moment ago."""


class Providers(AgentMiddleware[ChatState, Turn, Any]):
    """Calls the model; innermost, so that a fallback's reply carries the fallback's name."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._rests: dict[str, float] = {}

    async def awrap_model_call(
        self, request: ModelRequest[Turn], handler: Handler
    ) -> ModelResponse[Any]:
        """Write the model's name into its replies, and note which models did not answer.

        Raises what the provider's package raises, for the fallback to take.
        """
        name = model_name(request.model)
        if isinstance(request.model, Extractive):
            return _named(await handler(request), name)
        turn = request.runtime.context
        if self._rests.get(name, 0.0) > self._clock():
            turn.failed.append(name)
            raise ModelRests(name)
        try:
            async with asyncio.timeout(turn.seconds_left(SHARE, LEAST)):
                response = await handler(request)
        except Exception as error:
            # Logged without the message: providers put requests, and some put keys, into it.
            log.warning("the chat model %s failed: %s", name, type(error).__name__)
            turn.failed.append(name)
            if isinstance(error, AWAY):
                self._rests[name] = self._clock() + REST
            raise
        self._rests.pop(name, None)
        for message in response.result:
            if isinstance(message, AIMessage):
                turn.spend(name, *_used(request, message))
        return _named(response, name)


def _used(request: ModelRequest[Turn], message: AIMessage) -> tuple[int, int, int]:
    """(input, of it cached, output): the provider's figures, or else a count of the texts."""
    if usage := message.usage_metadata:
        cached = usage.get("input_token_details", {}).get("cache_read", 0) or 0
        return usage["input_tokens"], cached, usage["output_tokens"]
    given = [*request.messages, *([request.system_message] if request.system_message else [])]
    return sum(count(each.text) for each in given), 0, count(message.text)


def _named(response: ModelResponse[Any], name: str) -> ModelResponse[Any]:
    for message in response.result:
        if isinstance(message, AIMessage):
            message.response_metadata["model_name"] = name
    return response
