"""Filters: exact, and applied before the best k are taken."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

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
        """Rows that pass, or None where nothing is asked."""
        where: list[str] = []
        values: list[object] = []
        if self.years:
            first, last = self.years
            if first is not None:
                where.append("year >= ?")
                values.append(first)
            if last is not None:
                where.append("year <= ?")
                values.append(last)
        if self.dates:
            first_day, last_day = self.dates
            # A shorter date is the beginning of every day in it, and with ~ after all of them.
            published = "json_extract(more, '$.published')"
            # The year has an index; it is asked first.
            where.append(f"year BETWEEN ? AND ? AND {published} <= ? AND {published} || '~' >= ?")
            first_year, last_year = (first_day or "0")[:4], (last_day or "9999")[:4]
            values.extend([int(first_year), int(last_year), last_day or "~", first_day or ""])
        if self.without:
            from index.query.about import rows_about

            where.append("row NOT IN (SELECT value FROM json_each(?))")
            values.append(json.dumps(rows_about(papers, self.without)))
        if self.author:
            from index.query.namesakes import rows_by

            where.append("row IN (SELECT value FROM json_each(?))")
            values.append(json.dumps(rows_by(papers, self.author)))
        if self.statuses is not None:
            where.append(f"status IN ({_marks(self.statuses)})")
            values.extend(status.value for status in self.statuses)
        if self.ids is not None:
            # One value, since SQLite takes so many and no more.
            where.append("id IN (SELECT value FROM json_each(?))")
            values.append(json.dumps(list(self.ids)))
        if self.source:
            where.append("(source = ? OR source LIKE ? OR id LIKE ?)")
            source = storable(self.source)
            values.extend([source, f"%{source}%", f"{source}:%"])
        for column, passes in self._tests():
            # Each value is looked at once, however many papers have it.
            where.append(f"{column} IN (SELECT value FROM json_each(?))")
            kept = [value for value in papers.distinct(column) if passes(value)]
            values.append(json.dumps(kept))
        return papers.rows(" AND ".join(where), values) if where else None

    def _tests(self) -> Iterator[tuple[str, Callable[[str], bool]]]:
        """Columns of the table, and whether a value of theirs passes."""
        if venue := self.venue:
            yield "venue", lambda name: _words(venue) <= _words(name)
        if category := self.category:
            yield (
                "json_extract(more, '$.categories')",
                lambda names: fold(category) in map(fold, json.loads(names)),
            )


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


def _marks(values: frozenset[Status]) -> str:
    return ",".join("?" * len(values))
