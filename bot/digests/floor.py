"""How close to its topic a paper must be to be worth a line of somebody's morning.

Chosen by reading the titles that thirty topics, some of them of no paper's, bring out of two days
of arXiv announcements (546 papers). The cosine of a short topic to an abstract says little by
itself: with the bundled model "video generation" reaches .54 and "mixture of experts" .37 on papers
that are about them, while "code generation agents" reaches .51 on training scenarios for soldiers.
The words decide, and the cosine throws out those papers that only mention them.
"""

from __future__ import annotations

from dataclasses import dataclass

from index.library import Hit

from bot.digests.words import together, topic_words


@dataclass(frozen=True, slots=True)
class Floor:
    """Least cosines, by what the title and the abstract have of the topic's words."""

    together: float = 0.28
    """All its words, close together in the title or in the abstract; one word: in the title."""
    all: float = 0.38
    """All its words, anywhere."""
    some: float = 0.52
    """Two fifths of them or more, by weight."""
    none: float = 0.58
    """Any paper."""


MINILM = Floor()


def is_close(topic: str, hit: Hit, floor: Floor = MINILM) -> bool:
    """True where the paper is about the topic."""
    if hit.exact:
        return True
    words = topic_words(topic)
    texts = (hit.paper.title,) if len(words) == 1 else (hit.paper.title, hit.paper.abstract)
    if any(together(words, text) for text in texts):
        return hit.cosine >= floor.together
    if hit.coverage > 0.99:
        return hit.cosine >= floor.all
    return hit.cosine >= (floor.some if hit.coverage >= 0.4 else floor.none)


def closeness(hit: Hit) -> float:
    """What a digest is ordered by; unlike `Hit.score`, comparable between questions."""
    return hit.cosine + 0.2 * hit.coverage
