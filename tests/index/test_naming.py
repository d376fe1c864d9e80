"""What names a paper, and what is only a topic."""

from __future__ import annotations

from pathlib import Path

import pytest

from index.library import Filters, Library
from index.paper import Paper

TITLES = (
    "DeepSeekMoE: Towards Ultimate Expert Specialization",
    "SSE-H: Sparse State Expansion with Heads",
    "Reinforcement Learning with Sparse Rewards",
    "Safe Reinforcement Learning for Tall Robots",
    "Reinforcement Learning Considered",
    "Chemistry by Reinforcement Learning: Two Cases",
    "Offline Reinforcement Learning at Sea",
    "Eels",
)


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Library:
    library = Library.open(tmp_path_factory.mktemp("named"), create=True)
    library.add(
        Paper(id=f"text:{n:012x}", title=title, abstract=f"Abstract {n}.", authors=("Ada Obi",))
        for n, title in enumerate(TITLES)
    )
    return library


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("DeepSeekMoE", 0),
        ("deepseekmoe", 0),
        ("SSE-H", 1),
        ("towards ultimate expert specialization", 0),
        ("reinforcement learning considered", 4),
        ("eels", 7),
    ],
)
def test_a_name_finds_its_paper_first_and_says_so(named: Library, query: str, place: int) -> None:
    hit = named.search(query, 3)[0]
    assert (hit.paper.title, hit.exact) == (TITLES[place], True)


@pytest.mark.parametrize("query", ["reinforcement learning", "robots", "sparse", "two cases"])
def test_words_of_a_title_are_a_topic_and_name_nothing(named: Library, query: str) -> None:
    assert not any(hit.exact for hit in named.search(query, 5))
    assert named.find(query)


@pytest.mark.parametrize("text", ["\udcff eels", "\ud800", "eels\0", "%", "_", "' OR 1=1 --"])
def test_bytes_that_are_no_text_cost_nothing(named: Library, text: str) -> None:
    named.find(text)
    named.search(text, 2)
    named.passages(text, ["eels"])
    named.search("eels", 2, Filters(source=text, author=text, venue=text))


def test_more_papers_than_sql_takes_values_can_be_scored(named: Library) -> None:
    ids = [f"arxiv:{n}" for n in range(300_000)]
    assert named.score("eels", [*ids, "text:000000000007"])[0].paper.title == "Eels"


def test_sql_wildcards_are_no_wildcards(named: Library, library_folder: Path) -> None:
    assert named.find("%") == []
    assert named.find("___") == []
