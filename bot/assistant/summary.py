"""A summary in the paper's own words: three to five of its sentences."""

from __future__ import annotations

import re

from index.card import Card, Facet, Line
from index.library import Library
from index.paper import Paper
from index.text.sentences import split

LONGEST = 5
"""Sentences of a summary at most."""
_FIGURE = re.compile(r"(?<![A-Za-z])\d")


def summary_lines(library: Library, paper: Paper, style: str = "") -> list[tuple[Facet, Line]]:
    """(facet, sentence) in the order of a card: problem, method, results with their figures.

    `line` is one sentence; `newcomer` is the plainest sentence of each of the three.
    """
    card = library.card(paper.id)
    if style == "line":
        return _one(card) or [(Facet.METHOD, line) for line in _others(paper)[:1]]
    if style == "newcomer" and (plain := _plainest(card)):
        return plain
    chosen: dict[int, tuple[Facet, Line]] = {}

    def take(facet: Facet, lines: list[Line]) -> None:
        for line in lines:
            if len(chosen) < LONGEST and line.sentence not in chosen:
                chosen[line.sentence] = (facet, line)
                return

    results = _ranked(card, Facet.RESULTS)
    method = _ranked(card, Facet.METHOD)
    # What a paper found counts most, in figures where it gives any; then how, then why.
    take(Facet.RESULTS, sorted(results, key=lambda line: not _FIGURE.search(line.text)))
    take(Facet.METHOD, method)
    take(Facet.PROBLEM, _ranked(card, Facet.PROBLEM))
    take(Facet.METHOD, method)
    take(Facet.RESULTS, results)
    if len(chosen) < 3:
        take(Facet.DATA, _ranked(card, Facet.DATA))
        take(Facet.LIMITS, _ranked(card, Facet.LIMITS))
    for line in _others(paper):
        if len(chosen) >= 3:
            break
        take(Facet.METHOD, [line])
    order = list(Facet)
    return sorted(chosen.values(), key=lambda pair: (order.index(pair[0]), pair[1].sentence))


def _one(card: Card) -> list[tuple[Facet, Line]]:
    """The sentence that says most of what a paper is."""
    for facet in (Facet.METHOD, Facet.RESULTS, Facet.PROBLEM):
        if line := card.best(facet):
            return [(facet, line)]
    return []


_HARD = re.compile(r"[A-Z]{2,}|\d|[$\\{}^_]|\([^)]*\)|\w{13,}")


def _plainest(card: Card) -> list[tuple[Facet, Line]]:
    """For problem, method and results the sentence with the fewest signs, figures and long words."""
    out = []
    for facet in (Facet.PROBLEM, Facet.METHOD, Facet.RESULTS):
        lines = card.facets.get(facet, ())
        if lines:
            out.append((facet, min(lines, key=lambda x: (len(_HARD.findall(x.text)), -x.score))))
    return out


def _ranked(card: Card, facet: Facet) -> list[Line]:
    return sorted(card.facets.get(facet, ()), key=lambda line: -line.score)


def _others(paper: Paper) -> list[Line]:
    """All sentences, for abstracts too short to have roles."""
    return [
        Line(number, span.text, span.start, span.end, 0.0)
        for number, span in enumerate(split(paper.abstract), 1)
    ]
