"""Columns: what one field of all papers holds, in memory, so that a filter reads no table.

A field has few different values beside papers (days, venues, combinations of categories): each is
kept once, and a number of it for each paper.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from index.papers import Papers

Rows = NDArray[np.int64]
Flags = NDArray[np.bool_]

_columns: WeakKeyDictionary[Papers, dict[str, Column]] = WeakKeyDictionary()
_lock = threading.Lock()


class Column:
    """The values of one expression over the table, followed as the table changes."""

    def __init__(self, expression: str) -> None:
        self.expression = expression
        self.generation = -1
        self._codes: NDArray[np.int32] = np.zeros(0, np.int32)
        self._numbers: dict[Any, int] = {}
        self._count = 0

    def passing(self, papers: Papers, passes: Callable[[Any], bool]) -> Flags:
        """Whether each row, from 0 to the last, holds a value that passes; each is asked once."""
        self._follow(papers)
        kept = np.zeros(len(self._numbers) + 1, np.bool_)
        for value, number in self._numbers.items():
            kept[number] = passes(value)
        return kept[self._codes]

    def _follow(self, papers: Papers) -> None:
        generation = papers.generation
        if generation == self.generation:
            return
        since = self.generation
        self._read(papers, since)
        if self._count != len(papers):
            # Papers left: what is there is read again.
            self._codes = np.zeros(0, np.int32)
            self._read(papers, -1)
        self.generation = generation

    def _read(self, papers: Papers, since: int) -> None:
        found = papers.connection.execute(
            f"SELECT row, {self.expression} FROM papers WHERE generation > ?"
            if since >= 0
            else f"SELECT row, {self.expression} FROM papers WHERE ? < 0",
            (since,),
        ).fetchall()
        if found:
            rows = np.fromiter((row for row, _ in found), np.int64, len(found))
            numbers = self._numbers
            codes = [numbers.setdefault(value, len(numbers) + 1) for _, value in found]
            last = int(rows.max())
            if last >= len(self._codes):
                grown = np.zeros(last + 1, np.int32)
                grown[: len(self._codes)] = self._codes
                self._codes = grown
            else:
                self._codes = self._codes.copy()
            self._codes[rows] = codes
        self._count = int(np.count_nonzero(self._codes))


def passing(papers: Papers, expression: str, passes: Callable[[Any], bool]) -> Flags:
    """Whether each row of the table, from 0 to the last, holds a value that passes."""
    with _lock:
        columns = _columns.setdefault(papers, {})
        column = columns.setdefault(expression, Column(expression))
        return column.passing(papers, passes)
