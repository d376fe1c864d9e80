"""Twins: which stored paper a record is of, and whether it can be."""

from __future__ import annotations

import re

from rapidfuzz import fuzz

from index import aliases
from index.identity import normalised_title, text_id
from index.lexical import STOP_WORDS, fold
from index.merge import same_title
from index.paper import Paper
from index.papers import Papers

ALIKE = 0.9
"""Least share of words that two texts of one abstract have in common."""
AKIN = 0.35
"""Least share of words that versions of one abstract have in common."""
RETITLED = 60
"""Least similarity (0..100) of two titles of one paper whose abstracts cannot be compared."""
SHORTEST = 25
"""Words; a shorter abstract may be alike by chance."""


class Twins:
    """Finds the paper that a record is of."""

    def __init__(self, papers: Papers) -> None:
        self._papers = papers

    def find(self, record: Paper) -> list[tuple[int, Paper]]:
        """The stored papers it is of: by id, then by text, then by title with authors and year.

        More than one where the record shows that two stored papers are the same.
        """
        connection = self._papers.connection
        ids = [record.id, *record.aliases, *([text_id(record.abstract)] if record.abstract else [])]
        rows = aliases.rows(connection, ids)
        found = list(self._papers.at(rows).items()) if rows else []
        if not found:
            found = self._titled(record) or self._worded(record)
        return sorted(found)

    def _titled(self, record: Paper) -> list[tuple[int, Paper]]:
        key = normalised_title(record.title)
        if record.title_derived or len(key.split()) < 3:
            return []
        having = self._papers.many("title_key = ?", key)
        return [(row, p) for row, p in having if not p.title_derived and one_work(p, record)][:1]

    def _worded(self, record: Paper) -> list[tuple[int, Paper]]:
        """A paper of nearly the same abstract, where one of the two has no title of its own."""
        words = _words(record.abstract)
        if len(words) < SHORTEST:
            return []
        only = "" if record.title_derived else " AND json_extract(more, '$.title_derived')"
        if (
            only
            and not self._papers.connection.execute(
                "SELECT 1 FROM papers WHERE id >= 'text:' AND id < 'text;' LIMIT 1"
            ).fetchone()
        ):
            return []
        rare = sorted({w for w in words if w not in STOP_WORDS}, key=lambda w: (-len(w), w))[:6]
        query = "abstract : (" + " AND ".join(f'"{word}"' for word in rare) + ")"
        near = self._papers.many(
            f"row IN (SELECT rowid FROM words WHERE words MATCH ? LIMIT 20){only}", query
        )
        return [(row, p) for row, p in near if overlap(p.abstract, record.abstract) >= ALIKE][:1]


def names(paper: Paper) -> list[str]:
    """All that a paper may be known by: ids, the digest of its text, its title."""
    out = [paper.id, *paper.aliases]
    if paper.abstract:
        out.append(text_id(paper.abstract))
    key = normalised_title(paper.title)
    if not paper.title_derived and len(key.split()) >= 3:
        out.append(f"title:{key}")
    return out


def one_work(one: Paper, other: Paper) -> bool:
    """Whether two papers of one title are one work, by what else their records say."""
    if one.authors and other.authors:
        if not _families(one) & _families(other):
            return False
    elif one.abstract and other.abstract:
        # Nobody is named: the texts decide.
        return overlap(one.abstract, other.abstract) >= AKIN
    years = [int(p.published[:4]) for p in (one, other) if p.published[:4].isdigit()]
    return len(years) < 2 or abs(years[0] - years[1]) <= 1


def contradiction(old: Paper, new: Paper) -> str:
    """Why a record of the same id is of another paper; empty where it may be of this one."""
    if old.title_derived or new.title_derived or same_title(old.title, new.title):
        return ""
    if old.abstract and new.abstract:
        if overlap(old.abstract, new.abstract) >= AKIN:
            return ""
    elif fuzz.token_set_ratio(normalised_title(old.title), normalised_title(new.title)) >= RETITLED:
        return ""
    if fuzz.token_sort_ratio(normalised_title(old.title), normalised_title(new.title)) >= 85:
        return ""
    return (
        f"it says it is {new.id}, which is here as “{old.title}”, but it is “{new.title}”; "
        "nothing was changed"
    )


def overlap(one: str, other: str) -> float:
    """The share of their different words that two texts have in common, 0..1 (Jaccard)."""
    mine, theirs = set(_words(one)), set(_words(other))
    return len(mine & theirs) / max(1, len(mine | theirs))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", fold(text))


def _families(paper: Paper) -> set[str]:
    """Folded last words of the authors' names, and the first where a name is written that way."""
    return {
        part
        for name in paper.authors
        for part in fold(name).replace(",", " ").split()
        if len(part) > 1
    }
