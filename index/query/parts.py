"""Parts: what stands in a request beside its topic, and the query they make."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum

from index.filters import Filters
from index.paper import Status

NEWEST_FIRST = "Newest first."
"""The line on a list by date."""

Days = tuple[date | None, date | None]
"""First and last day, both inclusive, either open."""


class Kind(StrEnum):
    """What a part of a request narrows."""

    DATE = "date"
    AUTHOR = "author"
    VENUE = "venue"
    CATEGORY = "category"
    SOURCE = "source"
    STATUS = "status"
    WITHOUT = "without"
    NEWEST = "newest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A stretch of the request that says more than its topic."""

    kind: Kind
    start: int
    end: int
    value: str = ""
    """The name, venue, category, source or status; the one thing that is left out."""
    days: Days | None = None
    sure: bool = True
    """False where the library decides: `in GPS` is no venue, `without labels` may be a topic."""
    literal: bool = False
    """True where the mere word is to be left out, also where a paper says it goes without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What a person's words ask for."""

    text: str
    """The topic or the name, without the parts below; empty where nothing else was said."""
    filters: Filters = field(default_factory=Filters)
    excluded: tuple[str, ...] = ()
    """Things that no paper may be about."""
    newest: bool = False
    """Relevant papers by date, the newest first."""
    echo: tuple[str, ...] = ()
    """Lines that say how the words were read, so that the person can take it back."""
    said: str = ""
    """The words as they were written."""
    parts: tuple[Part, ...] = ()
    """Where each reading stands in `said`, in order."""

    @property
    def plain(self) -> bool:
        """True where the words are a topic or a name and nothing else."""
        return not self.parts

    def without(self, *parts: Part) -> Query:
        """The query with these parts read as words of its topic."""
        return self.with_parts(part for part in self.parts if part not in parts)

    def with_parts(self, parts: Iterable[Part]) -> Query:
        """The query read with other parts."""
        made = assemble(self.said, list(parts))
        # Asked for by a button or a model, and not by a part of the words.
        beside = self.newest and not any(part.kind is Kind.NEWEST for part in self.parts)
        return replace(made, newest=True) if beside else made


def assemble(said: str, parts: list[Part]) -> Query:
    """The query that a request with these parts makes."""
    parts = sorted(parts, key=lambda part: (part.start, part.end))
    if not parts:
        return Query(text=said, said=said)
    excluded = tuple(dict.fromkeys(p.value for p in parts if p.kind is Kind.WITHOUT))
    days = _days(parts)
    filters = Filters(
        author=_last(parts, Kind.AUTHOR),
        venue=_last(parts, Kind.VENUE),
        category=_last(parts, Kind.CATEGORY),
        source=_last(parts, Kind.SOURCE),
        statuses=_statuses(_last(parts, Kind.STATUS)),
        dates=_iso(days) if days else None,
        without=tuple(
            dict.fromkeys("-" * p.literal + p.value for p in parts if p.kind is Kind.WITHOUT)
        ),
    )
    newest = any(part.kind is Kind.NEWEST for part in parts)
    return Query(
        text=_topic(said, parts),
        filters=filters,
        excluded=excluded,
        newest=newest,
        echo=tuple(_echo(filters, days, excluded, newest=newest)),
        said=said,
        parts=tuple(parts),
    )


def spoken(days: Days) -> str:
    """`from 2025-06-01 to 2025-06-30`, as a line says it."""
    first, last = days
    if first and last:
        return f"of {first}" if first == last else f"from {first} to {last}"
    return f"from {first} on" if first else f"until {last}"


def joined(names: Iterable[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    *most, last = list(names)
    return f"{', '.join(most)} or {last}" if most else last


def _last(parts: Iterable[Part], kind: Kind) -> str | None:
    """What is said later narrows what was said before: `only ICLR` after `at ACL`."""
    values = [part.value for part in parts if part.kind is kind]
    return values[-1] if values else None


def _days(parts: Iterable[Part]) -> Days | None:
    """All ranges at once where they meet, else the one said last."""
    out: Days | None = None
    for part in parts:
        if part.days is None:
            continue
        if out is None:
            out = part.days
            continue
        first = max(filter(None, (out[0], part.days[0])), default=None)
        last = min(filter(None, (out[1], part.days[1])), default=None)
        out = part.days if first and last and first > last else (first, last)
    return out


def _iso(days: Days) -> tuple[str | None, str | None]:
    first, last = days
    return (first.isoformat() if first else None, last.isoformat() if last else None)


def _statuses(value: str | None) -> frozenset[Status] | None:
    return frozenset(Status(name) for name in value.split()) if value else None


def _echo(
    filters: Filters, days: Days | None, excluded: tuple[str, ...], *, newest: bool
) -> list[str]:
    lines = []
    narrowed = [
        f"by {filters.author}" if filters.author else "",
        f"at {filters.venue}" if filters.venue else "",
        f"in {filters.category}" if filters.category else "",
        f"from {filters.source}" if filters.source else "",
        f"that are {joined(sorted(filters.statuses))}" if filters.statuses else "",
        spoken(days) if days else "",
    ]
    if any(narrowed):
        lines.append(f"Only papers {', '.join(filter(None, narrowed))}.")
    if excluded:
        lines.append(leaving_out(excluded))
    if newest:
        lines.append(NEWEST_FIRST)
    return lines


def leaving_out(excluded: tuple[str, ...], count: int | None = None) -> str:
    """The line about what is left out, with how many papers that is where it is known."""
    number = "" if count is None else f" ({count})"
    return f"Leaving out papers on {joined(excluded)}{number}."


_FRAME = (
    r"papers?|works?|articles?|research|literature|studies|study|publications?|preprints?|abstracts?|results?|"
    r"something|anything|everything|stuff|ones?"
)
_LEAD = re.compile(
    r"^(?:(?:please|find|search(?:\s+for)?|look(?:ing)?\s+for|list|show|get|give|me|all|any|some|the|only|just|those|these|and|but|"
    rf"or|that|which|are|is|were|was|{_FRAME}|on|about|in|of|for|from|regarding|concerning|related\s+to|dealing\s+with|"
    r"published|posted|written|by)\b[\s,;:.]*)+",
    re.IGNORECASE,
)
_TRAIL = re.compile(
    rf"(?:[\s,;:.]+(?:and|but|or|only|just|please|that|which|are|is|were|was|the|from|in|on|by|published|posted|written|"
    rf"{_FRAME}))+[\s,;:.!?]*$",
    re.IGNORECASE,
)


def _topic(said: str, parts: list[Part]) -> str:
    """What is left of the request without its parts and the words that only frame them."""
    pieces, at = [], 0
    for part in parts:
        pieces.append(said[at : max(at, part.start)])
        at = max(at, part.end)
    pieces.append(said[at:])
    text = " ".join(" ".join(pieces).split())
    text = re.sub(r"[(\[]\s*[)\]]|\(\s*$|^\s*\)", " ", text)
    if text.count("(") != text.count(")"):
        text = text.replace("(", " ").replace(")", " ")
    text = re.sub(r"\s+([,;:.!?])", r"\1", text).strip(" ,;:.!?")
    lead = _LEAD.match(text + " ")
    # "of mice and men" is framed by nothing: only a frame that has a noun, or a lone word, goes.
    if lead and re.search(
        rf"\b(?:{_FRAME}|find|search|list|show|get|give|looking)\b", lead[0], re.IGNORECASE
    ):
        text = text[lead.end() :]
    elif lead and lead.end() >= len(text):
        text = ""
    else:
        text = re.sub(r"^(?:and|but|or|on|about|only|just)\s+", "", text, flags=re.IGNORECASE)
    return _TRAIL.sub("", f" {text}").strip(" ,;:.!?")
