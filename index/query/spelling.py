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
    found = {paper.id: (paper, _likeness(key, paper)) for paper in _candidates(papers, words, odd)}
    likely = [
        (likeness, paper)
        for paper, likeness in found.values()
        if likeness and _accounts_for(odd, paper)
    ]
    likely.sort(key=lambda pair: (-pair[0], len(pair[1].title)))
    return [paper for likeness, paper in likely if likeness >= likely[0][0] - 4][:limit]


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


def _candidates(papers: Papers, words: list[str], odd: list[str]) -> list[Paper]:
    known = [word for word in words if word not in odd and word not in STOP_WORDS]
    terms = [f'"{word}"' for word in known]
    # Four letters are seldom misspelt, and a prefix is looked up like a word.
    terms += [
        f"{word[:size]}*"
        for word in odd
        for size in (4,)
        if len(word) > 4 and word[:size].isascii()
    ]
    # Where nothing telling is spelled right, what is left of the title must do.
    terms += [f'"{word}"' for word in words if word in STOP_WORDS] if len(known) < 2 else []
    out: list[Paper] = []
    if terms:
        out += [
            paper
            for _, paper in papers.many(
                "row IN (SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, 1.0, 0.0, 0.0) LIMIT ?)",
                f"title : ({' OR '.join(terms)})",
                LOOKED_AT,
            )
        ]
    start = words[0][:3]
    if len(words) <= 3 and len(start) == 3:
        for column in ("handle", "title_key"):
            out += [
                paper
                for _, paper in papers.many(
                    f"{column} >= ? AND {column} < ? LIMIT {LOOKED_AT}", start, start + "\U0010ffff"
                )
            ]
    return out


def _likeness(key: str, paper: Paper) -> float:
    """How alike a query and a title are, 0..100; 0 where they are not alike enough."""
    title = normalised_title(paper.title)
    head = normalised_title(re.split(r":\s|\s[–—-]\s", paper.title)[0])
    wholes = [
        title,
        *([head] if head != title else []),
        *([paper.handle] if " " not in key else []),
    ]
    best = process.extractOne(key, wholes, scorer=fuzz.ratio, score_cutoff=WHOLE)
    if best and (len(key) > 5 or OSA.distance(key, best[0]) <= 1):
        return float(best[1])
    if len(key) >= LONG and len(key.split()) >= 3 and len(title) > len(key):
        part = float(fuzz.partial_ratio(key, title, score_cutoff=PART))
        return part - 4 if part else 0.0
    return 0.0


def _accounts_for(odd: list[str], paper: Paper) -> bool:
    """True where each odd word is close to a word of the title that the title is not without."""
    there = [*normalised_title(paper.title).split(), paper.handle]
    joined = "".join(there[:-1])
    return all(
        any(OSA.normalized_similarity(word, other) >= 0.6 for other in there) or word in joined
        for word in odd
    )
