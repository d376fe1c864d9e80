"""How near a paper must be before it is offered as found, for each embedding model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.assistant.asked import Said, take_apart
from index.library import Hit, Library


@dataclass(frozen=True, slots=True)
class Floor:
    """Weights of a paper's nearness to a topic, and the least of it.

    A logistic regression over 120 topics on two collections, two fifths of them of no paper's,
    scaled so that the weights are easy to read.
    """

    meaning: float = 0.52
    """Of the cosine of topic and paper."""
    words: float = 0.22
    """Of the share of the topic's words that the paper says in some form."""
    telling: float = 0.57
    """Of the same share by how much each word tells in this library."""
    title: float = 0.08
    """Of the share of the topic's words in the title."""
    rest: float = 0.23
    """Of the cosine of the words it does not say: "chip placement" is far from a paper on
    reinforcement learning, "spreadsheets" is near one on tables."""
    nothing_left: float = 0.45
    """What stands for that cosine where the paper says every word."""
    least: float = 0.58


FLOORS = {
    "minilm": Floor(),
    # Cosines of other models spread differently: the words decide until one is calibrated.
    "": Floor(meaning=0.0, words=0.5, telling=0.5, rest=0.0, least=0.5),
}


def floor_of(embeddings: str) -> Floor:
    """The floor of an embedding model."""
    return FLOORS.get(embeddings, FLOORS[""])


def nearness(library: Library, query: str, hits: Sequence[Hit], floor: Floor) -> list[float]:
    """How near each paper is to a topic; unlike `Hit.score`, comparable between topics."""
    asked = take_apart(query)
    words = (*asked.words, *asked.names)
    return [_nearness(library, words, hit, floor) for hit in hits]


def _nearness(library: Library, words: Sequence[str], hit: Hit, floor: Floor) -> float:
    said = Said.of(f"{hit.paper.title} {hit.paper.abstract}")
    known = (
        floor.meaning * hit.cosine
        + floor.words * said.share(words)
        + floor.telling * telling(words, said, hit.coverage)
        + floor.title * Said.of(hit.paper.title).share(words)
    )
    left = [word for word in words if not said.has(word)]
    if not left or not floor.rest:
        return known + floor.rest * (floor.nothing_left if words else hit.cosine)
    # The cosine of what is left is looked up only where it can decide.
    if known + floor.rest * 0.6 < floor.least:
        return known
    rest = library.score(" ".join(left), [hit.paper.id])
    return known + floor.rest * (rest[0].cosine if rest else 0.0)


def telling(words: Sequence[str], said: Said, coverage: float) -> float:
    """Coverage that counts other forms and words of like meaning too, 0..1."""
    missing = [nearby for word in words if (nearby := said.closeness(word)) < 1]
    if not missing:
        return max(coverage, 1.0) if words else coverage
    return coverage + (1 - coverage) * sum(missing) / len(missing)


def close(library: Library, query: str, hits: Sequence[Hit], floor: Floor) -> list[Hit]:
    """The papers that are about the query, nearest first; those it names before all others."""
    near = nearness(library, query, hits, floor)
    kept = [(n, hit) for n, hit in zip(near, hits, strict=True) if hit.exact or n >= floor.least]
    kept.sort(key=lambda pair: (not pair[1].exact, -pair[0] - 0.3 * pair[1].score))
    return [hit for _, hit in kept]
