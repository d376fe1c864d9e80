"""Acronyms: what the library itself, or else the field, spells out for a short form, and the reverse."""

from __future__ import annotations

import re
from collections import Counter

from index.lexical import STOP_WORDS, fold
from index.papers import Papers
from index.text.abbreviations import ABBREVIATIONS

LOOKED_AT = 200
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
    pattern = re.compile(rf"((?:[\w'’‐-―-]+\s+){{1,8}})\(\s*{re.escape(short)}s?\b", re.IGNORECASE)
    counted: Counter[str] = Counter()
    for text in _texts(papers, key):
        for match in pattern.finditer(text):
            if found := _initialled(match[1], key):
                counted[found] += 1
                break
    return _agreed(papers, counted) or ABBREVIATIONS.get(key, "")


def short_form(papers: Papers, long: str) -> str:
    """The abbreviation that most abstracts give a phrase, or the field does, or nothing."""
    words = _WORD.findall(fold(long))
    ends = words[-1].removesuffix("s")
    gap = r"[\s‐-―-]+"
    body = gap.join(map(re.escape, [*words[:-1], ends]))
    pattern = re.compile(rf"\b{body}s?\s*\(\s*([A-Za-z][\w-]{{1,8}})\b", re.IGNORECASE)
    counted: Counter[str] = Counter()
    for text in _texts(papers, " ".join(words)):
        if match := pattern.search(text):
            short = match[1].removesuffix("s")
            if is_short(short) and _initialled(" ".join(words), fold(short)):
                counted[short] += 1
    if found := _agreed(papers, counted):
        return found
    key = " ".join(words)
    return (_SPELLED.get(key) or _SPELLED.get(key.removesuffix("s")) or "").upper()


def _agreed(papers: Papers, counted: Counter[str]) -> str:
    if not counted:
        return ""
    found, often = counted.most_common(1)[0]
    enough = often >= (LEAST if len(papers) > SMALL else 1)
    return found if enough and often > sum(counted.values()) / 2 else ""


def _texts(papers: Papers, phrase: str) -> list[str]:
    if not _WORD.search(phrase):
        return []
    found = papers.connection.execute(
        "SELECT abstract FROM papers WHERE row IN (SELECT rowid FROM words WHERE words MATCH ? LIMIT ?)",
        (f'abstract : "{phrase}"', LOOKED_AT),
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
