"""The paper a person means comes first."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index.filters import same_author
from index.lexical import content_words, fts_query
from index.library import Filters, Library
from index.search import fused


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("QLoRA-8", 3),
        ("QLoRA-7", 2),
        ("qlora 8 on phones", 3),
        ("counting birds from sound", 4),
        ("which fields to visit for labels", 5),
        ("implicit regularisation by SGD noise", 6),
        ("grasping without dropping things", 7),
        ("storm surge prediction", 1),
        ("https://arxiv.org/abs/2401.00006", 6),
        ("NightEar", 4),
    ],
)
def test_the_paper_that_is_meant_comes_first(library: Library, query: str, number: int) -> None:
    assert library.search(query, 3)[0].paper.id == f"arxiv:2401.0000{number}"


def test_a_named_paper_is_marked_as_exact(library: Library) -> None:
    assert library.search("fieldpick", 2)[0].exact
    assert not library.search("labels for crop maps from satellites", 2)[0].exact


def test_scores_run_downwards_within_bounds(library: Library) -> None:
    hits = library.search("language models on phones", 8)
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 + 1e-9 for score in scores)
    assert all(-1.001 <= hit.cosine <= 1.001 and 0 <= hit.coverage <= 1 for hit in hits)


def test_coverage_tells_a_topic_the_library_has_from_one_it_has_not(library: Library) -> None:
    near = library.search("low-rank adapters on phones", 1)[0]
    far = library.search("boiling point of ethanol", 1)[0]
    assert near.coverage > 0.9
    assert near.cosine > far.cosine + 0.2
    assert far.coverage < 0.4


def test_similar_papers_never_contain_the_paper_itself(library: Library) -> None:
    hits = library.similar("arxiv:2401.00002", 3)
    assert hits[0].paper.id == "arxiv:2401.00003"
    assert "arxiv:2401.00002" not in {hit.paper.id for hit in hits}
    rest = library.similar("arxiv:2401.00002", 3, exclude={"arxiv:2401.00003"})
    assert "arxiv:2401.00003" not in {hit.paper.id for hit in rest}
    assert len(rest) == 3


@pytest.mark.parametrize(
    ("filters", "numbers"),
    [
        (Filters(years=(2024, 2025)), {4, 5}),
        (Filters(years=(None, 2021)), {1, 6, 7}),
        (Filters(author="Yu Chen"), {1, 7}),
        (Filters(author="chen"), {1, 2, 7}),
        (Filters(author="Mueller"), {1}),
        (Filters(author="Ming Li"), {3}),
        (Filters(author="Maria Jose Levy"), {4}),
        (Filters(author="de Bruyn Kops"), {6}),
        (Filters(venue="NeurIPS"), {2, 4, 6, 8}),
        (Filters(category="cs.CL"), {2, 4, 6, 8}),
        (Filters(source="arxiv"), {1, 2, 3, 4, 5, 6, 7, 8}),
        (Filters(ids=frozenset({"arxiv:2401.00002"})), {2}),
        (Filters(author="Nobody"), set()),
    ],
)
def test_filters_are_exact_and_come_before_the_best_k(
    library: Library, filters: Filters, numbers: set[int]
) -> None:
    hits = library.search("labels", 8, filters)
    assert {hit.paper.id for hit in hits} == {f"arxiv:2401.0000{n}" for n in numbers}


def test_a_named_paper_that_a_filter_excludes_stays_out(library: Library) -> None:
    assert all(
        hit.paper.handle != "tidenet"
        for hit in library.search("TideNet", 8, Filters(years=(2024, None)))
    )


def test_topics_get_the_same_scores_whichever_papers_are_asked_for(library: Library) -> None:
    hits = library.score("crop maps", ["arxiv:2401.00005", "arxiv:2401.00001"])
    assert [hit.paper.id for hit in hits] == ["arxiv:2401.00005", "arxiv:2401.00001"]


@pytest.mark.parametrize(
    ("asked", "name", "same"),
    [
        ("Ming Li", "Xiaoming Li", False),
        ("Ming Li", "Li, Ming", True),
        ("Yu Chen", "Xiaoyu Chen", False),
        ("J. Müller", "Jürgen Muller", True),
        ("Tim Berners-Lee", "Berners-Lee, Tim", True),
        ("Berners-Lee, T.", "Tim Berners-Lee", True),
        ("Chen", "C. Li", False),
        ("Wei Chen", "W. Chen", True),
        ("Wei Chen", "C. Wei", False),
        ("…", "Ada Obi", False),
        ("Larue", "Larue, Ann", True),
    ],
)
def test_names_match_by_whole_parts(asked: str, name: str, same: bool) -> None:
    assert same_author(asked, name) is same


def test_a_paper_missing_in_one_list_gets_nothing_from_it() -> None:
    best = fused([(1, 9.0), (2, 1.0)], [(3, 0.9), (1, 0.4), (2, 0.1)], 3)
    assert [row for row, _ in best] == [1, 3, 2]
    assert best[0][1] == pytest.approx(0.45 + 0.55 * 0.3 / 0.8)
    assert fused([], [], 3) == []
    assert fused([(4, 2.0)], [], 3) == [(4, pytest.approx(0.45))]


def test_words_that_say_nothing_are_kept_where_there_are_no_others() -> None:
    assert content_words("to be or not to be") == ["to", "be", "or", "not"]


@given(st.text(max_size=80))
@settings(max_examples=300, deadline=None)
def test_no_text_is_a_syntax_error_of_the_full_text_index(text: str) -> None:
    import sqlite3

    query = fts_query(text)
    if query:
        connection = sqlite3.connect(":memory:")
        connection.execute("CREATE VIRTUAL TABLE words USING fts5 (title)")
        connection.execute("SELECT * FROM words WHERE words MATCH ?", (query,)).fetchall()
        connection.close()


def test_any_message_can_be_searched_for(library_folder: Path) -> None:
    with Library.open(library_folder) as library:
        for text in (
            '"',
            "a AND (b OR",
            "NEAR(",
            "*",
            "title:x",
            "—",
            "日本語",
            "🙂",
            "x" * 5000,
            "\0",
        ):
            library.search(text, 2)
