"""Names and titles from an abstract's own words."""

from __future__ import annotations


def method_name(title: str, abstract: str) -> str | None:
    """The name the paper gives its own method."""
    del title, abstract
    return None


def derive_title(abstract: str) -> str:
    """A short display title from the abstract's own words."""
    return abstract[:60]
