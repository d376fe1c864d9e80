"""Acronyms: what the library itself, or else the field, spells out for a short form, and the reverse."""

from __future__ import annotations

import re
from collections import Counter

from index.lexical import STOP_WORDS, fold
from index.papers import Papers
from index.text.abbreviations import ABBREVIATIONS

LOOKED_AT = 60
"""Papers that are read for an expansion."""
LEAST = 2
"""Papers that must spell it out alike in a library of more than `SMALL`."""
SMALL = 200

_SHORT = re.compile(r"[A-Z][A-Za-z0-9]*[A-Z][A-Za-z0-9]*")
_WORD = re.compile(r"[^\W_]+")
_SPELLED: dict[str, str] = {long: short for short, long in ABBREVIATIONS.items()}


def is_short(word: str) -> bool:
    """True for a word written like an abbreviation: `RL`, `MoE`, `LLMs`."""
    bare = word.removesuffix("s")
    return bool(_SHORT.fullmatch(bare)) and len(bare) <= 8


def other_names(papers: Papers, term: str) -> tuple[str, ...]:
    """What else a thing goes by: `reinforcement learning` for `RL`, `MoE` for `mixture of experts`."""
    words = _WORD.findall(term)
    if len(words) == 1 and (
        is_short(words[0]) or fold(words[0]).removesuffix("s") in ABBREVIATIONS
    ):
        found = long_form(papers, words[0].removesuffix("s") if is_short(words[0]) else words[0])
        return (found,) if found else ()
    if 2 <= len(words) <= 6:
        found = short_form(papers, term)
        return (found,) if found else ()
    return ()


def long_form(papers: Papers, short: str) -> str:
    """What a short form stands for in most abstracts that spell it out, or in the field, or nothing."""
    key = fold(short).removesuffix("s")
    bracket = re.compile(rf"\(\s*{re.escape(short)}s?\b", re.IGNORECASE)
    counted: Counter[str] = Counter()
    for text in _texts(papers, key, LOOKED_AT):
        match = bracket.search(text)
        if match and (found := _initialled(text[max(0, match.start() - 90) : match.start()], key)):
            counted[found] += 1
    return _agreed(papers, counted) or ABBREVIATIONS.get(key, "")


def short_form(papers: Papers, long: str) -> str:
    """The abbreviation that abstracts put in brackets after a phrase, or the field's, or nothing."""
    words = _WORD.findall(fold(long))
    told = [word for word in words if word not in STOP_WORDS]
    least = LEAST if len(papers) > SMALL else 1
    for letters in dict.fromkeys("".join(word[0] for word in some) for some in (words, told)):
        # The index knows no brackets: the phrase and its initials in a row are looked up, which
        # are few (two letters are many other things), where the phrase alone may be in every second paper.
        texts = _texts(papers, f"{' '.join(words)} {letters}", least) if len(letters) > 2 else []
        if len(texts) >= least:
            match = re.search(rf"\(\s*({letters})s?\b", texts[0], re.IGNORECASE)
            if match and is_short(match[1]):
                return match[1]
    key = " ".join(words)
    return (_SPELLED.get(key) or _SPELLED.get(key.removesuffix("s")) or "").upper()


def _agreed(papers: Papers, counted: Counter[str]) -> str:
    if not counted:
        return ""
    found, often = counted.most_common(1)[0]
    enough = often >= (LEAST if len(papers) > SMALL else 1)
    return found if enough and often > sum(counted.values()) / 2 else ""


def _texts(papers: Papers, phrase: str, limit: int) -> list[str]:
    if not _WORD.search(phrase):
        return []
    found = papers.connection.execute(
        "SELECT abstract FROM papers WHERE row IN (SELECT rowid FROM words WHERE words MATCH ? LIMIT ?)",
        (f'abstract : "{phrase}"', limit),
    )
    return [str(row[0]) for row in found]


def _initialled(before: str, short: str) -> str:
    """The words at the end of a text whose initials, in order, make the short form; or nothing.

    As in Schwartz and Hearst (2003), from the right; stop words may be passed over.
    """
    words = _WORD.findall(fold(before.replace("’", "'")))
    letters = [c for c in short if c.isalpha()]
    place = len(letters) - 1
    for start in range(len(words) - 1, -1, -1):
        word = words[start]
        if place >= 0 and word.startswith(letters[place]):
            place -= 1
            if place < 0:
                return " ".join(words[start:])
        elif place >= 1 and letters[place] in word and word.startswith(letters[place - 1]):
            # `transformers` gives two letters to TF.
            place -= 2
            if place < 0:
                return " ".join(words[start:])
        elif word not in STOP_WORDS:
            return ""
    return ""
