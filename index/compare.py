"""Papers side by side: each is read alone, then the lines are joined by facet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from index.card import Card, Facet, Line, make_card
from index.paper import Paper


@dataclass(frozen=True, slots=True)
class Row:
    """One facet; a cell a paper in the order of `Table.papers`, None where it is not stated."""

    facet: Facet
    cells: tuple[Line | None, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A comparison; every facet has a row, also one that no paper states."""

    papers: tuple[str, ...]
    """Ids."""
    rows: tuple[Row, ...]


def compare(papers: Sequence[Paper | Card]) -> Table:
    """One best line a facet a paper; no cell depends on the other papers or on their order."""
    cards = [paper if isinstance(paper, Card) else make_card(paper) for paper in papers]
    rows = tuple(Row(facet, tuple(card.best(facet) for card in cards)) for facet in Facet)
    return Table(tuple(card.paper_id for card in cards), rows)
