"""What is derived follows the table, and is never taken for that of another."""

from __future__ import annotations

import logging
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from index.derived import Derived
from index.library import Library
from index.paper import Paper
from index.papers import Papers
from index.postings import query_terms
from tests.papers import PAPERS

FILES = ("vectors.faiss", "vectors.json", "postings.json")


def opened(folder: Path) -> tuple[Papers, Derived]:
    """The table of a library, and what is derived of it."""
    papers = Papers(folder / "papers.sqlite")
    derived = Derived(folder, papers, 384)
    derived.refresh()
    return papers, derived


def first(papers: Papers, derived: Derived, query: str) -> str:
    """Id of the paper that has most of the query's words."""
    row, _ = derived.postings.search(query_terms(query), 1)[0]
    return papers.at([row])[row].id


@pytest.fixture
def folder(tmp_path: Path, library_folder: Path) -> Path:
    """A library to be changed."""
    made = tmp_path / "library"
    shutil.copytree(library_folder, made)
    return made


def test_a_library_without_postings_makes_them_once_and_keeps_them(folder: Path) -> None:
    for name in FILES:
        (folder / name).unlink()
    papers, derived = opened(folder)
    assert len(derived.postings) == len(derived.vectors) == len(PAPERS)
    assert {name for name in FILES if (folder / name).exists()} == set(FILES)
    papers.close()


def test_papers_stored_by_another_process_are_found_at_once(folder: Path) -> None:
    papers, derived = opened(folder)
    with Library.open(folder) as other:
        fresh = Paper(
            id="arxiv:2402.00001",
            title="Harpsichord tuning",
            abstract="Strings of brass are set by ear; we let a fork do it.",
        )
        other.add([fresh])
        other.add([replace(PAPERS[1], title="Clavichord tuning", version=9)])
    derived.refresh()
    assert len(derived.postings) == len(derived.vectors) == len(PAPERS) + 1
    assert first(papers, derived, "harpsichord") == "arxiv:2402.00001"
    assert first(papers, derived, "clavichord") == PAPERS[1].id
    papers.close()


def test_papers_that_left_the_table_are_found_no_more(folder: Path) -> None:
    papers, derived = opened(folder)
    with papers.transaction() as connection:
        connection.execute("DELETE FROM papers WHERE id = ?", (PAPERS[3].id,))
        connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
    derived.refresh()
    assert len(derived.postings) == len(derived.vectors) == len(PAPERS) - 1
    assert first(papers, derived, PAPERS[3].title) != PAPERS[3].id
    papers.close()


def test_files_of_the_library_that_lay_here_before_are_not_taken(
    folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    other = tmp_path / "other"
    with Library.open(other, create=True) as library:
        # As many papers, written later: neither count nor generation gives it away.
        for place, paper in enumerate(PAPERS):
            library.add([replace(paper, id=f"arxiv:2403.0000{place}", title=f"Number {place}")])
    for name in ("papers.sqlite", "papers.sqlite-wal", "papers.sqlite-shm"):
        (folder / name).unlink(missing_ok=True)
    shutil.copy(other / "papers.sqlite", folder / "papers.sqlite")
    with caplog.at_level(logging.INFO):
        papers, derived = opened(folder)
    assert "made of other papers" in caplog.text
    assert first(papers, derived, "number") in {f"arxiv:2403.0000{n}" for n in range(8)}
    papers.close()


def test_a_folder_that_cannot_be_written_to_costs_a_line_and_no_search(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in FILES:
        (folder / name).unlink()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("index.stamps.write", full)
    papers, derived = opened(folder)
    assert "could not be saved" in caplog.text
    assert first(papers, derived, PAPERS[2].title) == PAPERS[2].id
    papers.close()


@pytest.mark.parametrize("name", ["vectors.faiss", "postings.*.npy"])
def test_the_check_reads_files_that_were_changed_without_a_trace(folder: Path, name: str) -> None:
    (file,) = folder.glob(name)
    before = file.stat()
    with Library.open(folder) as library:
        assert library.check() == []
        data = bytearray(file.read_bytes())
        data[-1] ^= 255
        file.write_bytes(data)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert library.check() == [f"{file.name} is damaged; delete it, and it is made again"]
    file.unlink()
    with Library.open(folder) as library:
        assert library.check() == []


def test_a_great_file_is_taken_unread_while_nobody_wrote_to_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("index.stamps.LARGE", 100)
    file = folder / "vectors.faiss"
    data = bytearray(file.read_bytes())
    data[-1] ^= 255
    file.write_bytes(data)
    papers, derived = opened(folder)
    assert "vectors.faiss is damaged and is made again" in caplog.text
    assert len(derived.vectors) == len(PAPERS)
    papers.close()
