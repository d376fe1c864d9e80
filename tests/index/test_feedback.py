"""What the best papers say about a query ranks them again; what all papers share does not."""

from __future__ import annotations

import numpy as np
import pytest

from index import feedback
from index.isotropy import Isotropy
from index.library import Library
from index.paper import Paper


def test_words_next_to_each_other_count_more_than_apart() -> None:
    wanted = feedback.pairs_of(["ocean", "current"])
    together = feedback.words_of("", "ocean currents move heat", wanted)
    apart = feedback.words_of("", "currents move heat through an ocean", wanted)
    tells = {"ocean": 2.0, "current": 1.0}
    one, other = feedback.rank_by_words([together, apart], dict.fromkeys(tells, 1.0), tells, 4.0)
    assert one > other


def test_a_word_of_the_title_counts_more_than_one_of_the_abstract() -> None:
    title = feedback.words_of("Eels", "They swim", frozenset())
    body = feedback.words_of("They", "Eels swim", frozenset())
    one, other = feedback.rank_by_words([title, body], {"eel": 1.0}, {"eel": 1.0}, 2.0)
    assert one > other


def test_bm25_of_a_known_paper() -> None:
    paper = feedback.words_of("", "eels and eels and rivers", frozenset())
    # Length as usual, so 2 (k1 + 1) / (2 + k1), times weight and inverse document frequency.
    score = feedback.rank_by_words([paper], {"eel": 3.0}, {"eel": 0.5}, 3.0)[0]
    assert score == pytest.approx(3 * 0.5 * 2 * 2.2 / 3.2, rel=1e-5)


def test_the_query_keeps_most_of_the_weight_and_trusted_papers_lend_their_words() -> None:
    papers = [feedback.words_of("", text, frozenset()) for text in ("eels spawn", "bread rises")]
    more = feedback.more_terms({"eel": 1.0}, papers, np.array([0.9, 0.1], dtype=np.float32))
    lent = sum(more.values()) - 1.0
    assert lent == pytest.approx((1 - feedback.KEPT) / feedback.KEPT, rel=1e-5)
    assert more["eel"] > 1.0
    assert more["spawn"] > more["bread"] > 0


def test_trust_falls_with_the_score_and_sums_to_one() -> None:
    trust = feedback.trust(np.array([0.9, 0.8, 0.2], dtype=np.float32))
    assert trust.sum() == pytest.approx(1)
    assert trust[0] / trust[1] == pytest.approx(np.e, rel=1e-3)
    assert trust[2] < 0.01


def test_a_pulled_query_lies_nearer_to_the_trusted_papers() -> None:
    query = np.array([1.0, 0.0], dtype=np.float32)
    paper = np.array([[0.0, 1.0]], dtype=np.float32)
    drawn = feedback.pulled(query, paper, np.array([1.0], dtype=np.float32))
    assert np.linalg.norm(drawn) == pytest.approx(1)
    assert drawn @ paper[0] > query @ paper[0]


def test_what_all_papers_share_counts_less_in_a_turned_query() -> None:
    made = np.random.default_rng(7)
    common = np.zeros(48, dtype=np.float32)
    common[0] = 1
    papers = common + 0.1 * made.standard_normal((4000, 48)).astype(np.float32)
    papers /= np.linalg.norm(papers, axis=1, keepdims=True)
    isotropy = Isotropy.of(papers[::2], len(papers))
    turned = isotropy.turned(papers[3])
    assert np.linalg.norm(turned) == pytest.approx(1, abs=1e-5)
    assert turned @ common < papers[3] @ common
    scores = papers @ turned
    assert scores.argmax() == 3
    # The best stands out from the rest more than before.
    plain = papers @ papers[3]
    assert (scores[3] - scores.mean()) / scores.std() > 0
    assert np.median(scores) / scores[3] < np.median(plain) / plain[3]


@pytest.mark.parametrize("count", [1, 2, 5])
def test_few_papers_hardly_turn_a_query(count: int) -> None:
    papers = np.eye(16, dtype=np.float32)[:count]
    query = np.full(16, 0.25, dtype=np.float32)
    assert Isotropy.of(papers, count).turned(query) @ query > 0.99
    assert np.array_equal(Isotropy.none(16).turned(query), query)


def test_a_paper_that_shares_no_word_of_the_query_is_found_by_the_words_of_the_best(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    papers = [
        Paper(id="a:1", title="Glacier calving", abstract="Calving of tidewater glaciers by melt."),
        Paper(
            id="a:2", title="Icebergs", abstract="Tidewater ice breaks off by melt undercutting."
        ),
        Paper(id="a:3", title="Taxes", abstract="Taxes on land in the ninth century."),
        Paper(id="a:4", title="Yeast", abstract="Yeast raises bread."),
    ]
    with Library.open(tmp_path_factory.mktemp("ice"), create=True) as library:
        library.add(papers)
        found = [hit.paper.id for hit in library.search("glacier calving", 4)]
        assert found[:2] == ["a:1", "a:2"]
        # Whatever is asked for, each paper comes once.
        assert sorted(found) == ["a:1", "a:2", "a:3", "a:4"]


def test_an_empty_library_finds_nothing(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Library.open(tmp_path_factory.mktemp("none"), create=True) as library:
        assert library.search("anything", 3) == []
