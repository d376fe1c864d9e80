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


def summary_lines(library: Library, paper: Paper) -> list[tuple[Facet, Line]]:
    """(facet, sentence) in the order of a card: problem, method, results with their figures."""
    card = library.card(paper.id)
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


def _ranked(card: Card, facet: Facet) -> list[Line]:
    return sorted(card.facets.get(facet, ()), key=lambda line: -line.score)


def _others(paper: Paper) -> list[Line]:
    """All sentences, for abstracts too short to have roles."""
    return [
        Line(number, span.text, span.start, span.end, 0.0)
        for number, span in enumerate(split(paper.abstract), 1)
    ]
