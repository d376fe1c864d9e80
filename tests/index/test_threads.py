"""Searches stay right while papers come and go: among threads, and between processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from index import postings, vectors
from tests.bench.threads import PATIENCE, latencies, searched


@pytest.fixture(autouse=True)
def _limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the benches make small is taken back afterwards."""
    monkeypatch.setattr(postings, "LATER", postings.LATER)
    for name in ("LATER", "MOST_LATER", "FLAT_LIMIT"):
        monkeypatch.setattr(vectors, name, getattr(vectors, name))


def test_sixteen_threads_find_the_right_papers_while_another_writes(tmp_path: Path) -> None:
    seen = searched(tmp_path, seconds=2)
    assert seen.problems == []
    assert seen.counts["hits"] > 0
    assert seen.counts["added"] > 0


def test_readers_in_other_processes_find_each_paper_that_was_reported(tmp_path: Path) -> None:
    waited = latencies(tmp_path, readers=2, papers=5)
    assert len(waited) == 10
    assert max(waited) < PATIENCE
