"""Inverted lists: many vectors by the region of space they lie in, in 8 bits a dimension.

A query looks into the regions nearest to it. How many it must look into is measured when the
lists are made. Their file is mapped and never changed: papers that left are marked, and papers
that came since are kept elsewhere until the lists are written again.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

import faiss
import numpy as np
from numpy.typing import NDArray

from index.embed import Matrix

Rows = NDArray[np.int64]
Read = Callable[[Rows], tuple[Rows, Matrix]]
"""Rows and vectors of those of the papers asked for that are there."""

MOST_LISTS = 4096
SAMPLED = 40
"""Vectors a list that its region is found from."""
CHUNK = 20_000
"""Vectors in memory at once while the lists are made."""
QUERIES = 128
"""Vectors whose neighbours tell how many lists must be looked into."""
NEAREST = 100
"""So many neighbours of each."""
RECALL = 0.98
"""The share of them that is to be found."""
WORK = 150_000
"""Vectors a query is compared with at most, about 15 ms."""

log = logging.getLogger(__name__)


def lists_for(count: int) -> int:
    """How many lists so many vectors are kept in: 4 √n, and no more than can be told apart soon."""
    return max(1, min(MOST_LISTS, int(4 * count**0.5)))


class Inverted:
    """An `IVF,SQ8` index of FAISS with a mark for each paper that still holds."""

    def __init__(self, index: Any) -> None:
        self._index = index
        self._holds = np.zeros(0, np.bool_)
        rows = _ids(index)
        if len(rows):
            self._holds = np.zeros(int(rows.max()) + 1, np.bool_)
            self._holds[rows] = True
        self._count = int(self._holds.sum())

    def __len__(self) -> int:
        return self._count

    @property
    def left(self) -> int:
        """Vectors in the lists whose papers no longer hold."""
        return int(self._index.ntotal) - self._count

    @property
    def dimension(self) -> int:
        return int(self._index.d)

    @property
    def lists(self) -> int:
        return int(self._index.nlist)

    def rows(self) -> Rows:
        """Rows of the papers that hold, ascending."""
        return np.flatnonzero(self._holds)

    @classmethod
    def build(cls, rows: Rows, read: Read, dimension: int) -> Self:
        """Make lists of these papers, some of them in memory at a time."""
        chance = np.random.default_rng(0)
        lists = lists_for(len(rows))
        index: Any = faiss.index_factory(dimension, f"IVF{lists},SQ8", faiss.METRIC_INNER_PRODUCT)
        faiss.omp_set_num_threads(os.cpu_count() or 1)
        sampled = np.sort(chance.permutation(rows)[: SAMPLED * lists])
        _, sample = read(sampled)
        index.cp.niter = 6
        index.train(sample)
        queries = sample[chance.permutation(len(sample))[:QUERIES]]
        del sample
        scores = np.empty((len(queries), 0), np.float32)
        nearest = np.empty((len(queries), 0), np.int64)
        for begin in range(0, len(rows), CHUNK):
            found, vectors = read(rows[begin : begin + CHUNK])
            index.add_with_ids(vectors, found)
            # The true neighbours of some, on the way.
            scores = np.hstack([scores, queries @ vectors.T])
            nearest = np.hstack([nearest, np.broadcast_to(found, (len(queries), len(found)))])
            best = np.argpartition(-scores, min(NEAREST, scores.shape[1]) - 1, axis=1)[:, :NEAREST]
            scores = np.take_along_axis(scores, best, axis=1)
            nearest = np.take_along_axis(nearest, best, axis=1)
        index.nprobe = _probes(index, queries, nearest)
        return cls(index)

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """Map a file, or None where it holds another kind of index.

        Raises:
            RuntimeError: it is none.
        """
        index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP)
        return cls(index) if isinstance(index, faiss.IndexIVF) else None

    def search(
        self, query: Matrix, k: int, allowed: NDArray[np.bool_] | None
    ) -> tuple[Matrix, Rows]:
        """Scores and rows of the k nearest; -1 for a row where there are fewer."""
        library: Any = faiss
        index, marks, probes = self._index, None, int(self._index.nprobe)
        if allowed is not None:
            size = min(len(allowed), len(self._holds))
            marks = allowed[:size] & self._holds[:size]
            share = max(1, int(np.count_nonzero(marks))) / max(1, self._count)
            # The fewer are allowed, the farther apart they lie.
            probes = min(self.lists, int(probes / share) + 1)
        elif self.left:
            marks = self._holds
        parameters = library.SearchParametersIVF(nprobe=probes)
        if marks is not None:
            parameters = library.SearchParametersIVF(nprobe=probes, sel=_selector(marks))
        scores, rows = index.search(query[None, :], k, params=parameters)
        return scores[0], rows[0]

    def drop(self, rows: Rows) -> None:
        """Mark papers as gone."""
        there = rows[rows < len(self._holds)]
        self._count -= int(np.count_nonzero(self._holds[there]))
        self._holds[there] = False

    def merge(self, path: Path | None, rows: Rows, vectors: Matrix) -> None:
        """Take papers in, and those out that left; a mapped file is read into memory for it."""
        if path is not None:
            self._index = faiss.read_index(str(path))
        library: Any = faiss
        if self.left:
            self._index.remove_ids(library.IDSelectorNot(_selector(self._holds)))
        if len(rows):
            self._index.add_with_ids(vectors, rows)
        self.__init__(self._index)  # type: ignore[misc]

    def write(self, write: Callable[[bytes], object]) -> None:
        """Write the index as FAISS does."""
        library: Any = faiss
        faiss.write_index(self._index, library.PyCallbackIOWriter(write))


def _selector(marks: NDArray[np.bool_]) -> Any:
    library: Any = faiss
    return library.IDSelectorBitmap(np.packbits(marks, bitorder="little"))


def _ids(index: Any) -> Rows:
    """The rows in all lists."""
    library: Any = faiss
    lists = index.invlists
    parts: list[Rows] = [np.empty(0, np.int64)]
    for number in range(index.nlist):
        if size := lists.list_size(number):
            ids = lists.get_ids(number)
            parts.append(library.rev_swig_ptr(ids, size).copy())
            lists.release_ids(number, ids)
    return np.concatenate(parts)


def _probes(index: Any, queries: Matrix, nearest: Rows) -> int:
    """The fewest lists in which enough of the true neighbours are found.

    Twice as many are asked for: which of them are nearest the few bits do not tell, and the nearest
    are compared again by all of theirs.
    """
    probes = min(8, index.nlist)
    for probes in _steps(index):
        index.nprobe = probes
        _, found = index.search(queries, 2 * nearest.shape[1])
        shared = [len(np.intersect1d(a, b)) for a, b in zip(found, nearest, strict=True)]
        recall = sum(shared) / nearest.size
        if recall >= RECALL:
            break
    log.info("%d of %d lists give a recall of %.3f", probes, index.nlist, recall)
    return int(probes)


def _steps(index: Any) -> Iterator[int]:
    most = min(index.nlist, max(16, WORK * index.nlist // max(1, index.ntotal)))
    probes = 8
    while probes < most:
        yield probes
        probes = probes * 3 // 2
    yield most
