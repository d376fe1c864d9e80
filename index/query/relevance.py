"""Relevance: which of the papers found are about the topic, before they are put in another order."""

from __future__ import annotations

from collections.abc import Sequence

from index.search import Hit

NEAR = 0.72
"""Least nearness of a paper on the topic, as a part of the best paper's."""
LEAST = 0.25
"""Least share of the topic's telling words in a paper that is only near in meaning."""


def relevant(hits: Sequence[Hit]) -> list[Hit]:
    """The hits that are about the topic as much as the best one, in their order."""
    if not hits:
        return []
    best = max(map(nearness, hits))
    return [hit for hit in hits if hit.exact or nearness(hit) >= NEAR * best]


def nearness(hit: Hit) -> float:
    """Meaning and telling words, 0..1."""
    return 0.5 * max(0.0, hit.cosine) + 0.5 * hit.coverage
