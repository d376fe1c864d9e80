"""How near a paper must be before it is offered as found, for each embedding model."""

from __future__ import annotations

from dataclasses import dataclass

from bot.assistant.asked import Said, take_apart
from index.library import Hit


@dataclass(frozen=True, slots=True)
class Floor:
    """Least nearness; calibrated on topics over two collections, a third of them of no paper's."""

    meaning: float = 1.0
    """Weight of the cosine of topic and paper."""
    words: float = 0.30
    """Weight of the share of the topic's words that the paper says in some form."""
    telling: float = 0.25
    """Weight of the same share by how much each word tells in this library."""
    least: float = 0.53


FLOORS = {
    "minilm": Floor(),
    # Cosines of other models spread differently: the words decide until one is calibrated.
    "": Floor(meaning=0.0, words=0.5, telling=0.5, least=0.5),
}


def floor_of(embeddings: str) -> Floor:
    """The floor of an embedding model."""
    return FLOORS.get(embeddings, FLOORS[""])


def nearness(query: str, hit: Hit, floor: Floor) -> float:
    """What a list is cut by; unlike `Hit.score`, comparable between questions."""
    asked = take_apart(query)
    said = Said.of(f"{hit.paper.title} {hit.paper.abstract}")
    share = said.share((*asked.words, *asked.names))
    return floor.meaning * hit.cosine + floor.words * share + floor.telling * hit.coverage


def close(query: str, hit: Hit, floor: Floor) -> bool:
    """True where the paper is about the query."""
    return hit.exact or nearness(query, hit, floor) >= floor.least
