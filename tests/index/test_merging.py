"""One record from many: what each source knows ends up in one paper, in whatever order it comes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from index.identity import text_id
from index.library import Library
from index.paper import Paper, Status
from index.text.titles import derive_title

ABSTRACT = (
    "Eels cross an ocean to spawn, and nobody has followed one all the way. We tag two hundred "
    "silver eels with floats that surface after ninety days. Eleven reach the edge of the "
    "Sargasso Sea. Their tracks follow a warm current rather than the shortest line."
)
OTHER = (
    "A recursion over cuts counts the spanning trees of sparse graphs. It is exact, needs memory "
    "linear in the number of edges, and finishes on graphs of a million vertices within a minute."
)
TITLE = "Following Silver Eels to the Sargasso Sea"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", create=True) as opened:
        yield opened


def record(paper_id: str, source: str, **more: Any) -> Paper:
    fields: dict[str, Any] = {
        "title": TITLE, "abstract": ABSTRACT, "authors": ("Ada Lund", "Bo Ek"), "published": "2025",
        **more,
    }  # fmt: skip
    return Paper(id=paper_id, source=source, **fields)


ARXIV = record(
    "arxiv:2501.00001", "arxiv", published="2025-01-07", version=1, categories=("q-bio.PE",)
)
PUBLISHED = record("doi:10.1234/eel", "openalex", venue="Journal of Eels", published="2025-06-01")
REVIEWED = record("openreview:EelForum01", "openreview", venue="EelConf 2025", authors=())
OWN = record("text:000000000000", "file:refs.bib", published="2025")
ORDERS = list(permutations((ARXIV, PUBLISHED, REVIEWED, OWN)))


@pytest.mark.parametrize("order", ORDERS, ids=lambda one: "-".join(p.source[:5] for p in one))
def test_four_records_are_one_paper_in_any_order(
    library: Library, order: tuple[Paper, ...]
) -> None:
    for one in order:
        library.add([one])
    (paper,) = library.papers()
    for one in (ARXIV, PUBLISHED, REVIEWED):
        assert library.require(one.id) == paper
    assert (paper.title, paper.abstract) == (TITLE, ABSTRACT)
    assert paper.authors == ("Ada Lund", "Bo Ek")
    assert paper.published == "2025-01-07"
    assert paper.categories == ("q-bio.PE",)
    assert library.check() == []


@pytest.mark.parametrize("order", ORDERS[::5], ids=lambda one: "-".join(p.source[:5] for p in one))
def test_reading_all_sources_again_and_again_changes_nothing(
    library: Library, order: tuple[Paper, ...]
) -> None:
    for one in order:
        library.add([one])
    before = list(library.papers())
    for one in (*order, *reversed(order)):
        assert library.add([one]).unchanged == 1, one.source
    assert list(library.papers()) == before


def test_in_one_batch_they_are_one_paper_as_well(library: Library) -> None:
    report = library.add([ARXIV, PUBLISHED, REVIEWED])
    assert (report.added, len(library)) == (1, 1)
    assert set(report.stored.values()) == {next(iter(library.papers())).id}


def test_two_services_that_word_a_title_differently_do_not_take_turns(library: Library) -> None:
    reviewed = replace(REVIEWED, title="Following Silver Eels to the Sargasso Sea by Float")
    library.add([ARXIV])
    library.add([reviewed])
    assert library.require(ARXIV.id).title == TITLE
    assert library.add([ARXIV]).unchanged == library.add([reviewed]).unchanged == 1


def test_a_revision_is_believed_and_its_older_version_is_not(library: Library) -> None:
    revised = replace(ARXIV, abstract=ABSTRACT.replace("Eleven", "Twelve"), version=2)
    library.add([ARXIV])
    assert library.add([revised]).updated == 1
    assert library.add([ARXIV]).updated == 0
    paper = library.require(ARXIV.id)
    assert ("Twelve" in paper.abstract, paper.version) == (True, 2)


def test_where_each_field_came_from_is_kept(library: Library) -> None:
    library.add([PUBLISHED])
    library.add([replace(ARXIV, abstract=ABSTRACT.replace("Eleven", "Twelve"))])
    origins = library.origins(ARXIV.id)
    assert origins["abstract"] == origins["categories"] == origins["published"] == "arxiv"
    assert origins["venue"] == "openalex"


def test_a_collector_fills_gaps_and_overrules_nobody(library: Library) -> None:
    library.add([replace(ARXIV, venue="")])
    library.add(
        [replace(PUBLISHED, title="FOLLOWING SILVER EELS TO THE SARGASSO SEA", abstract="")]
    )
    paper = library.require(ARXIV.id)
    assert (paper.title, paper.abstract, paper.venue) == (TITLE, ABSTRACT, "Journal of Eels")


def test_a_collector_s_categories_stay_until_the_paper_s_own_place_names_some(
    library: Library,
) -> None:
    library.add([replace(ARXIV, categories=()), replace(PUBLISHED, categories=("Fish",))])
    (paper,) = library.papers()
    assert paper.categories == ("Fish",)
    library.add([ARXIV, replace(PUBLISHED, categories=("Fish",))])
    (paper,) = library.papers()
    assert paper.categories == ("q-bio.PE",)


def test_a_person_s_title_is_kept_against_a_collector_s(library: Library) -> None:
    library.add([replace(PUBLISHED, title=TITLE.upper())])
    library.add([replace(OWN, id="doi:10.1234/eel")])
    library.add([replace(PUBLISHED, title=TITLE.upper())])
    assert library.require("doi:10.1234/eel").title == TITLE


def untitled() -> Paper:
    title = derive_title(ABSTRACT)
    return record(text_id(ABSTRACT), "file:seeds.txt", title=title, title_derived=True, authors=())


@pytest.mark.parametrize("first", ["untitled", "titled"])
def test_an_abstract_without_a_title_gains_title_and_id_from_the_same_text(
    library: Library, first: str
) -> None:
    pair = [untitled(), replace(ARXIV, abstract=ABSTRACT.replace(". ", ".  "))]
    for one in pair if first == "untitled" else reversed(pair):
        library.add([one])
    (paper,) = library.papers()
    assert (paper.id, paper.title, paper.title_derived) == (ARXIV.id, TITLE, False)
    # What was said of it under its former id is still found.
    assert library.require(untitled().id) == paper


def test_a_text_that_differs_in_a_few_signs_is_the_same_and_another_is_not(
    library: Library,
) -> None:
    library.add([untitled()])
    near = ABSTRACT.replace("two hundred", "200")
    library.add([replace(ARXIV, abstract=near), record("arxiv:2501.00002", "arxiv", title="On Trees", abstract=OTHER)])  # fmt: skip
    assert {paper.id for paper in library.papers()} == {ARXIV.id, "arxiv:2501.00002"}


def test_another_paper_under_the_same_id_is_refused_and_named(library: Library) -> None:
    library.add([ARXIV])
    before = list(library.papers())
    wrong = replace(ARXIV, title="Counting Spanning Trees", abstract=OTHER, authors=("Cy Dorn",))
    report = library.add([wrong])
    (skipped,) = report.skipped
    assert (report.added, report.updated) == (0, 0)
    for part in (ARXIV.id, TITLE, "Counting Spanning Trees", "nothing was changed"):
        assert part in skipped.reason
    assert list(library.papers()) == before


@pytest.mark.parametrize(
    "other",
    [
        {"authors": ("Cy Dorn",), "abstract": OTHER},
        {"published": "2012", "abstract": OTHER},
        {"authors": (), "abstract": OTHER},
    ],
    ids=["other authors", "years apart", "authors unknown and other words"],
)
def test_a_title_alone_makes_no_paper_the_same(library: Library, other: dict[str, Any]) -> None:
    library.add([ARXIV, replace(ARXIV, id="doi:10.1234/other", source="openalex", **other)])
    assert len(library) == 2


def test_a_record_that_names_two_stored_papers_joins_them(library: Library) -> None:
    preprint = replace(ARXIV, title="Silver Eels on Their Way", abstract="")
    library.add([preprint])
    library.add([replace(PUBLISHED, abstract="")])
    library.add([replace(PUBLISHED, aliases=(ARXIV.id,), abstract="")])
    (paper,) = library.papers()
    assert {ARXIV.id, PUBLISHED.id} <= {paper.id, *paper.aliases}
    assert library.check() == []


def test_hidden_authors_give_way_to_names_and_never_come_back(library: Library) -> None:
    library.add([REVIEWED])
    library.add([replace(REVIEWED, authors=("Ada Lund", "Bo Ek"))])
    library.add([REVIEWED])
    assert library.require(REVIEWED.id).authors == ("Ada Lund", "Bo Ek")


def test_a_list_of_authors_that_was_cut_gives_way_to_the_whole_one(library: Library) -> None:
    library.add([replace(ARXIV, authors=("Ada Lund",), authors_truncated=True)])
    library.add([PUBLISHED])
    paper = library.require(ARXIV.id)
    assert (paper.authors, paper.authors_truncated) == (("Ada Lund", "Bo Ek"), False)


@pytest.mark.parametrize("whole_first", [True, False])
def test_a_whole_abstract_is_kept_against_one_that_breaks_off(
    library: Library, whole_first: bool
) -> None:
    cut = replace(ARXIV, abstract=f"{ABSTRACT[:200]}…")
    for one in [PUBLISHED, cut] if whole_first else [cut, PUBLISHED]:
        library.add([one])
    assert library.require(ARXIV.id).abstract == ABSTRACT


def test_a_retraction_is_believed_of_any_source_and_taken_back_only_by_the_one_that_said_so(
    library: Library,
) -> None:
    library.add([ARXIV])
    for one in (
        replace(PUBLISHED, status=Status.RETRACTED),
        ARXIV,
        OWN,
        replace(ARXIV, status=Status.WITHDRAWN),
    ):
        library.add([one])
    assert library.require(ARXIV.id).status is Status.RETRACTED
    library.add([PUBLISHED])
    assert library.require(ARXIV.id).status is Status.ACTIVE


def test_the_first_abstracts_gain_titles_from_their_conference(
    shared: Path, tmp_path: Path
) -> None:
    from index.sources.files import read_file

    seeds = [
        p for p in read_file(shared / "data/seeds/iclr2026-abstracts.txt") if isinstance(p, Paper)
    ]
    texts = {seed.id for seed in seeds}
    corpus = [
        p for p in read_file(shared / "data/corpora/iclr2026.jsonl.gz") if isinstance(p, Paper)
    ]
    part = corpus[:40] + [p for p in corpus[40:] if text_id(p.abstract) in texts]
    for name, order in (("seeds first", (seeds, part)), ("corpus first", (part, seeds))):
        with Library.open(tmp_path / name, create=True) as library:
            for batch in order:
                library.add(batch)
            titled = [p for s in seeds if not (p := library.require(s.id)).title_derived]
            assert len(titled) >= 15
            assert all(p.id.startswith("openreview:") for p in titled)
            assert len(library) == len({p.id for p in part}) + len(seeds) - len(titled)
