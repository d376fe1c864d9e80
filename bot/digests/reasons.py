"""Why a paper is in a digest: the person's own words in it, or the sentence that comes closest."""

from __future__ import annotations

from bot.digests.schedule import date_in_words
from bot.digests.words import found_in, topic_words
from index.library import Library
from index.paper import Paper
from index.text.tex import readable

QUOTE = 200
"""Characters of a quoted sentence, about; it is cut between words and the cut is shown."""


def reason(library: Library, topic: str, paper: Paper) -> str:
    """One line in terms the person can act on: change the topic's words, or read on.

    The words of the topic that the title or the abstract contains; where those are less than half
    of them, the closest sentence of the abstract, in quotation marks. Then the date.
    """
    words = topic_words(topic)
    title, abstract = found_in(words, paper.title), found_in(words, paper.abstract)
    found = [word for word in words if word in title | abstract]
    dated = f" · {date_in_words(paper.published)}" if paper.published else ""
    if found and 2 * len(found) >= len(words):
        where = "title and abstract"
        if title.issuperset(found):
            where = "title"
        elif abstract.issuperset(found):
            where = "abstract"
        return f"{_listed(found)} in its {where}{dated}"
    if paper.abstract and (passages := library.passages(topic, [paper.id], k=1)):
        return f"closest: {_quoted(passages[0].text)}{dated}"
    return f"close by its title{dated}"


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
