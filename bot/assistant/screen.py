"""What is on the person's screen, and what "the second one" means there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import BaseMessage

from bot.assistant.artifacts import FoundPaper, artifacts_of, turns
from index.lexical import stems

ORDINALS = {
    **dict(zip("first second third fourth fifth sixth seventh eighth ninth tenth".split(), range(10), strict=True)),
    **{f"{n}{suffix}": n - 1 for n in range(1, 21) for suffix in ("st", "nd", "rd", "th")},
}  # fmt: skip
CARDINALS = dict(
    zip("one two three four five six seven eight nine ten".split(), range(1, 11), strict=True)
)


@dataclass(frozen=True, slots=True)
class Screen:
    """The papers a message can point at without naming them."""

    listed: tuple[FoundPaper, ...] = ()
    """The last list shown, numbered from 1."""
    focus: tuple[FoundPaper, ...] = ()
    """The papers the last reply was about: "it", "they"."""
    earlier: tuple[FoundPaper, ...] = ()
    """All papers shown in this conversation, the latest first."""
    tool: str = ""
    """The tool of the last turn."""
    query: str = ""
    """What the last turn asked of it."""
    search: str = ""
    """The last topic searched for."""
    scope: dict[str, Any] = field(default_factory=dict)
    """How the last search was narrowed."""


def read_screen(messages: Sequence[BaseMessage]) -> Screen:
    """The screen as the turns before the last human message left it."""
    screen = Screen()
    for turn in turns(messages)[:-1]:
        for found in artifacts_of(turn):
            screen = _after(screen, found)
    return screen


def _after(screen: Screen, found: Any) -> Screen:
    named = tuple(found.named)
    lists = found.tool in {"search", "similar"} or bool(found.nearest) or bool(found.asks)
    listed = named if named and (lists or len(named) > 1) else screen.listed
    focus = named if named and not lists else ()
    if found.tool == "similar" and found.scope.get("seed"):
        focus = tuple(p for p in screen.earlier if p.id == found.scope["seed"])[:1]
    searched = found.tool == "search" and bool(found.query)
    return Screen(
        listed=listed,
        focus=focus or (named if len(named) == 1 else ()),
        earlier=tuple({p.id: p for p in (*named, *screen.earlier)}.values()),
        tool=found.tool,
        query=found.query,
        search=found.query if searched else screen.search,
        scope=dict(found.scope) if searched else screen.scope,
    )


@dataclass(frozen=True, slots=True)
class Pointed:
    """What words point at: papers, or a reason to ask back."""

    papers: tuple[FoundPaper, ...] = ()
    ask: str = ""


_NUMBER = r"(?:number|no\.?|nr\.?|paper|item|result|#)?\s*#?(?P<n>\d{1,2})(?:\.|\))?(?!\w|[.-]\w)"
_ORDINAL = "|".join(ORDINALS)
_ONE = r"(?:\s+(?:one|paper|result|item|entry|article|of\s+(?:them|these|those)))?"
_AND = r"\s*(?:,|;|&|\+|and|with|to|vs\.?|versus|from|or)\s*(?:the\s+)?"

_POINT = re.compile(
    rf"(?:(?:the|paper)\s+)?(?:(?P<ord>{_ORDINAL}|last|latter|former|bottom|top){_ONE}|{_NUMBER})",
    re.IGNORECASE,
)
_GROUP = re.compile(
    r"(?:the\s+)?(?P<which>first|top|last)\s+(?P<count>\d{1,2}|two|three|four|five|six|seven)\b"
    r"(?:\s+(?:ones|papers|results))?",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:(?P<both>both(?:\s+of)?(?:\s+(?:them|these|those|papers|the\s+papers))?"
    r"|(?:these|those|the)\s+two(?:\s+papers)?)"
    r"|(?P<all>all(?:\s+of)?(?:\s+(?:them|these|those|papers|the\s+papers))?"
    r"|them(?:\s+all)?|these(?:\s+(?:papers|ones))?|those(?:\s+(?:papers|ones))?|each\s+other))\b",
    re.IGNORECASE,
)
_THIS = re.compile(
    r"\b(?:it|its|this(?:\s+(?:one|paper|work|article|method|approach|study))?"
    r"|that(?:\s+(?:one|paper|work|article|method|approach|study))"
    r"|that|(?:the|their)\s+(?:paper|same\s+(?:one|paper))|the\s+authors|they|their)\b",
    re.IGNORECASE,
)
_IN_A_SENTENCE = re.compile(
    r"\b(?:it|its|(?:this|that|the)\s+(?:one|paper|work|article|study|authors)|they|them|their"
    r"|the\s+same\s+paper)\b",
    re.IGNORECASE,
)
_OTHER = re.compile(r"\bthe\s+other(?:\s+(?:one|paper))?\b", re.IGNORECASE)
_THE_ONE = re.compile(
    r"^(?:the|that|this)\s+(?P<words>.+?)\s+(?:one|paper|work|article|study)s?$"
    r"|^(?:the|that)\s+(?:one|paper|work|article|study)\s+"
    r"(?:on|about|with|that|which|using|for|of|from|by|studying|dealing\s+with)\s+(?P<about>.+)$",
    re.IGNORECASE,
)

WHICH = "Which paper? Name it by its title, its handle or its number in a list."
FEWER = "The list has {count}. Which one do you mean?"


def by_place(words: str, screen: Screen) -> Pointed | None:
    """The papers that words name by their place, or None where they name no place.

    `words` is the whole reference: "the second", "1 and 3", "the first two", "both", "2".
    """
    words = words.strip(" .?!,:;\"'")
    if group := _GROUP.fullmatch(words):
        count = CARDINALS.get(group["count"].casefold()) or int(group["count"])
        papers = screen.listed
        if not papers:
            return Pointed(ask=WHICH)
        return Pointed(papers[-count:] if group["which"].casefold() == "last" else papers[:count])
    if everything := _ALL.fullmatch(words):
        return _all(bool(everything["both"]), screen)
    if _OTHER.fullmatch(words):
        return _other(screen)
    parts = re.split(_AND, words, flags=re.IGNORECASE)
    found: list[FoundPaper] = []
    for part in parts:
        pointed = _point(part, screen)
        if pointed is None:
            return None
        if pointed.ask:
            return pointed
        found.extend(p for p in pointed.papers if p not in found)
    return Pointed(tuple(found))


def _point(words: str, screen: Screen) -> Pointed | None:
    words = words.strip()
    if match := _POINT.fullmatch(words):
        papers = screen.listed or screen.focus
        if not papers:
            return Pointed(ask=WHICH)
        place = _place(match, len(papers))
        if place is None or not 0 <= place < len(papers):
            shown = f"{len(papers)} paper" + ("s" if len(papers) > 1 else "")
            return Pointed(ask=FEWER.format(count=shown))
        return Pointed((papers[place],))
    if _THIS.fullmatch(words):
        if len(screen.focus) > 1 and words.casefold() in {"they", "their"}:
            return Pointed(screen.focus)
        return it(screen)
    if _OTHER.fullmatch(words):
        return _other(screen)
    return None


def _place(match: re.Match[str], count: int) -> int | None:
    if match["n"]:
        return int(match["n"]) - 1
    word = match["ord"].casefold()
    if word in {"last", "latter", "bottom"}:
        return count - 1
    if word in {"former", "top"}:
        return 0
    return ORDINALS[word]


def _all(both: bool, screen: Screen) -> Pointed:
    papers = screen.focus if len(screen.focus) > 1 else screen.listed
    if both:
        if len(screen.focus) == 2:
            return Pointed(screen.focus)
        if len(screen.listed) == 2:
            return Pointed(screen.listed)
        if len(screen.earlier) == 2:
            return Pointed(screen.earlier[::-1])
        return Pointed(ask="Which two? Name them, or give their numbers in the list.")
    return Pointed(papers) if papers else Pointed(ask=WHICH)


def _other(screen: Screen) -> Pointed:
    rest = [p for p in screen.listed if p not in screen.focus]
    if len(rest) == 1:
        return Pointed(tuple(rest))
    rest = [p for p in screen.earlier if p not in screen.focus]
    return Pointed((rest[0],)) if len(rest) == 1 else Pointed(ask=WHICH)


def it(screen: Screen) -> Pointed:
    """The paper that "it" means."""
    if len(screen.focus) == 1:
        return Pointed(screen.focus)
    if len(screen.listed) == 1 and not screen.focus:
        return Pointed(screen.listed)
    return Pointed(ask=WHICH)


def by_words(words: str, screen: Screen) -> FoundPaper | None:
    """The one shown paper that "the DIPOLE one", "the paper on watermarks" describes, or None."""
    match = _THE_ONE.match(words.strip(" .?!"))
    if not match:
        return None
    wanted = set(stems(match["words"] or match["about"]))
    if not wanted:
        return None
    for papers in (screen.listed, screen.earlier):
        fitting = [p for p in papers if wanted <= set(stems(f"{p.title} {p.handle}"))]
        if len(fitting) == 1:
            return fitting[0]
    return None


def points(text: str) -> str:
    """The part of a sentence that points at the screen ("the second one", "it"), or ""."""
    for pattern in (_GROUP, _OTHER):
        if match := pattern.search(text):
            return match[0]
    ordinal = re.search(
        rf"\bthe\s+(?:{_ORDINAL}|last|latter|former)(?:\s+(?:one|paper|result)\b|(?=\s*[?.!]*$))"
        rf"|(?<=\bdoes\s)the\s+(?:{_ORDINAL}|last|latter|former)\b"
        rf"|\b(?:paper|number|no\.)\s*#?\d{{1,2}}\b|(?<!\w)#\d{{1,2}}\b",
        text,
        re.IGNORECASE,
    )
    if ordinal:
        return ordinal[0]
    match = _IN_A_SENTENCE.search(text) or _ALL.search(text)
    return match[0] if match else ""
