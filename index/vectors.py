"""Vectors: FAISS indexes derived from the table of papers, never trusted over it."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import faiss
import numpy as np

from index import stamps
from index.embed import Matrix
from index.inverted import Inverted, Read, Rows, lists_for

FLAT_LIMIT = 40_000
"""Up to so many vectors the flat index is exact and fast enough."""
FORMAT = 2
AGAIN = 64
"""The nearest by the few bits of an inverted file, which are compared again by all of theirs."""
LATER = 256
"""So many changes since the file was written are read from the table instead, at the next start."""
MOST_LATER = 10_000
"""The same beside a great index, at most."""

log = logging.getLogger(__name__)


class Vectors:
    """Inner product with unit vectors (cosine); a paper's row in the table is its id.

    Flat while small: the 16 bits a dimension that the table keeps, in memory. Beyond `FLAT_LIMIT`
    an inverted file, mapped, and what came since it was written in a flat index beside it.
    """

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self.generation = -1
        self._lock = threading.RLock()
        self._flat = _flat(dimension)
        self._lists: Inverted | None = None
        self._changed = 0
        self._path: Path | None = None
        self.witness: dict[str, str] = {}
        """Ids of some rows when it was saved: by them it is known whose vectors these are."""

    def __len__(self) -> int:
        return int(self._flat.ntotal) + (len(self._lists) if self._lists else 0)

    @property
    def outgrown(self) -> bool:
        """Whether an index for this size would be another one."""
        if self._lists is None:
            return len(self) > FLAT_LIMIT
        return lists_for(len(self)) > 2 * self._lists.lists

    def rows(self) -> Rows:
        """Rows of all papers, ascending."""
        with self._lock:
            parts = [faiss.vector_to_array(self._flat.id_map)]
            if self._lists:
                parts.append(self._lists.rows())
        return np.sort(np.concatenate(parts))

    def build(self, rows: Sequence[int], vectors: Matrix | Read, generation: int) -> None:
        """Replace everything; `vectors` are those of the rows, or where to read them."""
        wanted = np.asarray(rows, dtype=np.int64)

        def held(asked: Rows) -> tuple[Rows, Matrix]:
            return asked, np.asarray(vectors)[np.searchsorted(wanted, asked)]

        read = vectors if callable(vectors) else held
        flat, lists = _flat(self.dimension), None
        if len(wanted) > FLAT_LIMIT:
            lists = Inverted.build(wanted, read, self.dimension)
        elif len(wanted):
            there, matrix = read(wanted)
            flat.add_with_ids(np.ascontiguousarray(matrix), there)
        with self._lock:
            self._flat, self._lists, self._path = flat, lists, None
            self.generation = generation

    def take(self, other: Vectors) -> None:
        """Become another index."""
        with self._lock:
            self._flat, self._lists, self._path = other._flat, other._lists, other._path
            self.generation, self._changed = other.generation, other._changed
            self.witness = other.witness

    def put(
        self,
        rows: Sequence[int],
        vectors: Matrix,
        generation: int,
        deleted: Sequence[int] = (),
    ) -> None:
        """Insert vectors, replacing those of the same rows, and leave out the deleted ones."""
        ids = np.asarray(rows, dtype=np.int64)
        left = np.concatenate([ids, np.asarray(deleted, dtype=np.int64)])
        with self._lock:
            if len(left):
                if self._flat.ntotal:
                    self._flat.remove_ids(left)
                if self._lists:
                    self._lists.drop(left)
            if len(ids):
                self._flat.add_with_ids(np.ascontiguousarray(vectors), ids)
            self._changed += len(left)
            self.generation = generation

    def search(
        self,
        query: Matrix,
        k: int,
        among: Sequence[int] | None = None,
        read: Read | None = None,
    ) -> list[tuple[int, float]]:
        """(row, inner product) of the k nearest, best first; only those `among` where given.

        `read` gives the vectors as the table keeps them; a great index, which keeps them in fewer
        bits, has its nearest compared again by those.
        """
        allowed = None if among is None else np.asarray(among, dtype=np.int64)
        with self._lock:
            k = min(k, len(self) if allowed is None else len(allowed))
            if k <= 0:
                return []
            # One query is too little to share out, and threads that wait for more would spin.
            faiss.omp_set_num_threads(1)
            flags = None if allowed is None else _flags(allowed)
            more = max(k, AGAIN) if self._lists and read else k
            found = [self._nearest(query, more, flags)]
            if self._lists:
                found.append(self._lists.search(query, more, flags))
            coarse = bool(self._lists)
        scores = np.concatenate([part[0] for part in found])
        rows = np.concatenate([part[1] for part in found])
        sound = (rows >= 0) & np.isfinite(scores)
        scores, rows = scores[sound], rows[sound]
        best = np.lexsort((rows, -scores))[:more]
        # A vector that is kept in fewer bits is a little longer or shorter than it was.
        rows, scores = rows[best], np.minimum(scores[best], np.linalg.norm(query))
        if coarse and read:
            rows, scores = _again(query, rows, scores, read)
        return list(zip(rows[:k].tolist(), scores[:k].tolist(), strict=True))

    def _nearest(self, query: Matrix, k: int, flags: Any) -> tuple[Matrix, Rows]:
        """What the flat index finds."""
        library: Any = faiss
        if not (k := min(k, int(self._flat.ntotal))):
            return np.empty(0, np.float32), np.empty(0, np.int64)
        parameters = None
        if flags is not None:
            marks = np.packbits(flags, bitorder="little")
            parameters = library.SearchParameters(sel=library.IDSelectorBitmap(marks))
        scores, rows = self._flat.search(query[None, :], k, params=parameters)
        return scores[0], rows[0]

    def save(self, path: Path) -> None:
        """Write beside, sync, rename; the stamp last, so that a torn pair is seen as one.

        Nothing is written while little has changed since: the table says what.

        Raises:
            OSError: the folder cannot be written to; what lay there is untouched.
        """
        with self._lock:
            if self._path == path and self._changed <= self._later():
                return
            if self._lists and (self._flat.ntotal or self._lists.left):
                ids = faiss.vector_to_array(self._flat.id_map)
                vectors = self._flat.index.reconstruct_n(0, len(ids))
                self._lists.merge(self._path, ids, vectors)
                self._flat, self._path = _flat(self.dimension), None
            stamp: dict[str, Any] = stamps.write(path, self._write)
            stamp |= {"format": FORMAT, "generation": self.generation, "count": len(self)}
            stamp["witness"] = self.witness
            text = json.dumps(stamp).encode()
            stamps.write(path.with_suffix(".json"), lambda file: file.write(text))
            self._path, self._changed = path, 0
            if self._lists:
                # What was made in memory can be let go of.
                self._lists = Inverted.read(path)

    def _write(self, file: stamps.Hashing) -> None:
        if self._lists:
            self._lists.write(file.write)
            return
        library: Any = faiss
        faiss.write_index(self._flat, library.PyCallbackIOWriter(file.write))

    def _later(self) -> int:
        """How many changes need not be written yet."""
        return max(LATER, min(MOST_LATER, len(self) // 100)) if self._lists else LATER

    @classmethod
    def load(cls, path: Path, dimension: int, generation: int) -> Vectors | None:
        """The saved index, or None where it is missing, damaged, or newer than the table.

        It may be older than asked for: what changed since its generation is to be put into it.
        """
        try:
            stamp = json.loads(path.with_suffix(".json").read_bytes())
            if stamp["format"] != FORMAT or not 0 <= stamp["generation"] <= generation:
                return None
            if not stamps.sound(path, stamp):
                log.warning("%s is damaged and is made again", path.name)
                return None
            made = cls(dimension)
            if stamp["count"] > FLAT_LIMIT:
                made._lists = Inverted.read(path)
                ours = made._lists is not None and made._lists.dimension == dimension
            else:
                flat = faiss.read_index(str(path))
                ours = isinstance(flat, faiss.IndexIDMap2) and flat.d == dimension
                made._flat = flat
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
            log.info("%s is made again: %s", path.name, error)
            return None
        if not ours or len(made) != stamp["count"]:
            return None
        made._path, made.generation = path, stamp["generation"]
        made.witness = dict(stamp["witness"])
        return made


def _again(query: Matrix, rows: Rows, scores: Matrix, read: Read) -> tuple[Rows, Matrix]:
    """The first rows in the order of their true products; the others stay behind them."""
    there, matrix = read(rows[:AGAIN])
    if not len(there):
        return rows[:0], scores[:0]
    exact = np.minimum(matrix @ query, np.linalg.norm(query))
    order = np.lexsort((there, -exact))
    behind = np.minimum(scores[AGAIN:], exact.min())
    return (
        np.concatenate([there[order], rows[AGAIN:]]),
        np.concatenate([exact[order], behind]),
    )


def _flat(dimension: int) -> Any:
    library: Any = faiss
    kind = library.ScalarQuantizer.QT_fp16
    return faiss.IndexIDMap2(
        library.IndexScalarQuantizer(dimension, kind, faiss.METRIC_INNER_PRODUCT)
    )


def _flags(rows: Rows) -> Any:
    """Whether each row up to the last is one of these."""
    flags = np.zeros(int(rows.max()) + 1 if len(rows) else 0, np.bool_)
    flags[rows] = True
    return flags
