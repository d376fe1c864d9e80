"""Prices: what tokens of a chat model cost."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

EXAMPLE = "gpt-5-mini=0.25/0.025/2.00"
_ENTRY = re.compile(r"(?P<model>\S+?)=(?P<prices>\d+(?:\.\d+)?(?:/\d+(?:\.\d+)?){1,2})")


class Tokens(Protocol):
    """What was used of one model."""

    @property
    def input(self) -> int: ...
    @property
    def cached(self) -> int: ...
    @property
    def output(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input: float
    cached: float
    output: float

    def of(self, used: Tokens) -> float:
        """US dollars for what was used."""
        fresh = used.input - used.cached
        return (fresh * self.input + used.cached * self.cached + used.output * self.output) / 1e6


def parse_prices(text: str) -> dict[str, Price]:
    """`model=input/output` or `model=input/cached/output`, in dollars a million, by blanks or commas.

    Raises:
        ValueError: with a line that says what to write.
    """
    prices: dict[str, Price] = {}
    for word in text.replace(",", " ").split():
        match = _ENTRY.fullmatch(word)
        if not match:
            raise ValueError(f"{word!r} is no price; write one like {EXAMPLE}")
        first, *between, last = map(float, match["prices"].split("/"))
        # `openai:gpt-5-mini` and `gpt-5-mini` are the same model.
        name = match["model"].rpartition(":")[2]
        prices[name] = Price(first, between[0] if between else first, last)
    return prices
