"""A writer that is killed at any moment loses nothing it reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from index import library as library_module
from index import postings, stamps, vectors
from tests.bench.crash import killed


def test_what_was_reported_outlives_kills_at_random_moments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Named here so that the small limits are taken back afterwards.
    monkeypatch.setattr(library_module, "BATCH", library_module.BATCH)
    monkeypatch.setattr(postings, "LATER", postings.LATER)
    monkeypatch.setattr(stamps, "ABANDONED", stamps.ABANDONED)
    for name in ("LATER", "MOST_LATER", "FLAT_LIMIT"):
        monkeypatch.setattr(vectors, name, getattr(vectors, name))
    told, problems, papers = killed(tmp_path, kills=6, seed=7)
    assert problems == []
    assert told.operations["add"] > 0
    assert told.operations["remove"] > 0
    assert papers == sum(1 for take in told.takes.values() if take)
