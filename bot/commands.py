"""The commands people write, the same in the terminal and on Telegram."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, Protocol


class CommandError(Exception):
    """A command that cannot be followed; the message says what to write instead."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the assistant is asked: `Assistant.ask(chat, turn.text, call=turn.call)`."""

    text: str
    call: tuple[str, dict[str, Any]] | None
    """The tool the command decides on, with its arguments; None where the words point into the
    conversation ("the second one"), which the assistant resolves."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command, without its slash."""

    name: str
    arguments: str
    """What follows the name, as help shows it; empty where nothing does."""
    help: str
    """One line, at most 256 characters (the limit of setMyCommands)."""
    turn: Callable[[str], Turn] | None = None
    """How the words after the name become a turn; None where the front end acts by itself."""


_POINTS = re.compile(
    r"(?:the\s+)?(?:#?\d{1,2}|\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|"
    r"eighth|ninth|tenth|last|latter|former|previous|next|other|same|both|all|two|three|"
    r"that|this|these|those|it|them|one|ones|of|and|with|papers?|,|&|\s)+",
    re.IGNORECASE,
)
_STRONG = re.compile(r"\s*[;|\n]\s*|\s+(?:vs\.?|versus)\s+", re.IGNORECASE)
_WEAK = re.compile(r"\s*,\s*(?:and\s+)?|\s+(?:and|with|to|&)\s+", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“”]([^\"“”]+)[\"“”]")


def points_back(words: str) -> bool:
    """Whether the words name a paper only by its place in the conversation."""
    return bool(_POINTS.fullmatch(words.strip()))


def several(words: str) -> list[str]:
    """The papers named after `/compare`: in quotation marks, or parted by `;`, `vs`, `,`, `and`.

    >>> several("activedpo zerogr")
    ['activedpo', 'zerogr']
    """
    quoted = [part.strip() for part in _QUOTED.findall(words)]
    if len(quoted) > 1:
        return quoted
    for separator in (_STRONG, _WEAK):
        parts = [part.strip(' "“”') for part in separator.split(words)]
        if len(parts := [part for part in parts if part]) > 1:
            return parts
    # Handles and ids hold no blanks; a single title does.
    parts = words.split()
    return (
        parts
        if 1 < len(parts) <= 4 and not any(p[:1].isupper() for p in parts[1:-1])
        else [words.strip()]
    )


def _find(words: str) -> Turn:
    if not words:
        raise CommandError("Find what? Write a topic after it, as in /find diffusion policies.")
    return Turn(f"find papers about {words}", ("search", {"query": words}))


def _about_one(verb: str, tool: str, example: str) -> Callable[[str], Turn]:
    def turn(words: str) -> Turn:
        if not words:
            raise CommandError(
                f"Which paper? Write its handle, id, link or title after it, as in {example}."
            )
        return Turn(f"{verb} {words}", None if points_back(words) else (tool, {"paper": words}))

    return turn


def _keep(verb: str, example: str) -> Callable[[str], Turn]:
    def turn(words: str) -> Turn:
        if not words:
            raise CommandError(f"Which paper? Write it after the command, as in {example}.")
        return Turn(f"{verb} {words}", None)

    return turn


def _compare(words: str) -> Turn:
    if words and points_back(words):
        return Turn(f"compare {words}", None)
    papers = several(words) if words else []
    if len(papers) < 2:
        raise CommandError(
            "Compare which papers? Write two or more, as in /compare activedpo, zerogr."
        )
    # One of them may be "the second one", which only the conversation knows.
    if any(points_back(paper) for paper in papers):
        return Turn(f"compare {' and '.join(papers)}", None)
    return Turn(f"compare {' and '.join(papers)}", ("compare", {"papers": papers}))


SURE = "everything"
ASK_FIRST = (
    "This erases the conversation, what was saved, the digest and its topic, the time zone and the "
    "buttons of this chat, and cannot be undone. Write /forget everything to do it."
)
FORGOTTEN = (
    "Everything of this chat is erased. Only the count of tokens stays, which holds no words."
)


class Forgets(Protocol):
    """What erases a chat."""

    async def forget(self, chat: str) -> None:
        """Erase it."""


async def forget(room: Forgets, chat: str, words: str) -> str:
    """Erase what is remembered of a chat where the person said so twice; the line to show."""
    if words.strip().casefold() != SURE:
        return ASK_FIRST
    await room.forget(chat)
    return FORGOTTEN


COMMANDS: tuple[Command, ...] = (
    Command("start", "", "Say what this is and how to begin"),
    Command("help", "", "Show what I can do"),
    Command("find", "TOPIC", "Find papers about a topic", _find),
    Command(
        "summary",
        "PAPER",
        "Summarise a paper in its own words",
        _about_one("summarise", "summarise", "/summary activedpo"),
    ),
    Command("compare", "PAPER, PAPER", "Put papers side by side", _compare),
    Command(
        "similar",
        "PAPER",
        "Find papers like one you know",
        _about_one("find papers similar to", "similar", "/similar activedpo"),
    ),
    Command("save", "PAPER", "Keep a paper on my list", _keep("save", "/save activedpo")),
    Command("unsave", "PAPER", "Take it off my list", _keep("unsave", "/unsave activedpo")),
    Command("saved", "", "Show what I saved", lambda _: Turn("my reading list", None)),
    Command("new", "", "Begin a new conversation"),
    Command("forget", "", "Erase what I remember of this chat"),
    Command("usage", "", "Show the tokens this chat has used"),
    Command("cancel", "", "Stop what I am working on"),
    Command("digest", "HH:MM TOPIC", "Send me what is new about a topic every day"),
    Command("stop", "", "End the digest"),
)

_BY_NAME = {command.name: command for command in COMMANDS}
_ALIASES = {"summarise": "summary", "summarize": "summary", "search": "find", "reset": "new"}


def command(name: str) -> Command | None:
    """The command of that name, with or without its slash, or None."""
    name = name.removeprefix("/").casefold()
    return _BY_NAME.get(_ALIASES.get(name, name))


def parse(line: str) -> tuple[str, str] | None:
    """(name, the words after it) where a line begins with a command, known or not.

    >>> parse("/find  tiny models")
    ('find', 'tiny models')
    """
    match = re.match(r"/([A-Za-z]\w{0,31})(?![\w/])\s*(.*)", line.strip(), re.DOTALL)
    if not match:
        return None
    known = command(match[1])
    return (known.name if known else match[1].casefold()), match[2].strip()


def help_lines(
    left_out: Collection[str] = (), extra: Collection[tuple[str, str]] = ()
) -> Iterator[tuple[str, str]]:
    """(`/find TOPIC`, its help) of each command; `extra` lines of a front end of its own follow."""
    for each in COMMANDS:
        if each.name not in left_out:
            yield f"/{each.name} {each.arguments}".strip(), each.help
    yield from extra
