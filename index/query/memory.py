"""Memory: rows that one search asks for several times, kept until the library changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from weakref import WeakKeyDictionary

from index.papers import Papers

MOST = 16
"""Sets of rows kept for a library."""

_kept: WeakKeyDictionary[Papers, dict[tuple[int, str, str], frozenset[int]]] = WeakKeyDictionary()


def remembered(
    papers: Papers, kind: str, key: str, rows: Callable[[], Iterable[int]]
) -> frozenset[int]:
    """The rows of a kind and a key, made where this generation of the library has not had them."""
    kept = _kept.setdefault(papers, {})
    place = (papers.generation, kind, key)
    found = kept.get(place)
    if found is None:
        if len(kept) >= MOST:
            kept.clear()
        found = kept[place] = frozenset(rows())
    return found
