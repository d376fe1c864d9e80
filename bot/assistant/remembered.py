"""Searches of a moment ago: one question asks the library for the same words several times."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from index.library import Hit, Library

KEPT = 128
"""Searches that are remembered."""
MOST = 12
"""Papers of each; fewer are its beginning."""


class Searches:
    """A library's searches without filters, remembered until it changes; safe among threads."""

    def __init__(self, library: Library) -> None:
        def look(stamp: Hashable, text: str, k: int) -> tuple[Hit, ...]:
            del stamp
            return tuple(library.search(text, k))

        self._library = library
        self._look = lru_cache(KEPT)(look)

    def __call__(self, text: str, k: int) -> list[Hit]:
        """As `Library.search`."""
        stamp = stamp_of(self._library)
        hits = self._look(stamp, text, max(k, MOST))
        if k < len(hits) and any(hit.exact for hit in hits):
            # One that is named is scored by how many are asked for.
            hits = self._look(stamp, text, k)
        return list(hits[:k])


def stamp_of(library: Library) -> Hashable:
    """What is another when papers came, changed or left, also by the hand of another process."""
    bundled = library.bundled  # reads what others wrote first
    return bundled, str(library.directory), library.generation
