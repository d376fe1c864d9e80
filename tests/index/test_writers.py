"""Several processes and threads write to one library, and nothing is lost or doubled."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from index.errors import NoLibrary
from index.library import AddReport, Library
from index.paper import Paper
from index.papers import Papers

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
from pathlib import Path
import index.library as module
from index.library import Library
from index.paper import Paper
module.BATCH = 3
papers = [Paper(id=f"text:{n:012x}", title=f"Paper {n}", abstract=f"We study {n}.") for n in range(30)]
with Library.open(Path(sys.argv[1]), create=True) as library:
    print("ready", flush=True)
    sys.stdin.readline()
    report = library.add(papers)
    print(report.read, report.added, report.unchanged)
"""


def test_two_processes_that_add_the_same_papers_share_the_work(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(tmp_path)],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for _ in range(2)
    ]  # fmt: skip
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    counts = []
    for writer in writers:
        out, problems = writer.communicate(timeout=60)
        assert writer.returncode == 0, problems
        counts.append([int(word) for word in out.split()])
    assert all(read == added + unchanged == 30 for read, added, unchanged in counts)
    assert sum(added for _, added, _ in counts) == 30
    with Library.open(tmp_path) as library:
        assert len(library) == 30
        assert library.check() == []


def test_a_library_that_many_begin_in_one_moment_is_begun_once(tmp_path: Path) -> None:
    for round_ in range(20):
        path = tmp_path / str(round_) / "papers.sqlite"
        with ThreadPoolExecutor(4) as pool:
            begun = list(pool.map(lambda path: Papers.create(path, {"model": "a"}), [path] * 4))
        for papers in begun:
            papers.verify({"model": "a"})
            papers.close()


def test_threads_that_add_the_same_papers_at_once_all_succeed(
    tmp_path: Path, papers: list[Paper]
) -> None:
    reports: list[AddReport] = []
    with Library.open(tmp_path, create=True) as library:
        threads = [
            threading.Thread(target=lambda: reports.append(library.add(papers))) for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sum(report.added for report in reports) == 8
        assert len(reports) == 3
        assert library.check() == []


def test_writers_that_take_turns_each_find_what_the_other_stored(
    tmp_path: Path, papers: list[Paper]
) -> None:
    with Library.open(tmp_path, create=True) as one, Library.open(tmp_path) as other:
        one.add(papers[:2])
        other.add(papers[2:4])
        one.add(papers[4:5])
        assert one.check() == []
        assert one.search("counting birds at night", 1)[0].paper.id == papers[3].id
        assert other.search("labels for crop maps", 1)[0].paper.id == papers[4].id


def test_a_file_left_by_a_writer_that_died_at_once_is_no_library(
    tmp_path: Path, papers: list[Paper]
) -> None:
    (tmp_path / "papers.sqlite").touch()
    with pytest.raises(NoLibrary):
        Library.open(tmp_path)
    with Library.open(tmp_path, create=True) as library:
        assert library.add(papers).added == 8
