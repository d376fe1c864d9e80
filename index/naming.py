"""Naming: which papers a person means by an id, a link, a handle or a title."""

from __future__ import annotations

import re

from index.identity import canonical_id, normalised_title
from index.paper import Paper
from index.papers import Papers

FEW = 3
"""A name that more titles than this contain is a topic."""


def get(papers: Papers, name: str) -> Paper | None:
    """The paper of an id, link, DOI or handle, or None."""
    name = storable(name.strip())
    wanted = canonical_id(name)
    found = papers.one("id = ?", wanted) if wanted else None
    if wanted and not found:
        found = papers.one("row = (SELECT row FROM aliases WHERE alias = ?)", wanted)
    found = found or papers.one("id = ? OR handle = ?", name, name.casefold())
    if not found and ":" in name:
        # An id of a scheme we do not know, or what was said before the paper had a better one.
        found = papers.one("row = (SELECT row FROM aliases WHERE alias = ?)", name)
    return found[1] if found else None


def find(papers: Papers, name: str, limit: int) -> list[Paper]:
    """Papers that go by a name: id, link, DOI, handle, title, then a part of the title."""
    return _known(papers, name)[:limit] or _holding(papers, name)[:limit]


def named(papers: Papers, query: str) -> list[Paper]:
    """The papers a query names, rather than being about.

    A part of a title is a name where it stands before the colon, is spelled like one (`QLoRA-8`,
    `DeepSeekMoE`) or is long, and few titles contain it: `reinforcement learning` names none.
    """
    if known := _known(papers, query):
        return known[:FEW]
    holding = _holding(papers, query, among=64)
    if not 0 < len(holding) <= FEW:
        return []
    key = normalised_title(query)
    if len(key.split()) >= 4 or _SPELLED.search(query):
        return holding
    return [p for p in holding if normalised_title(p.title.partition(":")[0]) == key]


def storable(text: str) -> str:
    """The text without lone surrogates, which stand for bytes that were no UTF-8."""
    return text.encode("utf-8", "replace").decode()


# A capital or a digit after the first letter: BERT4Rec, SSE-H, QLoRA-8, T5.
_SPELLED = re.compile(r"\b[A-Za-z][A-Za-z-]*[A-Z0-9]")


def _known(papers: Papers, name: str) -> list[Paper]:
    if exact := get(papers, name):
        return [exact]
    key = normalised_title(name)
    return [paper for _, paper in papers.many("title_key = ?", key)] if key else []


def _holding(papers: Papers, name: str, among: int = -1) -> list[Paper]:
    """Papers whose title contains these words in a row, the shortest titles first.

    Where `among` is given, no more candidates than that are looked at.
    """
    key = normalised_title(name)
    if len(key) < 3:
        return []
    # The full-text index finds stems, in no time; the words themselves are compared here.
    found = papers.many(
        "row IN (SELECT rowid FROM words WHERE words MATCH ? LIMIT ?)"
        " ORDER BY length(title_key), sequence LIMIT 200",
        f'title : "{key}"',
        among,
    )
    return [paper for _, paper in found if f" {key} " in f" {normalised_title(paper.title)} "]
