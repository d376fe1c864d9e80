"""Papers side by side, each read alone."""

from __future__ import annotations

from itertools import permutations

from index.card import Facet, make_card
from index.compare import compare
from index.paper import Paper

TEXTS = {
    "text:a": "Translation is hard. We propose AlphaTran, a model. AlphaTran reaches BLEU 31.2 on WMT14.",
    "text:b": "Caching is costly. We present Beta Store, a cache. It evicts old entries first.",
    "text:c": "We study tides. Our limits are future work.",
}
PAPERS = [
    Paper(id=key, title=key, title_derived=True, abstract=text) for key, text in TEXTS.items()
]


def test_every_facet_is_a_row_with_a_cell_for_each_paper() -> None:
    table = compare(PAPERS)
    assert table.papers == tuple(TEXTS)
    assert [row.facet for row in table.rows] == list(Facet)
    assert all(len(row.cells) == 3 for row in table.rows)


def test_a_figure_stays_with_its_paper_and_the_other_cell_is_empty() -> None:
    results = next(row for row in compare(PAPERS[:2]).rows if row.facet is Facet.RESULTS)
    first, second = results.cells
    assert first is not None
    assert "BLEU 31.2" in first.text
    assert second is None


def test_the_order_of_papers_changes_no_cell() -> None:
    expected = {paper.id: [row.cells[0] for row in compare([paper]).rows] for paper in PAPERS}
    for order in permutations(PAPERS):
        table = compare(order)
        for column, key in enumerate(table.papers):
            assert [row.cells[column] for row in table.rows] == expected[key]


def test_cards_compare_like_their_papers() -> None:
    assert compare([make_card(paper) for paper in PAPERS]) == compare(PAPERS)
