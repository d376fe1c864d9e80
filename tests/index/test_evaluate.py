"""Search quality is measured the way others measure it."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from index.embed import MiniLM
from index.evaluate import (
    BadCollection,
    average_precision,
    evaluate,
    ndcg,
    pool_ndcg,
    recall,
    reciprocal_rank,
)

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


def test_a_query_that_is_a_paper_asks_for_those_like_it_and_never_finds_itself(
    tmp_path: Path,
) -> None:
    documents = [
        {"id": "1", "title": "Eels", "text": "Eels swim from rivers to the sea to spawn."},
        {"id": "2", "title": "Salmon", "text": "Salmon swim from the sea to rivers to spawn."},
        {"id": "3", "title": "Rivets", "text": "Rivets hold bridges together."},
        {"id": "4", "title": "Bread", "text": "Bread rises by yeast."},
        {"id": "5", "title": "Welds", "text": "Welds hold the plates of ships together."},
        {"id": "6", "title": "Beer", "text": "Beer ferments by yeast."},
    ]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, documents)))
    (tmp_path / "queries.jsonl").write_text(
        '{"id": "q1", "paper_id": "1", "facet": "background", "text": "Eels"}\n'
        '{"id": "q2", "paper_id": "3", "facet": "method", "text": "Rivets"}\n'
    )
    (tmp_path / "qrels.tsv").write_text("q1\t2\t3\nq1\t3\t0\nq2\t5\t2\n")
    (tmp_path / "pools.json").write_text('{"q1": ["2", "3", "4", "5", "6"], "q2": ["2", "4", "5"]}')
    result = evaluate(tmp_path, "minilm")
    assert result["ndcg@10"] == 1
    assert result["pool_ndcg%20_background"] == 1
    # A fifth of three papers is none, and of none there is nothing to be gained.
    assert result["pool_ndcg%20_method"] == 0
    assert result["pool_ndcg%20"] == 0.5


def test_the_first_fifth_of_a_pool_by_hand() -> None:
    # Ten candidates, so two places that count in full: (1 + 3) / (3 + 2).
    assert pool_ndcg(["b", "a", "d"], GRADES, 10) == pytest.approx(4 / 5)
    assert pool_ndcg(["c", "d", "a", "b"], GRADES, 15) == pytest.approx(
        (0 + 2 + 3 / math.log2(3)) / (3 + 2 + 1 / math.log2(3))
    )


def test_vectors_that_were_kept_are_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = tmp_path / "small"
    collection.mkdir()
    (collection / "corpus.jsonl").write_text('{"id": "1", "title": "Eels", "text": "They swim."}\n')
    (collection / "queries.jsonl").write_text('{"id": "q", "text": "eels"}\n')
    (collection / "qrels.tsv").write_text("q\t1\t1\n")
    first = evaluate(collection, "minilm", cache=tmp_path / "cache")
    made: list[str] = []
    encode = MiniLM.encode
    monkeypatch.setattr(
        MiniLM,
        "encode",
        lambda self, texts, *rest: made.extend(texts) or encode(self, texts, *rest),
    )
    second = evaluate(collection, "minilm", cache=tmp_path / "cache")
    assert set(made) == {"eels"}
    assert {k: v for k, v in first.items() if not k.endswith("_ms")} == {
        k: v for k, v in second.items() if not k.endswith("_ms")
    }


def test_pools_that_are_none_cost_one_line(tmp_path: Path) -> None:
    (tmp_path / "queries.jsonl").write_text('{"id": "q", "text": "eels"}\n')
    (tmp_path / "qrels.tsv").write_text("q\t1\t1\n")
    (tmp_path / "corpus.jsonl").write_text('{"id": "1", "title": "Eels", "text": "They swim."}\n')
    (tmp_path / "pools.json").write_text("[1]")
    with pytest.raises(BadCollection, match=r"pools\.json"):
        evaluate(tmp_path, "minilm")


def test_two_records_of_one_paper_are_judged_as_one(tmp_path: Path) -> None:
    abstract = "Eels swim from rivers to the sea, spawn there in the deep, and never come back."
    documents = [
        {"id": "1", "title": "Where eels spawn in the sea", "text": abstract},
        {"id": "2", "title": "Where Eels Spawn in the Sea", "text": f"{abstract} Revised."},
        {"id": "3", "title": "Rivets", "text": "Rivets hold bridges together."},
    ]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, documents)))
    (tmp_path / "queries.jsonl").write_text('{"id": "q", "text": "where do eels spawn"}\n')
    for found in ("1", "2"):
        (tmp_path / "qrels.tsv").write_text(f"q\t{found}\t1\n")
        result = evaluate(tmp_path, "minilm")
        assert result["ndcg@10"] == 1, found
        assert result["queries"] == 1
