"""Vectors: a FAISS index derived from the table of papers, never trusted over it."""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import faiss
import numpy as np

from index.embed import Matrix

FLAT_LIMIT = 100_000
"""Up to so many vectors the flat index is exact and fast enough."""

log = logging.getLogger(__name__)


class Vectors:
    """Inner product over unit vectors (cosine) with stable int64 row numbers as ids.

    Flat while small; beyond `FLAT_LIMIT` an inverted file with 8-bit scalar quantisation.
    """

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self.generation = -1
        self._lock = threading.RLock()
        self._index: Any = faiss.IndexIDMap2(faiss.IndexFlatIP(dimension))

    def __len__(self) -> int:
        return int(self._index.ntotal)

    def build(self, rows: Sequence[int], vectors: Matrix, generation: int) -> None:
        """Replace everything."""
        index = _index_for(len(rows), self.dimension)
        if len(rows):
            if not index.is_trained:
                index.train(vectors)
            index.add_with_ids(vectors, np.asarray(rows, dtype=np.int64))
        with self._lock:
            self._index = index
            self.generation = generation

    def take(self, other: Vectors) -> None:
        """Become another index."""
        with self._lock:
            self._index, self.generation = other._index, other.generation

    def put(self, rows: Sequence[int], vectors: Matrix, generation: int) -> None:
        """Insert vectors, replacing those of the same rows."""
        ids = np.asarray(rows, dtype=np.int64)
        with self._lock:
            if len(ids):
                self._index.remove_ids(ids)
                self._index.add_with_ids(np.ascontiguousarray(vectors), ids)
            self.generation = generation

    def search(
        self, query: Matrix, k: int, among: Sequence[int] | None = None
    ) -> list[tuple[int, float]]:
        """(row, cosine) of the k nearest, best first; only those `among` where it is given."""
        with self._lock:
            k = min(k, len(self) if among is None else len(among))
            if k <= 0:
                return []
            parameters = None
            if among is not None:
                selector = faiss.IDSelectorBatch(np.asarray(among, dtype=np.int64))
                parameters = _parameters(self._index, selector)
            scores, rows = self._index.search(query[None, :], k, params=parameters)
        return [
            (int(row), float(score))
            for row, score in zip(rows[0], scores[0], strict=True)
            if row >= 0 and np.isfinite(score)
        ]

    def save(self, path: Path) -> None:
        """Write beside, sync, rename; the stamp last, so that a torn pair is seen as one."""
        with self._lock:
            data = faiss.serialize_index(self._index).tobytes()
            stamp = {"generation": self.generation, "count": len(self), "bytes": len(data)}
        _replace(path, data)
        _replace(path.with_suffix(".json"), json.dumps(stamp).encode())

    @classmethod
    def load(cls, path: Path, dimension: int, generation: int, count: int) -> Vectors | None:
        """The saved index, or None where it is missing, damaged or of another generation."""
        try:
            stamp = json.loads(path.with_suffix(".json").read_bytes())
            wanted = {"generation": generation, "count": count, "bytes": path.stat().st_size}
            if stamp != wanted:
                return None
            index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP if count > FLAT_LIMIT else 0)
        except (OSError, ValueError, RuntimeError) as error:
            log.info("%s is made again: %s", path.name, error)
            return None
        if index.d != dimension or index.ntotal != count:
            return None
        made = cls(dimension)
        made._index, made.generation = index, generation
        return made


def _index_for(count: int, dimension: int) -> Any:
    if count <= FLAT_LIMIT:
        return faiss.IndexIDMap2(faiss.IndexFlatIP(dimension))
    lists = int(4 * count**0.5)
    made: Any = faiss.index_factory(dimension, f"IVF{lists},SQ8", faiss.METRIC_INNER_PRODUCT)
    made.nprobe = max(16, lists // 16)
    return made


def _parameters(index: Any, selector: Any) -> Any:
    library: Any = faiss
    if isinstance(index, faiss.IndexIVF):
        return library.SearchParametersIVF(sel=selector, nprobe=index.nlist)
    return library.SearchParameters(sel=selector)


def _replace(path: Path, data: bytes) -> None:
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    with fresh.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
