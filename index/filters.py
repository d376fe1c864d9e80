"""Filters: exact, and applied before the best k are taken."""

from __future__ import annotations

import json
import re
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
    author: str | None = None
    venue: str | None = None
    category: str | None = None
    source: str | None = None
    statuses: frozenset[Status] | None = None
    ids: frozenset[str] | None = None

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
        if not (where or self.author or self.venue or self.category):
            return None
        condition = " AND ".join(where) or "1"
        if not (self.author or self.venue or self.category):
            return papers.rows(condition, values)
        kept = [
            row
            for row, paper in papers.many(condition, *values)
            if (not self.author or any(same_author(self.author, name) for name in paper.authors))
            and (not self.venue or _words(self.venue) <= _words(paper.venue))
            and (
                not self.category
                or fold(self.category) in {fold(category) for category in paper.categories}
            )
        ]
        import numpy as np

        return np.array(sorted(kept), dtype=np.int64)


def same_author(asked: str, name: str) -> bool:
    """True where every part of the name asked for is a whole part of the other, or its initial.

    Order and diacritics do not matter: `Yu Chen` is `Chen, Yu` and not `Xiaoyu Chen`.
    """
    parts = _TOKENS.findall(_german(asked))
    there = _TOKENS.findall(_german(name))
    return bool(parts) and all(any(_same_part(part, other) for other in there) for part in parts)


_TOKENS = re.compile(r"[^\W\d_]+")


def _same_part(asked: str, there: str) -> bool:
    if asked == there:
        return True
    return min(len(asked), len(there)) == 1 and asked[0] == there[0]


def _german(name: str) -> str:
    """`Müller`, `Mueller` and `Muller` are one name."""
    return re.sub(r"(?<=[aou])e(?=[^aeiou])", "", fold(name))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", fold(text)))


def _marks(values: frozenset[Status]) -> str:
    return ",".join("?" * len(values))
