"""Ranking by words is FTS5's, whatever was added, changed, deleted or done to the files."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from index import postings as module
from index.lexical import fts_query
from index.postings import Postings, query_terms
from index.segments import Text

WORDS = (
    "river delta flood sediment basin storm surge tide model models modelling network deep graph "
    "attention transformer language token prediction découverte naïve Müller QLoRA 8 7 sparse"
).split()


class Table:
    """Texts in SQLite, with FTS5 over them, as a library has them."""

    def __init__(self) -> None:
        self.texts: dict[int, Text] = {}

    def read(self, rows: Sequence[int]) -> list[Text]:
        return [self.texts[row] for row in rows if row in self.texts]

    def store(self, *texts: Text) -> tuple[Text, ...]:
        self.texts.update({text[0]: text for text in texts})
        return texts

    def ranked(self, query: str, k: int) -> list[tuple[int, float]]:
        file = sqlite3.connect(":memory:")
        file.execute(
            "CREATE VIRTUAL TABLE words USING fts5 (title, abstract, authors,"
            ' tokenize="porter unicode61 remove_diacritics 2")'
        )
        file.executemany(
            "INSERT INTO words (rowid, title, abstract, authors) VALUES (?, ?, ?, ?)",
            self.texts.values(),
        )
        found = file.execute(
            "SELECT rowid, -bm25(words, 2.0, 1.0, 0.5) AS score FROM words WHERE words MATCH ?"
            " ORDER BY score DESC, rowid LIMIT ?",
            (fts_query(query), k),
        ).fetchall()
        file.close()
        return found


def drawn(rows: Sequence[int], seed: int) -> list[Text]:
    """Papers of random words."""
    chance = random.Random(seed)

    def some(least: int, most: int) -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(least, most)))

    return [(row, some(2, 9), some(5, 60), f"Ada Obi\n{some(1, 2)}") for row in rows]


def nothing(_rows: Sequence[int]) -> list[Text]:
    """A table that is not asked."""
    return []


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    made.store(*drawn(range(1, 301), 1))
    return made


@pytest.fixture
def postings(table: Table) -> Postings:
    made = Postings(table.read)
    made.put(table.texts.values(), 1)
    return made


QUERIES = [
    "river",
    "flood prediction with deep networks",
    "Modelling naive muller decouverte",
    "QLoRA-8",
    "Storm-Surge of the graph",
    "attention attention tide",
    "Ada Obi",
]


def agree(postings: Postings, table: Table, query: str, k: int = 50) -> None:
    ours = dict(postings.search(query_terms(query), 1000))
    for row, score in table.ranked(query, k):
        assert ours[row] == pytest.approx(score, rel=1e-4, abs=1e-6), (query, row)
    assert len(ours) == len(table.ranked(query, 1000))


@pytest.mark.parametrize("query", QUERIES)
def test_scores_are_those_of_the_full_text_index(
    postings: Postings, table: Table, query: str
) -> None:
    agree(postings, table, query)


@pytest.mark.parametrize("query", QUERIES)
def test_scores_stay_so_after_papers_came_changed_and_went(
    postings: Postings, table: Table, query: str
) -> None:
    for turn, start in enumerate((290, 320, 321, 322, 400), 2):
        changed = table.store(*drawn(range(start, start + 20), turn))
        leaving = [start - 200, start - 199]
        for row in leaving:
            table.texts.pop(row, None)
        postings.put(changed, turn, leaving)
        assert len(postings) == len(table.texts)
    assert postings.rows().tolist() == sorted(table.texts)
    agree(postings, table, query)


def test_a_name_is_found_where_its_words_stand_next_to_each_other() -> None:
    table = Table()
    postings = Postings(table.read)
    postings.put(
        table.store(
            (1, "8 ways to run a QLoRA", "Of QLoRA and 8", ""),
            (2, "Small models", "We call it QLoRA 8 here.", ""),
            (3, "A study of QLoRA", "8 bits are enough", ""),
        ),
        1,
    )
    assert [row for row, _ in postings.search({"qlora 8": 1.0}, 5)] == [2]
    # Paper 3 has the words in a row as well, but one ends the title and the other begins the rest.
    assert postings.search(query_terms("QLoRA-8"), 5)[0][0] == 2


def test_only_the_rows_asked_for_are_ranked(postings: Postings) -> None:
    found = postings.search({"river": 1.0}, 10, np.array([5, 7, 9, 10_000]))
    assert {row for row, _ in found} <= {5, 7, 9}
    assert postings.search({"river": 1.0}, 10, np.array([], dtype=np.int64)) == []
    assert postings.search({}, 10) == []
    assert postings.search({"nowhere": 1.0, "": 1.0, " ": 1.0}, 10) == []


def test_weights_of_words_count(postings: Postings) -> None:
    once = dict(postings.search({"river": 1.0}, 500))
    twice = dict(postings.search({"river": 2.0}, 500))
    row = next(iter(once))
    assert twice[row] == pytest.approx(2 * once[row], rel=1e-5)


def test_frequencies_count_papers_that_are_there(postings: Postings, table: Table) -> None:
    having = [r for r, *texts in table.texts.values() if "river" in " ".join(texts).split()]
    assert postings.document_frequency(["river", "nowhere"]) == {"river": len(having)}
    postings.put([], 2, having[:3])
    assert postings.document_frequency(["river"]) == {"river": len(having) - 3}


def test_the_stems_of_a_paper_are_counted() -> None:
    table = Table()
    postings = Postings(table.read)
    table.store((4, "Of rivers", "A river and the floods", "Ada Obi"))
    assert postings.terms_of([4, 5]) == [{"river": 2, "flood": 1}, {}]


def test_what_is_saved_comes_back_and_grows_on(
    postings: Postings, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LATER", 0)
    postings.save(tmp_path)
    for generation, start in ((2, 290), (3, 500)):
        opened = Postings(table.read)
        assert opened.load(tmp_path, generation)
        assert opened.generation == generation - 1
        opened.put(table.store(*drawn(range(start, start + 15), start)), generation, [start - 100])
        table.texts.pop(start - 100, None)
        opened.save(tmp_path)
    last = Postings(table.read)
    assert last.load(tmp_path, 3)
    assert last.rows().tolist() == sorted(table.texts)
    for query in QUERIES:
        agree(last, table, query)


def test_files_no_list_names_are_cleared_away(postings: Postings, tmp_path: Path) -> None:
    postings.save(tmp_path)
    (tmp_path / "postings.0.1.0.npy").write_bytes(b"left by a process that was killed")
    postings.put(drawn(range(1, 301), 9), 2)
    postings.save(tmp_path)
    assert len(list(tmp_path.glob("postings.*.npy"))) <= 2
    assert Postings(nothing).load(tmp_path, 2)


@pytest.mark.parametrize("place", [0, 200, 4000, -1])
def test_one_flipped_byte_anywhere_is_noticed(
    postings: Postings, tmp_path: Path, place: int
) -> None:
    postings.save(tmp_path)
    (file,) = tmp_path.glob("postings.*.npy")
    data = bytearray(file.read_bytes())
    data[place] ^= 255
    file.write_bytes(data)
    assert not Postings(nothing).load(tmp_path, 1)


@pytest.mark.parametrize(
    "known",
    [b"", b"[]", b'"soon"', b"{}", b'{"format": 1, "weights": [4, 2, 1], "generation": 1}'],
)
def test_a_list_that_is_none_is_not_taken(postings: Postings, tmp_path: Path, known: bytes) -> None:
    postings.save(tmp_path)
    (tmp_path / "postings.json").write_bytes(known)
    assert not Postings(nothing).load(tmp_path, 1)


def test_files_newer_than_the_table_are_not_taken(postings: Postings, tmp_path: Path) -> None:
    postings.save(tmp_path)
    fresh = Postings(nothing)
    assert not fresh.load(tmp_path, 0)
    assert fresh.load(tmp_path, 1)


def test_a_text_longer_than_any_abstract_is_indexed_as_far_as_places_reach() -> None:
    table = Table()
    postings = Postings(table.read)
    long = "tide " * 70_000
    postings.put(table.store((1, "A book", long + "ending", ""), (2, "Tide tables", "", "")), 1)
    assert {row for row, _ in postings.search({"tide": 1.0}, 5)} == {1, 2}
    assert [row for row, _ in postings.search({"tide tide": 1.0}, 5)] == [1]
