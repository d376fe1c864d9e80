"""Relevance: which of the papers found are about the topic, before they are put in another order."""

from __future__ import annotations

from collections.abc import Sequence

from index.search import Hit

NEAR = 0.62
"""Least nearness of a paper on the topic, as a part of the best paper's.

Between the best cuts for 120 queries of Cranfield (.74) and the longer ones of CISI (.54), where F1
over the first 200 papers is .40 and .34; by cosine or by words alone it is .35 and .29 at best.
"""


def relevant(hits: Sequence[Hit]) -> list[Hit]:
    """The hits that are about the topic nearly as much as the best one, in their order."""
    best = max(map(nearness, hits), default=0.0)
    return [hit for hit in hits if hit.exact or nearness(hit) >= NEAR * best]


def nearness(hit: Hit) -> float:
    """Rank among the hits, meaning and telling words, 0..1."""
    return 0.5 * hit.score + 0.25 * max(0.0, hit.cosine) + 0.25 * hit.coverage
