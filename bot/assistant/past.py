"""Older turns of a long conversation, in a few lines that no model wrote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage

from bot.assistant.artifacts import artifacts_of, turns
from bot.assistant.budget import count
from bot.assistant.turn import is_summary

MOST = 60
"""Messages of a conversation at which its older turns are summed up."""
KEPT = 24
"""Messages that stay as they are; a turn has fewer, by the limits of the agent."""
LINES = 40
"""Lines of a summary at most; the oldest go."""
WORDS = 160
"""Characters of a question that a summary keeps."""


def summarising(model: BaseChatModel) -> SummarizationMiddleware[Any, Any]:
    """LangChain's middleware with a summary made from what the tools found.

    A line a turn says what was asked and which papers were on the screen. So it costs no call, works
    without a network, and puts nothing into the history that no paper said.
    """
    return SummarizationMiddleware(
        model,
        trigger=("messages", MOST),
        keep=("messages", KEPT),
        token_counter=_tokens,
        trim_tokens_to_summarize=None,
        summarizer=summed_up,
    )


def _tokens(messages: Iterable[Any]) -> int:
    return sum(count(message.text) + 8 for message in messages)


def summed_up(messages: Sequence[BaseMessage]) -> str:
    """A line a turn: what was asked, and the handles of the papers shown."""
    lines: list[str] = []
    for turn in turns(messages):
        if is_summary(turn[0]):
            lines += [line for line in turn[0].text.splitlines() if line.startswith("- ")]
            continue
        asked = " ".join(turn[0].text.split())[:WORDS]
        shown = dict.fromkeys(p.handle for found in artifacts_of(turn) for p in found.named)
        lines.append(f"- “{asked}”" + (f": {', '.join(list(shown)[:10])}" if shown else ""))
    return "\n".join(lines[-LINES:])
