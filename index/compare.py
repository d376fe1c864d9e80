"""Papers side by side: each is read alone, then what they say is joined."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from index.card import Card, Facet, Line, make_card
from index.lexical import stems
from index.paper import Paper
from index.text.figures import Figure
from index.text.sentences import Span, split


@dataclass(frozen=True, slots=True)
class Row:
    """One facet; a cell a paper in the order of `Table.papers`, None where it is not stated."""

    facet: Facet
    cells: tuple[Line | None, ...]


@dataclass(frozen=True, slots=True)
class Common:
    """What several papers name, or measure alike: in each cell the sentence where one does."""

    name: str
    """A data set, a method, or `accuracy on MMLU` with its unit."""
    kind: str
    """`data`, `method` or `figure`."""
    cells: tuple[Line | None, ...]

    @property
    def count(self) -> int:
        """In how many papers it stands."""
        return sum(cell is not None for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Table:
    """A comparison; every facet has a row, also one that no paper states."""

    papers: tuple[str, ...]
    """Ids."""
    rows: tuple[Row, ...]
    figures: tuple[Common, ...] = ()
    """Figures of one quantity, unit and benchmark that two papers or more give."""
    shared: tuple[Common, ...] = ()
    """Data sets and methods that two papers or more name."""


def compare(papers: Sequence[Paper]) -> Table:
    """One best line a facet a paper; no cell depends on the other papers or on their order.

    Figures stand side by side only where their quantity, unit and benchmark are the same.
    """
    cards = [make_card(paper) for paper in papers]
    rows = tuple(Row(facet, tuple(card.best(facet) for card in cards)) for facet in Facet)
    read = [_Read(paper, card) for paper, card in zip(papers, cards, strict=True)]
    return Table(
        tuple(card.paper_id for card in cards),
        rows,
        figures=tuple(_joined("figure", [dict(each.measured()) for each in read])),
        shared=(
            *_joined("data", [dict(each.named(each.card.datasets)) for each in read]),
            *_joined("method", [dict(each.named(each.card.methods)) for each in read]),
        ),
    )


@dataclass(frozen=True, slots=True)
class _Read:
    paper: Paper
    card: Card

    def line(self, number: int, spans: Sequence[Span]) -> Line:
        span = spans[number - 1]
        return Line(number, span.text, span.start, span.end, 0.0)

    def named(self, names: Sequence[str]) -> Iterator[tuple[tuple[str, ...], tuple[str, Line]]]:
        """Each name folded, with its spelling and the first sentence that has it."""
        spans = split(self.paper.abstract)
        for name in names:
            word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
            for number, span in enumerate(spans, 1):
                if word.search(span.text):
                    yield (name.casefold(),), (name, self.line(number, spans))
                    break

    def measured(self) -> Iterator[tuple[tuple[str, ...], tuple[str, Line]]]:
        """Quantity, unit and benchmark of each figure that stands beside a benchmark's name."""
        spans = split(self.paper.abstract)
        # The last figure of a kind counts least: abstracts lead with what they want compared.
        for figure in reversed(self.card.figures):
            head = _head(figure)
            if not head:
                continue
            text = spans[figure.sentence - 1].text
            for name in self.card.datasets:
                if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
                    unit = f" ({figure.unit})" if figure.unit else ""
                    label = f"{figure.quantity.split()[-1]} on {name}{unit}"
                    key = (head, figure.unit, name.casefold())
                    yield key, (label, self.line(figure.sentence, spans))


def _head(figure: Figure) -> str:
    words = stems(figure.quantity)
    return words[-1] if words else ""


def _joined(
    kind: str, papers: Sequence[dict[tuple[str, ...], tuple[str, Line]]]
) -> Iterator[Common]:
    """What stands in two papers or more, by name, so that the papers' order changes nothing."""
    for key in sorted({key for paper in papers for key in paper}):
        cells = [paper.get(key) for paper in papers]
        found = [cell for cell in cells if cell]
        if len(found) > 1:
            name = min(label for label, _ in found)
            yield Common(name, kind, tuple(cell[1] if cell else None for cell in cells))
