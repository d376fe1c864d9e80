"""A disk without room costs one line; what was reported as added is kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from index.library import Library
from tests.bench.hashed import made_up

ROOT = Path(__file__).parents[2]
resource = pytest.importorskip("resource", reason="files can be kept small on POSIX only")


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    path = tmp_path / "many.jsonl"
    written = ((one.id, one.title, one.abstract) for one in map(made_up, range(200)))
    path.write_text(
        "".join(
            json.dumps({"id": key, "title": title, "abstract": abstract}) + "\n"
            for key, title, abstract in written
        )
    )
    return path


def add(papers: Path, folder: Path, room: int) -> subprocess.CompletedProcess[str]:
    """`index add` where no file may grow beyond so many bytes, as on a disk that is full."""
    return subprocess.run(
        [sys.executable, "-m", "index", "add", str(papers)],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ, "LIBRARY_DIR": str(folder)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )  # fmt: skip


@pytest.mark.parametrize("room", [0, 20_000, 250_000])
def test_it_is_told_in_one_line_and_nothing_is_lost(
    tmp_path: Path, papers: Path, room: int
) -> None:
    folder = tmp_path / "library"
    done = add(papers, folder, room)
    assert done.returncode == 2
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("python -m index:")]
    assert "make room on its disk" in line
    assert "Traceback" not in done.stderr
    with Library.open(folder, create=True) as library:
        assert library.check() == []
        kept = len(library)
    again = add(papers, folder, resource.RLIM_INFINITY)
    assert again.returncode == 0
    assert f"{200 - kept} added" in again.stdout
