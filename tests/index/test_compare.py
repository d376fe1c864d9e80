"""Papers side by side, each read alone."""

from __future__ import annotations

from itertools import permutations

from index.card import Facet
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


MEASURED = [
    Paper(
        id=f"text:{name}",
        title=name,
        abstract=f"We propose {name}. {name} reaches an accuracy of {score}% on ImageNet. {more}",
    )
    for name, score, more in (
        ("OwlNet", "81.2", "It is trained on COCO in 4 hours."),
        ("JayNet", "79.5", "It lowers the error on CIFAR-10 by 3%."),
        ("WrenNet", "77.0", "It needs 12 GB of memory."),
    )
]


def test_figures_stand_side_by_side_where_quantity_and_benchmark_are_the_same() -> None:
    (row,) = compare(MEASURED[:2]).figures
    assert row.name == "accuracy on ImageNet (%)"
    assert [cell.text if cell else "" for cell in row.cells] == [
        "OwlNet reaches an accuracy of 81.2% on ImageNet.",
        "JayNet reaches an accuracy of 79.5% on ImageNet.",
    ]


def test_what_one_paper_alone_measures_stands_beside_nothing() -> None:
    names = [row.name for row in compare(MEASURED).figures]
    assert names == ["accuracy on ImageNet (%)"]


def test_what_several_name_is_told_with_where_each_does() -> None:
    shared = {common.name: common for common in compare(MEASURED).shared}
    assert shared["ImageNet"].count == 3
    assert "COCO" not in shared


def test_figures_and_what_is_shared_do_not_depend_on_the_order() -> None:
    expected = compare(MEASURED)
    for order in permutations(range(3)):
        table = compare([MEASURED[place] for place in order])
        for mine, theirs in ((table.figures, expected.figures), (table.shared, expected.shared)):
            assert [common.name for common in mine] == [common.name for common in theirs]
            for one, other in zip(mine, theirs, strict=True):
                assert one.cells == tuple(other.cells[place] for place in order)
