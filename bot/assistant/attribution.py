"""Who did what: figures of one paper given to another, and comparisons turned round."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.assistant.numbers import mismatch, numbers
from bot.assistant.quotations import fold
from bot.assistant.sources import Source
from bot.assistant.wording import names

_ASIDE = re.compile(
    r"\b(?:unlike|than|with|to|versus|vs\.?|against|over|like|as|beats?|outperforms?)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_WINS = re.compile(
    r"\b(?:outperform(?:s|ed|ing)?|beat(?:s|ing)?|surpass(?:es|ed|ing)?|exceed(?:s|ed|ing)?|"
    r"(?:better|faster|stronger|smaller|cheaper|(?:more|less) \w+) than|improv(?:es|ed|ing) (?:on|over|upon))\b",
    re.IGNORECASE,
)


def misattributed(plain: str, cited: tuple[Source, ...]) -> Iterator[str]:
    """Figures of a flat sentence that stand by the name of another cited paper than theirs."""
    if len(cited) < 2 or "respectively" in plain:
        return
    mentions = _mentions(plain, cited)
    for figure in numbers(plain):
        before = [source for place, source in mentions if place < figure.start]
        if not before:
            continue
        holders = [one for one in cited if not mismatch(plain, figure, one.flat)]
        if holders and before[-1] not in holders:
            yield f"{figure.text} is of {holders[0].paper.handle}, not of {before[-1].paper.handle}"


_FALLEN = re.compile(
    r"\b(?:has|have|had|was|were|is|are|been|got)\s+(?:since\s+|been\s+|now\s+)*(?P<how>retracted|withdrawn)\b",
    re.IGNORECASE,
)


def fallen(plain: str, cited: tuple[Source, ...]) -> Iterator[str]:
    """That a paper was retracted or withdrawn, where no record of those cited says so.

    Whether a paper stands is a fact of its record; what another paper says of it is none.
    """
    for match in _FALLEN.finditer(plain):
        if not any(one.paper.status.value == match["how"].casefold() for one in cited):
            yield f"no record says that a paper was {match['how']}"


def _mentions(plain: str, cited: tuple[Source, ...]) -> list[tuple[int, Source]]:
    """Where cited papers are named as the subject, from left to right."""
    found = []
    for source in cited:
        called = {source.paper.handle, *_head(source.paper.title)}
        for name in called - {""}:
            pattern = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
            found += [
                (match.start(), source)
                for match in re.finditer(pattern, plain, re.IGNORECASE)
                if not _ASIDE.search(plain[: match.start()])
            ]
    return sorted(found, key=lambda mention: mention[0])


def _head(title: str) -> tuple[str, ...]:
    """The method's name, as in `SlimCache: Dropping What Attention Forgets`."""
    head, colon, _ = title.partition(":")
    return (head.strip(),) if colon and len(head.split()) <= 3 else ()


def turned_round(plain: str, cited: tuple[Source, ...]) -> Iterator[str]:
    """Comparisons whose winner is the loser of the source's."""
    for better, worse in _contests(plain):
        given = [pair for one in cited for text in one.flat for pair in _contests(text)]
        known = _pairs(given)
        said = _pairs([(better, worse)])
        if said and not said & known and any((loser, winner) in known for winner, loser in said):
            yield "the cited abstract has the comparison the other way round"
            return


def _contests(text: str) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Folded names before and after each verb of winning, within its clause."""
    for match in _WINS.finditer(text):
        before = re.split(r"[.;:]\s", text[: match.start()])[-1]
        after = re.split(r"[.;:]\s|\bon\b|, ", text[match.end() :])[0]
        yield _named(before), _named(after)


def _named(text: str) -> frozenset[str]:
    capitals = re.findall(r"\b[A-Z][\w-]+", text)
    return frozenset(fold(name).text for name in (*names(text), *capitals))


def _pairs(contests: list[tuple[frozenset[str], frozenset[str]]]) -> set[tuple[str, str]]:
    return {(winner, loser) for better, worse in contests for winner in better for loser in worse}
