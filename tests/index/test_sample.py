"""The bundled library: whole, ours, and quick to open."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from index.embed import load_embeddings
from index.library import Library
from index.merge import embedded_text
from index.sample import library as sample


def test_every_note_is_a_paper_with_its_link_and_of_the_length_we_promise() -> None:
    papers = sample.notes()
    assert len(papers) >= 68
    assert len({paper.id for paper in papers}) == len(papers)
    assert all(paper.link.startswith("https://") and paper.published for paper in papers)
    assert [p.id for p in papers if not 90 <= len(p.abstract.split()) <= 160] == []
    assert sum(paper.venue.startswith("ICLR 2026") for paper in papers) == 18


def test_the_vectors_that_ship_are_those_of_the_notes() -> None:
    papers = sample.notes()
    model = load_embeddings()
    sample.remember(model, papers)
    shipped = model.encode_documents([embedded_text(paper) for paper in papers])
    fresh = load_embeddings().encode_documents([embedded_text(paper) for paper in papers])
    # int8 kernels differ between processors by a little.
    assert (np.sum(shipped * fresh, axis=1) > 0.98).all()


def test_a_text_that_is_no_note_is_embedded_as_ever() -> None:
    papers = sample.notes()
    model = load_embeddings()
    sample.remember(model, papers)
    before, other = model.encode_documents([embedded_text(papers[0]), "bond yields rose today"])
    assert before @ other < 0.5


def test_notes_do_not_repeat_the_authors_abstracts(shared: Path) -> None:
    seeds = (shared / "data/seeds/iclr2026-abstracts.txt").read_text(encoding="utf-8")
    theirs = _runs(seeds)
    for paper in sample.notes():
        assert not _runs(paper.abstract) & theirs, paper.title


def test_an_unwritable_cache_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/none")
    with Library.open_or_bundled(tmp_path / "own") as library:
        assert library.bundled
        assert len(library) >= 68


def _runs(text: str, length: int = 7) -> set[tuple[str, ...]]:
    words = "".join(c.casefold() if c.isalnum() else " " for c in text).split()
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}
