"""Two records of one paper are shown as one, with the links of both."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from index.library import Library
from index.paper import Paper
from index.query import parse
from tests.index.asked import PAPERS, TODAY, ask, ids, paper

PREPRINT = paper(
    "2402.20001",
    "Eels Find the Sea by Smell",
    "Eels leave their rivers on dark nights. We follow three hundred eels by acoustic tags and find that they steer by smell "
    "where the water is brackish, and by the slope of the bed where it is not.",
    "Ada Obi",
    "Yu Chen",
    published="2024-02-01",
    links=("https://arxiv.org/abs/2402.20001",),
)
CONFERENCE = Paper(
    id="openreview:EelSea1",
    title="Eels Find the Sea by Smell",
    abstract=PREPRINT.abstract.replace("three hundred", "312").replace("dark", "moonless"),
    authors=("Ada Obi", "Y. Chen"),
    published="2025-01-20",
    venue="Rivers 2025",
    links=("https://openreview.net/forum?id=EelSea1",),
)
RENAMED = Paper(
    id="text:00000000e315",
    title="How Eels Smell Their Way to the Sea",
    abstract=PREPRINT.abstract + " Young eels do so too.",
    links=("https://example.org/eels",),
)
OTHER = paper(
    "2402.20002",
    "Eels Find the Sea by Sound",
    "Eels hear the surf from afar. We play the surf to eels in tanks, and they turn towards it.",
    "Ada Obi",
    published="2024-03-01",
)


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("twice"), create=True) as library:
        library.add([PREPRINT, CONFERENCE, RENAMED, OTHER, *PAPERS])
        yield library


def test_a_preprint_and_its_conference_version_are_one_paper_with_both_links(
    twice: Library,
) -> None:
    answer = ask(twice, "how eels find the sea", 3)
    first = next(hit.paper for hit in answer.hits if "Smell" in hit.paper.title)
    shown = {hit.paper.id for hit in answer.hits}
    assert len(shown & ids(PREPRINT, CONFERENCE, RENAMED)) == 1
    assert OTHER.id in shown
    assert len(answer.hits) == 3
    assert set(first.links) >= {*PREPRINT.links, *CONFERENCE.links, *RENAMED.links}
    kept = [*answer.also[first.id], first]
    known = {name for each in kept for name in (each.id, *each.aliases)}
    assert known >= ids(PREPRINT, CONFERENCE, RENAMED)


def test_papers_like_one_are_no_other_version_of_it(twice: Library) -> None:
    answer = twice.like(PREPRINT.id, 3)
    assert answer.hits[0].paper.id == OTHER.id
    assert len(answer.hits) == 3
    assert not ids(CONFERENCE, RENAMED) & {hit.paper.id for hit in answer.hits}


def test_papers_that_differ_by_a_number_are_two(library: Library) -> None:
    hits = library.ask(parse("language models on phones", today=TODAY), 2).hits
    assert {hit.paper.id for hit in hits} == {"arxiv:2401.00002", "arxiv:2401.00003"}
