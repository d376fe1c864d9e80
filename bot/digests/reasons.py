"""Why a paper is in a digest: the person's own words in it, or the sentence that comes closest."""

from __future__ import annotations

import re
import unicodedata

from index.library import Library
from index.text.tex import readable

from bot.digests.schedule import date_in_words
from index.paper import Paper

QUOTE = 200
"""Characters of a quoted sentence, about; it is cut between words and the cut is shown."""

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_STOP = frozenset(
    ["a", "about", "an", "and", "are", "as", "at", "be", "by", "can", "for", "from", "how", "in", "into", "is", "it", "its", "new", "of", "on", "or", "paper", "papers", "recent", "that", "the", "their", "these", "this", "those", "to", "using", "via", "what", "when", "where", "which", "with", "work", "works"]
)  # fmt: skip


def reason(library: Library, topic: str, paper: Paper) -> str:
    """One line in terms the person can act on: change the topic's words, or read on.

    The words of the topic that the title or the abstract contains; where those are less than half
    of them, the closest sentence of the abstract, in quotation marks. Then the date.
    """
    words = topic_words(topic)
    in_title, in_abstract = _found(words, paper.title), _found(words, paper.abstract)
    found = [word for word in words if word in in_title or word in in_abstract]
    dated = f" · {date_in_words(paper.published)}" if paper.published else ""
    if found and 2 * len(found) >= len(words):
        only_title = all(word in in_title for word in found)
        where = "title" if only_title else "abstract"
        if not only_title and not all(word in in_abstract for word in found):
            where = "title and abstract"
        return f"{_listed(found)} in its {where}{dated}"
    if paper.abstract and (passages := library.passages(topic, [paper.id], k=1)):
        return f"closest: {_quoted(passages[0].text)}{dated}"
    return f"{_listed(found) + ' in it' if found else 'close by its title'}{dated}"


def topic_words(topic: str) -> list[str]:
    """The words of a topic that say something, as the person wrote them, each once."""
    words = {_stem(word): word for word in reversed(_WORD.findall(topic))}
    return [word for key, word in reversed(words.items()) if key not in _STOP]


def _found(words: list[str], text: str) -> set[str]:
    there = {_stem(word) for word in _WORD.findall(text)}
    there |= {_stem(part) for word in _WORD.findall(text) for part in re.split(r"[-'’]", word)}
    return {word for word in words if _stem(word) in there}


def _stem(word: str) -> str:
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


def _listed(words: list[str]) -> str:
    quoted = [f"“{word}”" for word in words]
    if len(quoted) == 1:
        return quoted[0]
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _quoted(sentence: str) -> str:
    text = readable(sentence)
    if len(text) <= QUOTE:
        return f"“{text}”"
    return f"“{text[:QUOTE].rsplit(' ', 1)[0].rstrip(' ,;:')} …”"
