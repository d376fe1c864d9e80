"""Twins: two records of one paper, a preprint and its conference version or two versions, shown as one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from index.filters import same_author
from index.identity import normalised_title
from index.paper import Paper, Status
from index.search import Hit

SHINGLE = 4
"""Words in a row that are compared."""
SAME = 0.5
"""Least share of such rows in common (Jaccard, Broder 1997) of two abstracts of one paper."""
SAME_TITLE = 0.08
"""The same under one title and with authors unknown: a revised abstract keeps some of its words."""


Also = dict[str, tuple[Paper, ...]]
"""The other records of a paper, by the id of the one that is shown."""


def merged(hits: Sequence[Hit]) -> tuple[list[Hit], Also]:
    """The hits, each paper once and with the links of all its records, in their order.

    The record that came first is shown, unless it was withdrawn and the other was not.
    """
    groups: list[list[Hit]] = []
    texts: dict[str, _Text] = {}
    for hit in hits:
        text = texts[hit.paper.id] = _Text(hit.paper)
        for group in groups:
            if any(text.is_twin(texts[other.paper.id]) for other in group):
                group.append(hit)
                break
        else:
            groups.append([hit])
    out = [_one(group) for group in groups]
    also = {
        shown.paper.id: tuple(hit.paper for hit in group if hit.paper.id != shown.paper.id)
        for shown, group in zip(out, groups, strict=True)
        if len(group) > 1
    }
    return out, also


def is_twin(one: Paper, other: Paper) -> bool:
    """True where two records are of one paper."""
    return one.id == other.id or _Text(one).is_twin(_Text(other))


def _one(group: list[Hit]) -> Hit:
    first = next((hit for hit in group if hit.exact), group[0])
    if first.paper.status is not Status.ACTIVE and not first.exact:
        first = next((hit for hit in group if hit.paper.status is Status.ACTIVE), first)
    if len(group) == 1:
        return first
    links = dict.fromkeys(link for hit in (first, *group) for link in hit.paper.links)
    best = max(group, key=lambda hit: hit.score)
    return replace(
        first,
        paper=replace(first.paper, links=tuple(links)),
        score=best.score,
        exact=any(hit.exact for hit in group),
    )


class _Text:
    """What two records are compared by, made once a record."""

    __slots__ = ("_shingles", "key", "paper")

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.key = normalised_title(paper.title)
        self._shingles: frozenset[int] | None = None

    @property
    def shingles(self) -> frozenset[int]:
        if self._shingles is None:
            words = re.findall(r"[^\W_]+", self.paper.abstract.casefold())
            rows = zip(*(words[start:] for start in range(SHINGLE)), strict=False)
            self._shingles = frozenset(map(hash, rows))
        return self._shingles

    def is_twin(self, other: _Text) -> bool:
        same_title = bool(self.key) and self.key == other.key
        if not same_title and _numbered_apart(self.key, other.key):
            return False
        # Two texts of very different length have too little in common to be worth the count.
        short, long = sorted((len(self.shingles), len(other.shingles)))
        share = 0.0
        if short >= SAME * long:
            both = len(self.shingles & other.shingles)
            share = both / max(1, short + long - both)
        elif same_title:
            share = len(self.shingles & other.shingles) / max(1, short)
        if not same_title:
            return short >= 20 and share >= SAME
        known = bool(self.paper.authors) and bool(other.paper.authors)
        if known and _share_an_author(self.paper, other.paper):
            return True
        # One title alone is no proof: many papers are called "Introduction".
        return (
            not short
            or share >= (SAME if known else SAME_TITLE)
            or (not known and len(self.key.split()) >= 5)
        )


def _numbered_apart(one: str, other: str) -> bool:
    """`QLoRA-7` and `QLoRA-8`, `Part I` and `Part II`, `Task 2023` and `Task 2024` are two papers."""
    apart = set(one.split()) ^ set(other.split())
    return bool(apart) and all(
        re.fullmatch(r"\d+|[ivx]+|[a-d]|\w*\d\w*|one|two|three|first|second|third", word)
        for word in apart
    )


def _share_an_author(one: Paper, other: Paper) -> bool:
    return any(
        same_author(a, b) or same_author(b, a) for a in one.authors[:8] for b in other.authors[:8]
    )
