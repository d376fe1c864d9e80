"""What the words of a message refer to: papers on the screen, or names for a tool."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.assistant import screen as on_screen
from bot.assistant.screen import Pointed, Screen

Known = Callable[[str], str]
"""The handle of the paper that goes by a name, or an empty string."""


@dataclass(frozen=True, slots=True)
class Route:
    """A tool with its arguments, or something to say."""

    tool: str = ""
    args: dict[str, Any] = field(default_factory=dict)
    say: str = ""
    """A line in place of a tool."""
    asks: bool = False
    """True where the line asks back which paper is meant."""


EDGE = " .?!,:;\"'“”"


def reference(words: str, screen: Screen) -> tuple[str, str]:
    """(name for a tool, question back) of a reference to one paper."""
    names, ask = references(words, screen)
    return (names[0] if names else "", ask)


def references(words: str, screen: Screen) -> tuple[list[str], str]:
    words = words.strip(EDGE)
    if not words:
        pointed: Pointed | None = on_screen.it(screen)
    else:
        pointed = on_screen.by_place(words, screen)
    if pointed is not None:
        return [p.handle for p in pointed.papers], pointed.ask
    if described := on_screen.by_words(words, screen):
        return [described.handle], ""
    return [words], ""


def on_paper(tool: str, words: str, screen: Screen) -> Route:
    name, ask = reference(words, screen)
    if ask:
        return Route(say=ask, asks=True)
    return Route(tool, {"paper": name})


def refers(words: str, screen: Screen, known: Known) -> bool:
    return on_screen.by_place(words, screen) is not None or bool(known(words.strip(EDGE)))
