"""What goes into a library comes out of it, whatever happens in between."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from index.errors import LibraryError, ModelMismatch, NewerSchema, NoLibrary, UnknownPaper
from index.library import Filters, Library
from index.paper import Paper, Status
from index.rebuild import rebuild
from index.sources.records import Skipped

ROOT = Path(__file__).parents[2]


def test_adding_twice_changes_nothing(tmp_path: Path, papers: list[Paper]) -> None:
    with Library.open(tmp_path, create=True) as library:
        first = library.add([*papers, Skipped("file:9", "no title")])
        again = library.add(papers)
        handles = [paper.handle for paper in library.papers()]
    assert (first.read, first.added, len(first.skipped)) == (9, 8, 1)
    assert (again.read, again.added, again.updated, again.unchanged) == (8, 0, 0, 8)
    assert len(set(handles)) == 8


def test_the_same_paper_twice_in_one_file_is_one_paper(tmp_path: Path, papers: list[Paper]) -> None:
    with Library.open(tmp_path, create=True) as library:
        report = library.add([papers[0], papers[0], papers[1]])
        assert len(library) == 2
    assert (report.read, report.added, report.unchanged) == (3, 2, 1)


def test_a_revised_abstract_is_found_by_its_new_words_and_no_longer_by_the_old(
    tmp_path: Path, papers: list[Paper]
) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add(papers)
        revised = replace(papers[4], abstract="Vineyards are mapped from drones.", version=2)
        assert library.add([revised]).updated == 1
        assert library.search("vineyards drones", 1)[0].paper.id == papers[4].id
        assert library.search("visited fields of maize", 1)[0].coverage < 1
        assert library.check() == []
        assert library.get(papers[4].id) is not None
        kept = library.require(papers[4].id)
    assert kept.version == 2
    assert kept.authors == papers[4].authors


def test_a_paper_goes_by_id_link_doi_handle_and_title(library: Library) -> None:
    for name in (
        "arxiv:2401.00001",
        "2401.00001v3",
        "https://arxiv.org/pdf/2401.00001v2.pdf",
        "10.48550/arXiv.2401.00001",
        "TideNet",
        "tidenet",
        "TideNet: Forecasting Harbour Water Levels with Gated Convolutions",
        "forecasting harbour water levels",
    ):
        found = library.find(name)
        assert [paper.id for paper in found] == ["arxiv:2401.00001"], name


def test_a_part_of_a_word_is_no_part_of_a_title(library: Library) -> None:
    assert library.find("ide") == []


def test_an_unknown_paper_costs_one_line(library: Library) -> None:
    with pytest.raises(UnknownPaper, match="no paper in the library goes by 'GhostNet'"):
        library.require("GhostNet")


def test_passages_are_verbatim_and_the_one_that_answers_comes_first(library: Library) -> None:
    found = library.passages("how many gauges does TideNet use?", ["arxiv:2401.00001"])
    abstract = library.require("tidenet").abstract
    assert "31 gauges" in found[0].text
    assert all(abstract[p.start : p.end] == p.text for p in found)
    assert all(0 <= p.score <= 1 for p in found)


def test_a_title_without_an_abstract_is_found_too(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add([Paper(id="doi:10.1/x", title="On the Migration of Eels", abstract="")])
        hit = library.search("eel migration", 1)[0]
        assert hit.paper.title == "On the Migration of Eels"
        assert library.passages("where do eels go", ["doi:10.1/x"]) == []


def test_since_tells_what_is_new(tmp_path: Path, papers: list[Paper]) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add(papers[:3])
        seen = library.sequence
        library.add(papers)
        assert [paper.id for _, paper in library.since(seen)] == [p.id for p in papers[3:]]


def test_no_library_says_how_to_begin_one(tmp_path: Path) -> None:
    with pytest.raises(NoLibrary, match="index add FILE"):
        Library.open(tmp_path / "none")


def test_before_the_first_add_the_bundled_notes_are_read_and_afterwards_not(
    tmp_path: Path, papers: list[Paper], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "own"
    with Library.open_or_bundled(folder) as library:
        assert library.bundled
        assert len(library) >= 68
        assert library.search("attention is all you need", 1)[0].paper.id == "arxiv:1706.03762"
        assert library.check() == []
    with Library.open(folder, create=True) as own:
        own.add(papers)
    with Library.open_or_bundled(folder) as library:
        assert not library.bundled
        assert len(library) == 8


def test_a_library_that_begins_while_the_notes_are_open_is_read_from_then_on(
    tmp_path: Path, papers: list[Paper], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with Library.open_or_bundled(tmp_path / "own") as running:
        assert running.bundled
        with Library.open(tmp_path / "own", create=True) as own:
            assert running.bundled
            own.add(papers)
        assert running.search("harbour water levels", 1)[0].paper.handle == "tidenet"
        assert not running.bundled
        assert len(running) == 8


def test_another_embedding_model_is_refused_with_the_command_that_mends_it(
    tmp_path: Path, papers: list[Paper]
) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add(papers)
    _meta(tmp_path, "embeddings", '{"name": "other", "dimension": 384}')
    with pytest.raises(ModelMismatch, match="index rebuild"):
        Library.open(tmp_path)
    assert rebuild(tmp_path, "minilm") == 8
    with Library.open(tmp_path) as library:
        assert library.check() == []
        assert library.search("harbour water levels", 1)[0].paper.handle == "tidenet"


def test_a_library_of_a_newer_version_is_left_alone(tmp_path: Path, papers: list[Paper]) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add(papers)
    _meta(tmp_path, "schema", "99")
    with pytest.raises(NewerSchema, match="newer"):
        Library.open(tmp_path)


def test_what_is_no_library_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "papers.sqlite").write_bytes(b"my precious notes" * 100)
    with pytest.raises(LibraryError, match="damaged or no library"):
        Library.open(tmp_path)
    assert (tmp_path / "papers.sqlite").read_bytes().startswith(b"my precious notes")


@pytest.mark.parametrize("damage", ["truncated", "overwritten", "gone", "of another generation"])
def test_a_spoilt_vector_file_is_made_again_from_the_table(
    tmp_path: Path, papers: list[Paper], damage: str
) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add(papers[:5])
        before = (tmp_path / "vectors.faiss").read_bytes()
        library.add(papers)
    file = tmp_path / "vectors.faiss"
    match damage:
        case "truncated":
            file.write_bytes(file.read_bytes()[:100])
        case "overwritten":
            file.write_bytes(b"\0" * len(file.read_bytes()))
        case "gone":
            file.unlink()
        case _:
            file.write_bytes(before)
    with Library.open(tmp_path) as library:
        assert library.check() == []
        assert library.search("counting bird species", 1)[0].paper.id == papers[3].id


def test_readers_see_what_another_process_adds(tmp_path: Path, papers: list[Paper]) -> None:
    with Library.open(tmp_path, create=True) as reader, Library.open(tmp_path) as writer:
        writer.add(papers[:4])
        assert reader.search("bird song", 1)[0].paper.id == papers[3].id
        writer.add(papers)
        assert reader.search("robot grasping", 1)[0].paper.id == papers[6].id
        assert reader.check() == []


def test_many_threads_search_while_one_adds(tmp_path: Path, papers: list[Paper]) -> None:
    failures: list[BaseException] = []
    with Library.open(tmp_path, create=True) as library:
        library.add(papers[:4])
        done = threading.Event()

        def look() -> None:
            try:
                while not done.is_set():
                    hits = library.search("counting birds at night", 3)
                    assert hits[0].paper.id == papers[3].id
            except BaseException as error:  # noqa: BLE001 - a thread's failure is the test's
                failures.append(error)

        threads = [threading.Thread(target=look) for _ in range(4)]
        for thread in threads:
            thread.start()
        for number in range(6):
            library.add(
                [
                    replace(
                        p,
                        id=f"text:{number:012x}",
                        title=f"{p.title} {number}",
                        abstract=f"{p.abstract} This is take {number}.",
                    )
                    for p in papers[4:5]
                ]
            )
        done.set()
        for thread in threads:
            thread.join()
        assert library.check() == []
        assert len(library) == 10
    assert failures == []


def test_a_kill_in_the_middle_of_adding_loses_nothing_that_was_reported(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from index.library import Library; "
        "from index.paper import Paper; import index.library as m; m.BATCH = 4\n"
        "papers = (Paper(id=f'text:{n:012x}', title=f'Paper {n} on topic {n % 7}',"
        " abstract=f'We study the number {n} at length.') for n in range(400))\n"
        "with Library.open(Path(sys.argv[1]), create=True) as library:\n"
        "    library.add(papers, lambda done, _: print(done, flush=True))\n"
    )
    reported = 0
    for kill_after in (1, 3, 9, 2):
        process = subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert process.stdout is not None
        lines = [int(process.stdout.readline()) for _ in range(kill_after)]
        process.send_signal(signal.SIGKILL)
        lines += [int(line) for line in process.stdout.read().split("\n") if line]
        process.wait()
        reported = max(reported, *lines)
        with Library.open(tmp_path) as library:
            assert library.check() == []
            ids = [paper.id for paper in library.papers()]
            assert len(ids) == len(set(ids)) >= reported
    assert reported >= 36


def test_withdrawn_papers_can_be_left_out(library: Library) -> None:
    active = Filters(statuses=frozenset({Status.ACTIVE}))
    assert library.search("waste sorting camera", 1)[0].paper.status is Status.WITHDRAWN
    assert all(
        hit.paper.status is Status.ACTIVE for hit in library.search("waste sorting", 8, active)
    )


def _meta(folder: Path, key: str, value: str) -> None:
    connection = sqlite3.connect(folder / "papers.sqlite")
    connection.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))
    connection.commit()
    connection.close()
