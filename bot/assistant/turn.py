"""One turn: what goes into the agent beside the message, and what comes out beside the text."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from bot.answer import Sentence, Spent
from bot.assistant.artifacts import turns

KEPT_TURNS = 30
"""Turns of a conversation that are remembered."""
INTERRUPTED = "(Stopped before a reply.)"
UNSAVED = (
    "The history could not be written, so the next message will not know of this one. If this goes "
    "on, see whether another program holds its file."
)
UNANSWERED = "This tool call was interrupted and has no result."


@dataclass(slots=True)
class Turn:
    """Filled in while the agent runs."""

    call: tuple[str, dict[str, Any]] | None = None
    """A tool that a command or a button decided on."""
    sentences: list[Sentence] | None = None
    """The guarded reply, where a model wrote one; None where the artifacts say it all."""
    said: str = ""
    """A line of the product in place of a reply: small talk, a question back."""
    ending: str = ""
    """Why the turn ended early, in a person's words."""
    dropped: int = 0
    replaced: int = 0
    quotes_only: bool = False
    """True where no chat model but the extractive one is connected."""
    model: str = ""
    spent: dict[str, Spent] = field(default_factory=dict)
    """Tokens by chat model."""
    limit: int = 0
    """The day's tokens where they are used up: then nothing is asked of a chat model."""
    failed: list[str] = field(default_factory=list)
    """Chat models that did not answer."""
    unsaved: bool = False
    """True where the history could not be written."""
    unforced: str = ""
    """A chat model whose server did not take the demand for a tool call."""
    ends: float = math.inf
    """When the turn's time is up, on the clock of `time.monotonic`."""

    @property
    def tokens(self) -> int:
        """Tokens of all chat models."""
        return sum(each.input + each.output for each in self.spent.values())

    def spend(self, model: str, used: int, cached: int, written: int) -> None:
        """Add one call of a model."""
        so_far = self.spent.get(model, Spent(model))
        self.spent[model] = Spent(
            model, so_far.input + used, so_far.cached + cached, so_far.output + written
        )

    def seconds_left(self, share: float, least: float) -> float | None:
        """A share of the time left, but at least so many seconds; None where there is no end."""
        if math.isinf(self.ends):
            return None
        return max(least, share * (self.ends - time.monotonic()))


def valid(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The history as every provider accepts it: whole turns, each call with its one result.

    A turn that was cut off, by a crash or by the person, is closed; results without a call go.
    """
    out: list[BaseMessage] = []
    every = turns(messages)[-KEPT_TURNS:]
    for place, turn in enumerate(every):
        repaired = _repaired(turn, current=place == len(every) - 1)
        out.extend(repaired)
    return out


def finished(messages: Sequence[BaseMessage]) -> bool:
    """True where the last turn has its reply."""
    last = messages[-1]
    return isinstance(last, AIMessage) and not last.tool_calls and bool(last.text.strip())


def _repaired(turn: list[BaseMessage], *, current: bool) -> list[BaseMessage]:
    results = {m.tool_call_id: m for m in turn if isinstance(m, ToolMessage)}
    out: list[BaseMessage] = []
    for message in turn:
        if isinstance(message, ToolMessage):
            continue
        if isinstance(message, AIMessage) and not message.tool_calls and not message.text.strip():
            continue
        out.append(message)
        if isinstance(message, AIMessage):
            for call in message.tool_calls:
                found = results.get(call["id"] or "")
                out.append(
                    found
                    or ToolMessage(
                        UNANSWERED,
                        tool_call_id=call["id"] or "",
                        name=call["name"],
                        status="error",
                    )
                )
    if is_summary(turn[0]):
        return out
    if not current and not (isinstance(out[-1], AIMessage) and not out[-1].tool_calls):
        out.append(AIMessage(content=INTERRUPTED))
    return out


def trimmed(messages: Sequence[BaseMessage], tokens: int) -> list[BaseMessage]:
    """The newest whole turns that fit; the current one always.

    Old turns go by the half budget, not one by one: between two cuts the beginning stays the same,
    so that a provider's prefix cache fits.
    """
    from bot.assistant.budget import count

    every = turns(messages)
    sizes = [sum(count(m.text) + 8 for m in turn) for turn in every]
    start, block = 0, 0
    for place, size in enumerate(sizes[:-1], 1):
        if sum(sizes[start:]) <= tokens:
            break
        block += size
        if block >= tokens // 2 or sum(sizes[place:]) <= sizes[-1]:
            start, block = place, 0
    return [message for turn in every[start:] for message in turn]


def is_summary(message: BaseMessage) -> bool:
    """True for the message that stands for older turns."""
    return message.additional_kwargs.get("lc_source") == "summarization"
