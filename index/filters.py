"""Filters: exact, and applied before the best k are taken."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from index.columns import Flags, passing
from index.lexical import fold
from index.naming import storable
from index.paper import Status
from index.papers import NDArrayInt, Papers


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a paper must be; None asks for nothing."""

    years: tuple[int | None, int | None] | None = None
    """First and last year, both inclusive, either open."""
    dates: tuple[str | None, str | None] | None = None
    """First and last day (ISO), both inclusive, either open, of first publication.

    A paper dated `2026-03` passes where the range has a day in March 2026, and one without a date
    never passes.
    """
    author: str | None = None
    venue: str | None = None
    category: str | None = None
    source: str | None = None
    statuses: frozenset[Status] | None = None
    ids: frozenset[str] | None = None
    without: tuple[str, ...] = ()
    """Things no paper may be about: words, phrases, abbreviations, or `surveys`; `-x` bars the word."""

    def rows(self, papers: Papers) -> NDArrayInt | None:
        """Rows that pass, ascending, or None where nothing is asked."""
        parts = list(self._passing(papers))
        if not parts:
            return None
        # A row beyond the last that one of them speaks of passes not.
        size = min(map(len, parts))
        return np.flatnonzero(np.logical_and.reduce([part[:size] for part in parts]))

    def _passing(self, papers: Papers) -> Iterator[Flags]:
        """Whether each row passes, for each thing that is asked."""
        for expression, passes in self._tests():
            yield passing(papers, expression, passes)
        if self.source:
            # The place papers were read from, or the archive that their ids are of.
            source = storable(self.source).lower()
            yield passing(papers, "source", lambda there: source in there.lower()) | passing(
                papers, _ARCHIVE, lambda there: there.lower() == f"{source}:"
            )
        if self.ids is not None:
            # One value, since SQLite takes so many and no more.
            yield _flags(
                papers.rows("id IN (SELECT value FROM json_each(?))", [json.dumps(list(self.ids))])
            )
        if self.author:
            from index.query.namesakes import rows_by

            yield _flags(rows_by(papers, self.author))
        if self.without:
            from index.query.about import rows_about

            kept = passing(papers, "1", bool)
            barred = _flags(rows_about(papers, self.without))[: len(kept)]
            kept[: len(barred)] &= ~barred
            yield kept

    def _tests(self) -> Iterator[tuple[str, Callable[[Any], bool]]]:
        """Expressions over the table, and whether a value of theirs passes."""
        if self.years:
            first, last = self.years
            yield (
                "year",
                lambda year: (
                    year is not None
                    and (first is None or year >= first)
                    and (last is None or year <= last)
                ),
            )
        if self.dates:
            first_day, last_day = self.dates
            # A shorter date is the beginning of every day in it, and with ~ after all of them.
            yield (
                "CASE WHEN year IS NOT NULL THEN json_extract(more, '$.published') END",
                lambda day: (
                    day is not None and day <= (last_day or "~") and f"{day}~" >= (first_day or "")
                ),
            )
        if self.statuses is not None:
            wanted = {status.value for status in self.statuses}
            yield "status", lambda status: status in wanted
        if venue := self.venue:
            yield "venue", lambda name: _words(venue) <= _words(name)
        if category := self.category:
            asked = fold(category)
            yield (
                "json_extract(more, '$.categories')",
                lambda names: asked in _categories(names),
            )


@lru_cache(maxsize=2**16)
def _categories(names: str) -> frozenset[str]:
    return frozenset(map(fold, json.loads(names)))


_ARCHIVE = "substr(id, 1, instr(id, ':'))"


def same_author(asked: str, name: str) -> bool:
    """True where every part of the name asked for is a whole part of the other, or its initial.

    The family name is never an initial. Order and diacritics do not matter: `Yu Chen` is
    `Chen, Yu` and not `Xiaoyu Chen`.
    """
    parts = _TOKENS.findall(_german(asked))
    there = _TOKENS.findall(_german(name))
    if not parts or not set(_TOKENS.findall(_family(asked))) <= set(there):
        return False
    return all(any(_same_part(part, other) for other in there) for part in parts)


def family_name(name: str) -> str:
    """The last word of the family name, folded, as the author index is asked for it."""
    return _family(name).rpartition(" ")[2]


def _family(name: str) -> str:
    """The family name, folded: what stands before a comma, else the last part."""
    before, comma, _ = _german(name).partition(",")
    parts = _TOKENS.findall(before)
    return " ".join(parts) if comma else (parts or [""])[-1]


_TOKENS = re.compile(r"[^\W\d_]+")


def _same_part(asked: str, there: str) -> bool:
    if asked == there:
        return True
    return min(len(asked), len(there)) == 1 and asked[0] == there[0]


def _german(name: str) -> str:
    """`Müller`, `Mueller` and `Muller` are one name."""
    return re.sub(r"(?<=[aou])e(?=[^\Waeiou])", "", fold(name))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", fold(text)))


def _flags(rows: Collection[int] | NDArrayInt) -> Flags:
    """Whether each row up to the last is one of these."""
    numbers = np.asarray(list(rows), dtype=np.int64)
    flags = np.zeros(int(numbers.max()) + 1 if len(numbers) else 0, np.bool_)
    flags[numbers] = True
    return flags
