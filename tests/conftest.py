"""Fixtures every room uses: a small library of our own, and the collections where they are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from index.library import Library
from index.paper import Paper
from tests.papers import PAPERS


@pytest.fixture(scope="session")
def shared() -> Path:
    """Collections and recordings that are not ours to ship."""
    folder = Path(os.environ.get("FOOTNOTE_SHARED", Path(__file__).parents[2] / "shared"))
    if not (folder / "data").is_dir():
        pytest.skip("needs the shared collections: set FOOTNOTE_SHARED to their folder")
    return folder


@pytest.fixture
def papers() -> list[Paper]:
    """Eight short papers of our own on different topics."""
    return list(PAPERS)


@pytest.fixture(scope="session")
def library_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of the eight papers; tests read it and change nothing."""
    folder = tmp_path_factory.mktemp("library")
    with Library.open(folder, create=True) as made:
        made.add(PAPERS)
    return folder


@pytest.fixture
def library(library_folder: Path) -> Iterator[Library]:
    """The eight papers, open for reading."""
    with Library.open(library_folder) as opened:
        yield opened
