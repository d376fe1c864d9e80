"""Lists of words, written as a line of text."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The set of these blank-parted words."""
    return frozenset(text.split())
