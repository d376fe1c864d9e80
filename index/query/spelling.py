"""Spelling: the title or name that a misspelt one was meant for."""

from __future__ import annotations

import re

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from index.identity import normalised_title
from index.lexical import STOP_WORDS, stem
from index.paper import Paper
from index.papers import Papers

WHOLE = 84.0
"""Least likeness (0..100, `fuzz.ratio`) of a whole title, or of what stands before its colon."""
PART = 90.0
"""Least likeness of a stretch of a title of at least `LONG` characters."""
LONG = 18
LOOKED_AT = 300
"""Titles that are compared, the ones with the most words in common first."""
NAMES = 20_000
"""Handles and titles with the same beginning that are compared with a name."""
RARE = 5000
"""A word that less than one paper in so many has may be a slip of the pen."""


def meant_titles(papers: Papers, query: str, limit: int = 3) -> list[Paper]:
    """Papers whose title, name or handle a misspelt query was likely meant for, the likeliest first.

    None where every word of the query is one that the library's papers use: then it is a topic.
    Candidates share a word or the beginning of one, by the full-text index, so that the cost does
    not grow with the library; Damerau's distance then decides.
    """
    key = normalised_title(query)
    words = key.split()
    if not 4 <= len(key) <= 300 or len(words) > 40:
        return []
    odd = _odd(papers, words)
    if not odd:
        return []
    likely = [
        (likeness, len(title), row)
        for row, title, handle in _candidates(papers, words, odd)
        if (likeness := _likeness(key, title, handle)) and _accounts_for(odd, title, handle)
    ]
    likely.sort(key=lambda one: (-one[0], one[1]))
    rows = [row for likeness, _, row in likely if likeness >= likely[0][0] - 4]
    if len(rows) > limit:
        # What so many titles contain is a topic, as where it is spelled right.
        return []
    there = papers.at(rows)
    return [there[row] for row in rows if row in there]


def _odd(papers: Papers, words: list[str]) -> list[str]:
    """The words that hardly any paper has."""
    told = [
        word
        for word in dict.fromkeys(words)
        if len(word) > 2 and not word.isdigit() and word not in STOP_WORDS
    ]
    often = papers.document_frequency([stem(word) for word in told])
    least = len(papers) / RARE
    return [word for word in told if often.get(stem(word), 0) <= least]


def _candidates(papers: Papers, words: list[str], odd: list[str]) -> set[tuple[int, str, str]]:
    """(row, title, handle) of papers that share a word or the beginning of one with the query."""
    known = [word for word in words if word not in odd and word not in STOP_WORDS]
    terms = [f'"{word}"' for word in known]
    # Four letters are seldom misspelt, and a prefix is looked up like a word.
    terms += [f"{word[:4]}*" for word in odd if len(word) > 4 and word[:4].isascii()]
    # Where nothing telling is spelled right, what is left of the title must do.
    terms += [f'"{word}"' for word in words if word in STOP_WORDS] if len(known) < 2 else []
    out: set[tuple[int, str, str]] = set()
    if terms:
        out |= _light(
            papers,
            "row IN (SELECT rowid FROM words WHERE words MATCH ?"
            f" ORDER BY bm25(words, 1.0, 0.0, 0.0) LIMIT {LOOKED_AT})",
            f"title : ({' OR '.join(terms)})",
        )
    start = words[0][:3]
    if len(words) <= 3 and len(start) == 3:
        for column in ("handle", "title_key"):
            where = f"{column} >= ? AND {column} < ? LIMIT {NAMES}"
            out |= _light(papers, where, start, start + "\U0010ffff")
    return out


def _light(papers: Papers, where: str, *values: object) -> set[tuple[int, str, str]]:
    found = papers.connection.execute(
        f"SELECT row, title, handle FROM papers WHERE {where}", values
    )
    return {(int(row), str(title), str(handle)) for row, title, handle in found}


def _likeness(key: str, title: str, handle: str) -> float:
    """How alike a query and a title are, 0..100; 0 where they are not alike enough."""
    head = normalised_title(re.split(r":\s|\s[–—-]\s", title)[0])
    title = normalised_title(title)
    wholes = [
        title,
        *([head] if head != title else []),
        *([handle] if " " not in key else []),
    ]
    best = process.extractOne(key, wholes, scorer=fuzz.ratio, score_cutoff=WHOLE)
    if best and (len(key) > 5 or OSA.distance(key, best[0]) <= 1):
        return float(best[1])
    if len(key) >= LONG and len(key.split()) >= 4 and len(title) > len(key):
        part = float(fuzz.partial_ratio(key, title, score_cutoff=PART))
        return part - 4 if part else 0.0
    return 0.0


def _accounts_for(odd: list[str], title: str, handle: str) -> bool:
    """True where each odd word is close to a word of the title that the title is not without."""
    there = [*normalised_title(title).split(), handle]
    joined = "".join(there[:-1])
    return all(
        any(OSA.normalized_similarity(word, other) >= 0.6 for other in there) or word in joined
        for word in odd
    )
