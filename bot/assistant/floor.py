"""How near a paper must be before it is offered as found, for each embedding model."""

from __future__ import annotations

from dataclasses import dataclass

from index.library import Hit


@dataclass(frozen=True, slots=True)
class Floor:
    """Least closeness; calibrated on questions over two collections, half of them of no paper's.

    Closeness is `cosine + weight * coverage`: the meaning of the whole and the share of the
    query's telling words that the paper has.
    """

    weight: float = 0.5
    least: float = 0.62
    words: float = 0.2
    """Least coverage, unless the cosine alone is beyond doubt."""
    sure: float = 0.6
    """A cosine that needs no words in common."""


FLOORS = {"minilm": Floor()}


def closeness(hit: Hit, floor: Floor) -> float:
    """What a list is cut by; unlike `Hit.score`, comparable between questions."""
    return hit.cosine + floor.weight * hit.coverage


def close(query: str, hit: Hit, floor: Floor) -> bool:
    """True where the paper is about the query."""
    del query
    if hit.exact:
        return True
    if hit.cosine >= floor.sure:
        return True
    return closeness(hit, floor) >= floor.least and hit.coverage >= floor.words
