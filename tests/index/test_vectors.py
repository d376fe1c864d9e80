"""The vectors are those of the table, whatever became of their file, at any size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from index import vectors as module
from index.embed import Matrix
from index.vectors import Vectors

COUNT = 4000


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    drawn = np.random.default_rng(7).normal(size=(COUNT, 32)).astype(np.float32)
    made: Matrix = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return made


@pytest.fixture(params=["flat", "inverted"])
def built(
    request: pytest.FixtureRequest, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> Vectors:
    monkeypatch.setattr(module, "FLAT_LIMIT", 1000 if request.param == "inverted" else COUNT * 2)
    made = Vectors(32)
    made.build(range(100, 100 + COUNT), matrix, generation=5)
    return made


def test_a_vector_finds_itself_by_its_own_row(built: Vectors, matrix: Matrix) -> None:
    for place in (0, 17, COUNT - 1):
        row, cosine = built.search(matrix[place], 3)[0]
        assert row == 100 + place
        assert cosine == pytest.approx(1, abs=0.01)
        assert cosine <= 1


def test_only_the_rows_asked_for_are_found(built: Vectors, matrix: Matrix) -> None:
    found = built.search(matrix[0], 10, among=[110, 120, 130])
    assert {row for row, _ in found} == {110, 120, 130}
    assert built.search(matrix[0], 10, among=[]) == []
    assert built.search(matrix[0], 10, among=[99_999]) == []


def test_more_than_there_are_gives_those_there_are(matrix: Matrix) -> None:
    few = Vectors(32)
    assert few.search(matrix[0], 10) == []
    few.build([1, 2], matrix[:2], 1)
    assert len(few.search(matrix[0], 10)) == 2


def test_a_saved_index_comes_back_and_can_be_changed_and_saved_again(
    built: Vectors, matrix: Matrix, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LATER", 0)
    monkeypatch.setattr(module, "MOST_LATER", 0)
    file = tmp_path / "vectors.faiss"
    built.save(file)
    loaded = Vectors.load(file, 32, 5)
    assert loaded is not None
    loaded.save(file)
    again = Vectors.load(file, 32, 5)
    assert again is not None
    again.put([100, 90_000], -matrix[:2], 6)
    again.put([90_001], matrix[:1], 6)
    again.put([], matrix[:0], 6, deleted=[90_001, 120])
    again.save(file)
    last = Vectors.load(file, 32, 6)
    assert last is not None
    assert len(last) == COUNT
    assert 120 not in last.rows().tolist()
    assert last.search(-matrix[1], 1)[0][0] == 90_000
    assert last.search(-matrix[0], 1)[0][0] == 100
    assert last.search(matrix[0], 1)[0][1] < 0.9


def test_an_older_index_is_taken_and_brought_up_to_date_by_what_changed(
    built: Vectors, matrix: Matrix, tmp_path: Path
) -> None:
    file = tmp_path / "vectors.faiss"
    built.save(file)
    before = file.read_bytes()
    built.put([100], -matrix[:1], 6)
    built.save(file)
    assert file.read_bytes() == before
    loaded = Vectors.load(file, 32, 6)
    assert loaded is not None
    assert loaded.generation == 5
    loaded.put([100, 90_000], -matrix[:2], 6, deleted=[101, 102])
    assert len(loaded) == COUNT - 1
    assert loaded.search(-matrix[0], 1)[0][0] == 100
    assert loaded.search(-matrix[1], 1)[0][0] == 90_000
    found = [row for row, _ in loaded.search(matrix[1], 50)]
    assert not {101, 102} & set(found)
    assert [row for row, _ in loaded.search(matrix[1], 5, among=[101, 103, 90_000])] == [
        103,
        90_000,
    ]


@pytest.mark.parametrize("place", [0, 40, 5000, -1])
def test_one_flipped_byte_anywhere_is_noticed(built: Vectors, tmp_path: Path, place: int) -> None:
    file = tmp_path / "vectors.faiss"
    built.save(file)
    data = bytearray(file.read_bytes())
    data[place] ^= 255
    file.write_bytes(data)
    assert Vectors.load(file, 32, 5) is None


def test_an_index_of_another_time_or_model_is_not_taken(built: Vectors, tmp_path: Path) -> None:
    file = tmp_path / "vectors.faiss"
    built.save(file)
    assert Vectors.load(file, 32, 4) is None
    assert Vectors.load(file, 64, 5) is None
    for stamp in (b"", b"[]", b'"soon"', b"{}"):
        file.with_suffix(".json").write_bytes(stamp)
        assert Vectors.load(file, 32, 5) is None


def test_a_flat_index_that_outgrew_its_limit_is_made_again(
    matrix: Matrix, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "vectors.faiss"
    flat = Vectors(32)
    flat.build(range(COUNT), matrix, 1)
    flat.save(file)
    monkeypatch.setattr(module, "FLAT_LIMIT", 1000)
    assert Vectors.load(file, 32, 1) is None


def test_an_inverted_index_finds_nearly_what_a_flat_one_finds(
    matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Clustered, as texts are: uniform noise has no neighbours worth the name.
    generator = np.random.default_rng(3)
    points = matrix[generator.integers(0, 60, COUNT)] + 0.15 * generator.normal(size=(COUNT, 32))
    points = (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)
    flat, inverted = Vectors(32), Vectors(32)
    flat.build(range(COUNT), points, 1)
    monkeypatch.setattr(module, "FLAT_LIMIT", 1000)
    inverted.build(range(COUNT), points, 1)
    kept = 0
    for query in points[:50]:
        exact = {row for row, _ in flat.search(query, 10)}
        kept += len(exact & {row for row, _ in inverted.search(query, 10)})
    assert kept / 500 > 0.9


def test_the_nearest_of_a_great_index_are_told_apart_by_all_their_bits(
    matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Copies so alike that eight bits a dimension mistake them for each other.
    generator = np.random.default_rng(4)
    points = matrix[generator.integers(0, 20, COUNT)] + 0.002 * generator.normal(size=(COUNT, 32))
    points = (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)
    monkeypatch.setattr(module, "FLAT_LIMIT", 1000)
    inverted = Vectors(32)
    inverted.build(range(COUNT), points, 1)
    coarse = fine = 0
    for query in points[:50]:
        exact = set(np.argsort(-(points @ query))[:10].tolist())
        coarse += len(exact & {row for row, _ in inverted.search(query, 10)})
        found = inverted.search(query, 10, read=lambda rows: (rows, points[rows]))
        fine += len(exact & {row for row, _ in found})
        assert [score for _, score in found] == pytest.approx(
            [float(points[row] @ query) for row, _ in found], abs=1e-5
        )
    assert coarse < fine
    assert fine / 500 > 0.9


def test_papers_that_left_the_table_are_not_found(
    matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FLAT_LIMIT", 1000)
    inverted = Vectors(32)
    inverted.build(range(COUNT), matrix, 1)

    def read(rows: Any) -> tuple[Any, Matrix]:
        there = rows[rows != 5]
        return there, matrix[there]

    found = [row for row, _ in inverted.search(matrix[5], 10, read=read)]
    assert 5 not in found
    assert len(found) == 10
