"""How close to its topic a paper must be to be worth a line of somebody's morning.

Chosen by reading the titles that thirty topics, some of them of no paper's, bring out of two days
of arXiv announcements (546 papers). The cosine of a short topic to an abstract says little by
itself: with the bundled model "video generation" reaches .54 and "mixture of experts" .37 on papers
that are about them, while "code generation agents" reaches .51 on training scenarios for soldiers.
The words decide, and the cosine throws out those papers that only mention them.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.digests.words import found_in, together, topic_words, without_notices
from index.library import Hit, Library


@dataclass(frozen=True, slots=True)
class Floor:
    """Least cosines, by what the title and the abstract have of the topic's words."""

    titled: float = 0.15
    """The title has them all, side by side."""
    together: float = 0.28
    """All of them close together in the title or in the abstract; a single one: in the title."""
    all: float = 0.45
    """All of them, anywhere."""
    some: float = 0.52
    """Two fifths of them or more, by weight."""
    none: float = 0.58
    """Any paper."""


MINILM = Floor()

WORDS_ALONE = Floor(titled=-1, together=-1, all=2, some=2, none=2)
"""For other embedding models, whose cosines mean something else: the words must be together."""


def floor_of(library: Library) -> Floor:
    """The floor that goes with the library's embedding model."""
    return MINILM if library.info().embeddings.get("name") == "minilm" else WORDS_ALONE


def is_close(topic: str, hit: Hit, floor: Floor = MINILM) -> bool:
    """True where the paper is about the topic."""
    if hit.exact:
        return True
    words = topic_words(topic)
    title, abstract = hit.paper.title, hit.paper.abstract
    if len(found_in(words, f"{title} {abstract}")) == len(words):
        # Only now, since it is the slow part: most papers of a day have gone by here.
        abstract = without_notices(abstract)
    if len(found_in(words, f"{title} {abstract}")) < len(words):
        return hit.cosine >= (floor.some if hit.coverage >= 0.4 else floor.none)
    single = len(words) == 1
    if not single and together(words, title, between=0):
        return hit.cosine >= floor.titled
    if together(words, title) or (not single and together(words, abstract)):
        return hit.cosine >= floor.together
    return hit.cosine >= floor.all


def closeness(hit: Hit) -> float:
    """What a digest is ordered by; unlike `Hit.score`, comparable between questions."""
    return hit.cosine + 0.2 * hit.coverage
