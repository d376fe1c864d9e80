"""The words of a topic, and where a text has them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

_WORD = re.compile(r"[^\W_]+")
_STOP = frozenset(
    ["a", "about", "an", "and", "are", "as", "at", "be", "by", "can", "for", "from", "how", "in", "into", "is", "it", "its", "new", "of", "on", "or", "paper", "papers", "recent", "that", "the", "their", "these", "this", "those", "to", "using", "via", "what", "when", "where", "which", "with", "work", "works"]
)  # fmt: skip


def topic_words(topic: str) -> list[str]:
    """The words of a topic that say something, as the person wrote them, each once."""
    words: dict[str, str] = {}
    for word in _WORD.findall(topic):
        words.setdefault(stem(word), word)
    said = [word for key, word in words.items() if key not in _STOP]
    return said or list(words.values())


def stems(text: str) -> list[str]:
    """The words of a text in order, each cut to its stem."""
    return [stem(word) for word in _WORD.findall(text)]


def stem(word: str) -> str:
    """Enough of a stemmer that `policies` finds `policy`, and nothing that is not the word."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    if len(plain) > 4 and plain.endswith("ies"):
        return plain[:-3] + "y"
    if len(plain) > 4 and plain.endswith(("sses", "xes", "ches", "shes")):
        return plain[:-2]
    if len(plain) > 3 and plain.endswith("s") and not plain.endswith(("ss", "us", "is")):
        return plain[:-1]
    return plain


def together(words: Collection[str], text: str) -> bool:
    """True where all the words stand within a few words of each other, in any order.

    `medical image segmentation` is together in "segmentation of medical images" and not in an
    abstract that speaks of medical reports first and of image segmentation at its end.
    """
    wanted = {stem(word) for word in words}
    places = [(place, word) for place, word in enumerate(stems(text)) if word in wanted]
    reach = 2 * len(wanted) + 1
    for first, (start, _) in enumerate(places):
        if {word for place, word in places[first:] if place < start + reach} == wanted:
            return True
    return False
