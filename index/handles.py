"""Handles: short names to say in a chat, unique and stable."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from itertools import count

from index.paper import Paper
from index.text.titles import method_name
from index.text.words import words

_LONGEST = 24
_STOP = words(
    "a an the of for and or in on to with by from as at is are be do does can via into over under "
    "towards toward using through without within beyond between across than that this these those "
    "its it we you your our their how what when where why which who not no new novel approach method "
    "methods study learning model models based improving efficient effective large language deep "
    "neural network networks paper work analysis framework "
    "systematic comparison comparative principled empirical theoretical comprehensive capturing leveraging "
    "challenging encouraging reformulating perspective leading data problem task tasks core specific "
    "simple general unified evaluating understanding survey review introduction"
)
# NFKD leaves these letters whole.
_FOLDED = str.maketrans(
    {"ø": "o", "ł": "l", "ß": "ss", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)


def make_handle(paper: Paper, taken: Callable[[str], bool]) -> str:
    """A free handle of at most 24 lower-case letters and digits.

    The method's own name (`activedpo`), else first author, year and a telling title word
    (`lin2025active`), else two telling words; a number is appended to what is taken.
    """
    base = _base(paper)
    for number in count(1):
        suffix = "" if number == 1 else str(number)
        handle = base[: _LONGEST - len(suffix)] + suffix
        if not taken(handle):
            return handle
    raise AssertionError  # `count` does not end


def _base(paper: Paper) -> str:
    name = _said(method_name("" if paper.title_derived else paper.title, paper.abstract) or "")
    # Two letters are too easily a word of a question.
    if 3 <= len(name) <= _LONGEST and not name.isdigit():
        return name
    telling = _telling(paper.title) or _telling(paper.abstract)
    if paper.authors and (family := _letters(family_name(paper.authors[0]))):
        year = paper.published[:4] if re.match(r"\d{4}", paper.published) else ""
        return (family[:14] + year + (telling[0] if telling else ""))[:_LONGEST]
    if telling:
        return _joined(telling)
    return _letters(paper.id.rpartition(":")[2]) or "paper"


def _said(name: str) -> str:
    """A name as people say it: `Generalized Adversarial Solver` is `gas`."""
    parts = name.split()
    spelled = len(parts) > 2 and all(re.fullmatch(r"[A-Z][a-z]+", part) for part in parts)
    return _letters("".join(part[0] for part in parts) if spelled else name)


def family_name(author: str) -> str:
    """The family name of `Given Family` or `Family, Given`."""
    family, comma, _ = author.partition(",")
    return family if comma else (author.split() or [""])[-1]


def _letters(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text.casefold().translate(_FOLDED))
    return re.sub(r"[^a-z0-9]", "", folded)


def _telling(text: str) -> list[str]:
    """The first words that tell one paper from another."""
    text = re.sub(r"\$[^$]*\$|\\[A-Za-z]+", " ", text)
    found = map(_letters, re.findall(r"[^\W_]+(?:[-‑][^\W_]+)*", text))
    told = [word for word in found if len(word) > 2 and word not in _STOP and not word.isdigit()]
    return told[:4]


def _joined(telling: list[str]) -> str:
    """Two words, or one where two are too long to say."""
    pair = "".join(telling[:2])
    return pair if len(pair) <= 21 else telling[0][:_LONGEST]
