"""How close to its topic a paper must be to be worth a line of somebody's morning."""

from __future__ import annotations

from index.library import Hit, Library


def is_close(hit: Hit, library: Library) -> bool:  # noqa: ARG001
    """True where the paper is about the topic."""
    return hit.exact or hit.cosine >= 0.4 or (hit.cosine >= 0.3 and hit.coverage >= 0.9)
