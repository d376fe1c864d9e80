"""Search quality is measured the way others measure it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from index.evaluate import BadCollection, average_precision, evaluate, ndcg, recall, reciprocal_rank

GRADES = {"a": 3.0, "b": 1.0, "c": 0.0, "d": 2.0}


def test_the_best_order_scores_one_and_a_miss_scores_nothing() -> None:
    assert ndcg(["a", "d", "b"], GRADES, 10) == pytest.approx(1)
    assert ndcg(["x", "y"], GRADES, 10) == 0


def test_ndcg_of_a_known_order() -> None:
    # (1 + 3/log2(3)) / (3 + 2/log2(3) + 1/2), worked out by hand
    assert ndcg(["b", "a"], GRADES, 10) == pytest.approx(0.60749, abs=1e-4)


def test_the_other_measures() -> None:
    run = ["x", "a", "y", "b"]
    assert recall(run, GRADES, 2) == pytest.approx(1 / 3)
    assert average_precision(run, GRADES) == pytest.approx((1 / 2 + 2 / 4) / 3)
    assert reciprocal_rank(run, GRADES) == pytest.approx(1 / 2)


def test_a_collection_is_measured_through_the_library_itself(tmp_path: Path) -> None:
    documents = [
        {"id": "1", "title": "Eels", "text": "Eels migrate to the sea."},
        {"id": "2", "title": "Rivets", "text": "Rivets hold bridges together."},
        {"id": "3", "title": "", "text": "Bread rises by yeast."},
        {"id": "4", "title": "", "text": ""},
    ]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, documents)))
    (tmp_path / "queries.jsonl").write_text(
        '{"id": "q1", "text": "how do eels travel"}\n{"id": "q2", "text": "baking"}\n{"id": "q3", "text": "x"}\n'
    )
    (tmp_path / "qrels.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\t1\t1\nq2\t3\t1\nq3\t2\t0\n"
    )
    result = evaluate(tmp_path, "minilm")
    assert set(result) == {
        "name",
        "queries",
        "ndcg@10",
        "recall@100",
        "map",
        "mrr",
        "p50_ms",
        "p95_ms",
    }
    assert result["queries"] == 2
    assert result["ndcg@10"] == 1


def test_a_folder_that_is_no_collection_costs_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadCollection, match="it needs corpus"):
        evaluate(tmp_path, "minilm")
