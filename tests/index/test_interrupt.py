"""Ctrl-C in the middle of adding: a line says what was kept, and it is kept."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

from index.library import BATCH, Library

ROOT = Path(__file__).parents[2]
COUNT = BATCH * 12


def test_what_was_committed_stays_and_adding_again_goes_on_from_there(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    with file.open("w") as out:
        for number in range(COUNT):
            text = f"We study the number {number} and what comes after it. " * 4
            out.write(json.dumps({"title": f"On the number {number}", "abstract": text}) + "\n")
    folder = tmp_path / "library"
    process = subprocess.Popen(
        [sys.executable, "-m", "index", "add", str(file)],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "LIBRARY_DIR": str(folder)},
    )  # fmt: skip
    while process.poll() is None and not _stored(folder):
        pass
    process.send_signal(signal.SIGINT)
    out_text, problems = process.communicate(timeout=60)
    assert process.returncode == 130, problems
    assert out_text == ""
    assert problems.count("\n") == 1
    with Library.open(folder) as library:
        kept = len(library)
        assert BATCH <= kept < COUNT
        assert f"holds {kept:,} papers" in problems
        assert library.check() == []


def _stored(folder: Path) -> int:
    try:
        connection = sqlite3.connect(f"file:{folder}/papers.sqlite?mode=ro", uri=True, timeout=5)
        count = int(connection.execute("SELECT count(*) FROM papers").fetchone()[0])
        connection.close()
    except sqlite3.OperationalError:
        return 0
    return count
