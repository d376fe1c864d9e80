"""The words of a topic, and where a text has them; stemmed as the library's own search does."""

from __future__ import annotations

import re
from collections.abc import Collection

from index.lexical import STOP_WORDS, fold, stem, stems
from index.text.sentences import split

_WORD = re.compile(r"[^\W_]+")
_ASKING = frozenset({"new", "recent", "latest", "paper", "papers", "work", "works", "research"})
"""Words people put around a topic that say nothing about it."""

_NOTICE = re.compile(
    r"https?://|github|hugging ?face|\bavailable\b|\breleased?\b|\bopen[- ]?sourced?\b",
    re.IGNORECASE,
)


def topic_words(topic: str) -> list[str]:
    """The words of a topic that say something, as the person wrote them, each once."""
    words: dict[str, str] = {}
    for word in _WORD.findall(topic):
        words.setdefault(stem(fold(word)), word)
    said = [word for word in words.values() if fold(word) not in STOP_WORDS | _ASKING]
    return said or list(words.values())


def found_in(words: Collection[str], text: str) -> set[str]:
    """Those of the words that a text has in some form."""
    there = set(stems(text))
    return {word for word in words if stem(fold(word)) in there}


def together(words: Collection[str], text: str, *, between: int = 2) -> bool:
    """True where all the words stand close by each other, in any order.

    At most `between` other words that say something stand among them: `medical image segmentation`
    is together in "segmentation of medical images", and not in an abstract that speaks of medical
    reports first and of image segmentation at its end.
    """
    wanted = {stem(fold(word)) for word in words}
    places = [(place, word) for place, word in enumerate(stems(text)) if word in wanted]
    reach = len(wanted) + between
    for first, (start, _) in enumerate(places):
        if {word for place, word in places[first:] if place < start + reach} == wanted:
            return True
    return False


def without_notices(abstract: str) -> str:
    """The abstract without sentences such as "Code is available at …": they are about no topic."""
    return " ".join(s.text for s in split(abstract) if not _NOTICE.search(s.text))
