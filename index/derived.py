"""Derived: what is made from the table of papers, kept at its generation, never trusted over it."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from index import stamps
from index.embed import Matrix
from index.inverted import Rows
from index.papers import Papers
from index.postings import Postings
from index.segments import Text
from index.vectors import Vectors

FEW = 10_000
"""Up to so many changed papers are put into what is there; beyond, it is made again."""
CHUNK = 8_000
"""Papers read at once."""
WITNESSES = 32
"""Papers by which files are known to be of this table."""

log = logging.getLogger(__name__)


class Derived:
    """Vectors and postings of a library, in memory and in files beside the table."""

    def __init__(self, directory: Path, papers: Papers, dimension: int) -> None:
        self.directory = directory
        self.vectors = Vectors(dimension)
        self.postings = Postings(self._texts)
        self._papers = papers
        self._lock = threading.Lock()
        stamps.sweep([*directory.glob("*.new"), *self.postings.unlisted(directory)])

    def refresh(self) -> None:
        """Bring both to the generation of the table."""
        generation = self._papers.generation
        if self.vectors.generation == self.postings.generation == generation:
            return
        # One thread reads what is new; the others then have it. All is read of one moment.
        with self._lock, self.snapshot():
            generation = self._papers.generation
            made = False
            for kept, load, build in (
                (self.vectors, self._load_vectors, self._build_vectors),
                (self.postings, self._load_postings, self._build_postings),
            ):
                if self._follow(kept, generation):
                    continue
                if load(generation) and self._witnessed(kept) and self._follow(kept, generation):
                    continue
                build(generation)
                made = True
        if made and len(self.vectors):
            self.save()

    def save(self) -> None:
        """Write the files; what cannot be written is made again at the next start."""
        if self.vectors.outgrown:
            with self._lock, self.snapshot():
                self._build_vectors(self._papers.generation)
        self.vectors.witness = self.postings.witness = self._witnesses()
        try:
            self.vectors.save(self.directory / "vectors.faiss")
            self.postings.save(self.directory)
        except OSError as error:
            log.warning("vectors and postings could not be saved: %s", error)

    def problems(self) -> list[str]:
        """One line for each file that is not what was written, all of them read through."""
        found = []
        for name in ("vectors.json", "postings.json"):
            try:
                known = json.loads((self.directory / name).read_bytes())
            except (OSError, ValueError):
                # Nothing is kept there, and all is made at the next start.
                continue
            for stamp in known.get("segments", [known | {"name": "vectors.faiss"}]):
                path = self.directory / Path(stamp["name"]).name
                try:
                    whole = stamps.sound(path, stamp, thorough=True)
                except OSError:
                    whole = False
                if not whole:
                    found.append(f"{path.name} is damaged; delete it, and it is made again")
        if len(self.postings) != len(self._papers):
            found.append(
                f"{len(self.postings)} papers of {len(self._papers)} are found by their words;"
                " run `python -m index rebuild`"
            )
        return found

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All is read of one moment; what others write meanwhile is read the next time."""
        connection = self._papers.connection
        if connection.in_transaction:
            yield
            return
        connection.execute("BEGIN")
        try:
            yield
        finally:
            connection.execute("COMMIT")

    def _follow(self, kept: Vectors | Postings, generation: int) -> bool:
        """Put in what changed since; whether all papers are then there."""
        if not 0 <= kept.generation <= generation:
            return False
        changed = self._papers.changed_since(kept.generation)
        if len(changed) > FEW:
            return False
        self._put(kept, changed, generation, [])
        if len(kept) == len(self._papers):
            return True
        gone = np.setdiff1d(kept.rows(), self._papers.rows())
        self._put(kept, [], generation, gone.tolist())
        return len(kept) == len(self._papers)

    def _witnesses(self) -> dict[str, str]:
        """Some rows and their ids."""
        rows = self.vectors.rows()
        return {
            str(r): i for r, i, _ in self._ids(rows[:: max(1, len(rows) // WITNESSES)].tolist())
        }

    def _witnessed(self, kept: Vectors | Postings) -> bool:
        """Whether it was made of this table, and not of one that lay here before."""
        known = self._ids([int(row) for row in kept.witness])
        held = [(r, i) for r, i, generation in known if generation <= kept.generation]
        if all(kept.witness[str(r)] == i for r, i in held) and bool(held) == bool(kept.witness):
            return True
        log.info("what lies beside papers.sqlite was made of other papers, and is made again")
        return False

    def _ids(self, rows: Sequence[int]) -> list[tuple[int, str, int]]:
        """Row, id and generation of those of these papers that are there."""
        return self._papers.connection.execute(
            "SELECT row, id, generation FROM papers WHERE row IN (SELECT value FROM json_each(?))",
            (json.dumps(rows),),
        ).fetchall()

    def _put(
        self, kept: Vectors | Postings, rows: list[int], generation: int, gone: list[int]
    ) -> None:
        if isinstance(kept, Vectors):
            there, vectors = self._vectors(np.array(rows, dtype=np.int64))
            kept.put(there.tolist(), vectors, generation, gone)
        else:
            kept.put(self._texts(rows), generation, gone)

    def _load_vectors(self, generation: int) -> bool:
        path, dimension = self.directory / "vectors.faiss", self.vectors.dimension
        loaded = Vectors.load(path, dimension, generation)
        if loaded is not None:
            self.vectors.take(loaded)
        return loaded is not None

    def _load_postings(self, generation: int) -> bool:
        return self.postings.load(self.directory, generation)

    def _build_vectors(self, generation: int) -> None:
        rows = self._papers.rows()
        _told("vectors", len(rows))
        self.vectors.build(rows, self._vectors, generation)

    def _build_postings(self, generation: int) -> None:
        rows = self._papers.rows()
        _told("postings", len(rows))
        made = Postings(self._texts)
        for begin in range(0, max(1, len(rows)), CHUNK):
            made.put(self._texts(rows[begin : begin + CHUNK].tolist()), generation)
        self.postings.take(made)

    def _texts(self, rows: Sequence[int]) -> list[Text]:
        """Row, title, abstract and authors of those of these papers that are there."""
        return self._papers.connection.execute(
            "SELECT row, title, abstract, authors FROM papers"
            " WHERE row IN (SELECT value FROM json_each(?)) ORDER BY row",
            (json.dumps([int(row) for row in rows]),),
        ).fetchall()

    def _vectors(self, rows: Rows) -> tuple[Rows, Matrix]:
        """Rows and vectors of those of these papers that are there."""
        empty = np.empty((0, self.vectors.dimension), np.float32)
        parts = [(np.empty(0, np.int64), empty)]
        for begin in range(0, len(rows), CHUNK):
            found, vectors = self._papers.vectors(rows[begin : begin + CHUNK].tolist())
            if len(found):
                parts.append((found, vectors))
        return np.concatenate([p for p, _ in parts]), np.concatenate([p for _, p in parts])


def _told(what: str, count: int) -> None:
    if count > CHUNK:
        log.warning("the %s of %s papers are made, once", what, f"{count:,}")
