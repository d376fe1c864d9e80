"""Derived: what is made from the table of papers, kept at its generation, never trusted over it."""

from __future__ import annotations

import logging
from pathlib import Path

from index.papers import Papers
from index.vectors import Vectors

FEW = 10_000
"""Up to so many changed papers are put into the index; beyond, it is made again."""

log = logging.getLogger(__name__)


class Derived:
    """The vectors of a library in memory and in `vectors.faiss`."""

    def __init__(self, directory: Path, papers: Papers, dimension: int) -> None:
        self.directory = directory
        self.vectors = Vectors(dimension)
        self._papers = papers

    def refresh(self) -> None:
        """Bring the vectors to the generation of the table."""
        generation = self._papers.generation
        if self.vectors.generation == generation:
            return
        if self.vectors.generation >= 0:
            changed = self._papers.changed_since(self.vectors.generation)
            if len(changed) <= FEW:
                self.vectors.put(*self._papers.vectors(changed), generation)
                if len(self.vectors) == len(self._papers):
                    return
        path = self.directory / "vectors.faiss"
        loaded = Vectors.load(path, self.vectors.dimension, generation, len(self._papers))
        if loaded is not None:
            self.vectors.take(loaded)
            return
        rows, vectors = self._papers.vectors()
        self.vectors.build(rows, vectors, generation)

    def save(self) -> None:
        """Write `vectors.faiss`; what cannot be written is made again at the next start."""
        try:
            self.vectors.save(self.directory / "vectors.faiss")
        except OSError as error:
            log.warning("vectors.faiss could not be saved: %s", error)
