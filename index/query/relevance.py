"""Relevance: which of the papers found are about the topic, before they are put in another order."""

from __future__ import annotations

from collections.abc import Sequence

from index.search import Hit

NEAR = 0.7
"""Least nearness of a paper on the topic, as a part of the best paper's.

On the 225 queries of Cranfield half of what passes is relevant, and half of the relevant papers
among the first 200 pass (F1 .40 at .66 to .74; .29 to .38 by cosine or words alone).
"""


def relevant(hits: Sequence[Hit]) -> list[Hit]:
    """The hits that are about the topic nearly as much as the best one, in their order."""
    best = max(map(nearness, hits), default=0.0)
    return [hit for hit in hits if hit.exact or nearness(hit) >= NEAR * best]


def nearness(hit: Hit) -> float:
    """Rank among the hits, meaning and telling words, 0..1."""
    return 0.5 * hit.score + 0.25 * max(0.0, hit.cosine) + 0.25 * hit.coverage
