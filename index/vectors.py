"""Vectors: a FAISS index derived from the table of papers, never trusted over it."""

from __future__ import annotations

import json
import logging
import math
import os
import threading
import zlib
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
        self._mapped = False
        self._index: Any = faiss.IndexIDMap2(faiss.IndexFlatIP(dimension))

    def __len__(self) -> int:
        return int(self._index.ntotal)

    def build(self, rows: Sequence[int], vectors: Matrix, generation: int) -> None:
        """Replace everything."""
        index = _index_for(len(rows), self.dimension)
        if len(rows):
            faiss.omp_set_num_threads(os.cpu_count() or 1)
            if not index.is_trained:
                index.train(vectors)
            index.add_with_ids(vectors, np.asarray(rows, dtype=np.int64))
        with self._lock:
            self._index, self._mapped = index, False
            self.generation = generation

    def take(self, other: Vectors) -> None:
        """Become another index."""
        with self._lock:
            self._index, self._mapped = other._index, other._mapped
            self.generation = other.generation

    def put(self, rows: Sequence[int], vectors: Matrix, generation: int) -> None:
        """Insert vectors, replacing those of the same rows."""
        ids = np.asarray(rows, dtype=np.int64)
        with self._lock:
            if len(ids):
                self._own()
                self._index.remove_ids(ids)
                self._index.add_with_ids(np.ascontiguousarray(vectors), ids)
            self.generation = generation

    def _own(self) -> None:
        """Copy the lists of a mapped index into memory, since the file can only be read."""
        if not self._mapped:
            return
        library: Any = faiss
        lists = library.ArrayInvertedLists(self._index.nlist, self._index.code_size)
        by_id = library.InvertedLists.SUBSET_TYPE_ID_RANGE
        self._index.invlists.copy_subset_to(lists, by_id, 0, 2**62)
        self._index.replace_invlists(lists, True)
        lists.this.disown()
        self._mapped = False

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
            # One query is too little to share out, and threads that wait for more would spin.
            faiss.omp_set_num_threads(1)
            scores, rows = self._index.search(query[None, :], k, params=parameters)
        return [
            (row, min(1.0, score))
            for row, score in zip(rows[0].tolist(), scores[0].tolist(), strict=True)
            if row >= 0 and math.isfinite(score)
        ]

    def save(self, path: Path) -> None:
        """Write beside, sync, rename; the stamp last, so that a torn pair is seen as one."""
        with self._lock:
            # A mapped index would write where its lists lie, and not what is in them.
            self._own()
            data = faiss.serialize_index(self._index).tobytes()
            stamp = _stamp(self.generation, len(self), data)
        _replace(path, data)
        _replace(path.with_suffix(".json"), json.dumps(stamp).encode())

    @classmethod
    def load(cls, path: Path, dimension: int, generation: int, count: int) -> Vectors | None:
        """The saved index, or None where it is missing, damaged or of another generation."""
        try:
            stamp = json.loads(path.with_suffix(".json").read_bytes())
            if (stamp.get("generation"), stamp.get("count")) != (generation, count):
                return None
            if stamp != _stamp(generation, count, np.memmap(path, dtype=np.uint8, mode="r")):
                log.warning("%s is damaged and is made again", path.name)
                return None
            mapped = count > FLAT_LIMIT
            index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP if mapped else 0)
        except (OSError, ValueError, AttributeError, RuntimeError) as error:
            log.info("%s is made again: %s", path.name, error)
            return None
        # A flat index that grew beyond its limit is made again as one for that size.
        if index.d != dimension or index.ntotal != count or mapped != _inverted(index):
            return None
        made = cls(dimension)
        made._index, made._mapped, made.generation = index, mapped, generation
        return made


def _stamp(generation: int, count: int, data: Any) -> dict[str, int]:
    """What a file must be for its vectors to be trusted: of this generation, whole, unchanged."""
    checksum = zlib.crc32(data)
    return {"generation": generation, "count": count, "bytes": len(data), "crc32": checksum}


def _inverted(index: Any) -> bool:
    return isinstance(index, faiss.IndexIVF)


def _index_for(count: int, dimension: int) -> Any:
    if count <= FLAT_LIMIT:
        return faiss.IndexIDMap2(faiss.IndexFlatIP(dimension))
    lists = int(4 * count**0.5)
    made: Any = faiss.index_factory(dimension, f"IVF{lists},SQ8", faiss.METRIC_INNER_PRODUCT)
    made.nprobe = max(16, lists // 16)
    return made


def _parameters(index: Any, selector: Any) -> Any:
    library: Any = faiss
    if _inverted(index):
        return library.SearchParametersIVF(sel=selector, nprobe=index.nlist)
    return library.SearchParameters(sel=selector)


def _replace(path: Path, data: bytes) -> None:
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    with fresh.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
