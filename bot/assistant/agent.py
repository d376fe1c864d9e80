"""The whole agent: one list of tools and one list of middleware."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import (
    AgentMiddleware,
    ModelCallLimitMiddleware,
    ModelFallbackMiddleware,
    ModelRefusalMiddleware,
    ToolCallLimitMiddleware,
    ToolErrorMiddleware,
)
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.language_models import BaseChatModel
from langgraph.checkpoint.base import BaseCheckpointSaver

from bot.assistant.context import Context, Mode
from bot.assistant.extractive import Extractive
from bot.assistant.first_step import EvidenceFirst, PlainTurns
from bot.assistant.guard import Guard
from bot.assistant.middleware import Decided, EndWhereNothingIsFound, History
from bot.assistant.navigation import Navigation
from bot.assistant.past import summarising
from bot.assistant.providers import Providers
from bot.assistant.searching import local_today
from bot.assistant.tools import make_tools
from bot.assistant.turn import Turn
from index.library import Library, LibraryError
from prompts import prompt

MODEL_CALLS = 8
"""Model calls a turn; a repaired reply counts as one."""
TOOL_CALLS = 12

log = logging.getLogger(__name__)


def build(
    library: Library,
    extractive: Extractive,
    models: Sequence[BaseChatModel],
    saver: BaseCheckpointSaver[Any],
    *,
    mode: Mode = Mode.CARDS,
    navigation: bool = True,
    today: Callable[[], date] = local_today,
) -> Any:
    """The compiled agent; the extractive model answers where all others fail, or where none is.

    `mode` and `navigation` say what a chat model is given of the papers that were found; `today` is
    the date that "last month" counts from.
    """
    first, *others = [*models, extractive]
    middleware: list[AgentMiddleware[Any, Any, Any]] = [
        EndWhereNothingIsFound(),
        summarising(extractive),
        ModelCallLimitMiddleware(run_limit=MODEL_CALLS, exit_behavior="end"),
        ToolCallLimitMiddleware(run_limit=TOOL_CALLS, exit_behavior="end"),
        ToolErrorMiddleware(_told),
        Guard(library, extractive),
        Decided(extractive),
    ]
    if others:
        middleware.append(ModelFallbackMiddleware(*others))
    # Innermost: each model, the fallbacks too, is given its own share of the history.
    middleware += [
        EvidenceFirst(extractive),
        Context(library, mode, Navigation(library.model) if navigation else None),
        History(),
        PlainTurns(),
        ModelRefusalMiddleware(),
        Providers(),
    ]
    return create_agent(
        first,
        make_tools(extractive.names, today),
        system_prompt=prompt("agent"),
        middleware=middleware,
        context_schema=Turn,
        checkpointer=saver,
    )


def _told(error: Exception, request: ToolCallRequest) -> str:
    """What the model is told of a tool that failed: nothing of its inside."""
    name = str(request.tool_call["name"])
    if isinstance(error, LibraryError):
        return prompt("tool_failed", tool=name, reason=f"{error}.")
    log.error("the tool %s failed", name, exc_info=error)
    return prompt("tool_failed", tool=name, reason="something inside it went wrong.")
