"""Text without what nobody sees: for ids, addresses and messages on one line."""

from __future__ import annotations

import unicodedata

# Control, zero width and direction marks, and lone surrogates, which no database takes.
_UNSEEN = frozenset({"Cc", "Cf", "Cs"})


def visible(text: str) -> str:
    """The text without control characters, marks of no width and lone surrogates; blanks stay."""
    if text.isascii() and text.isprintable():
        return text
    for character in set(text):
        if character.isprintable() or character.isspace():
            continue
        if unicodedata.category(character) in _UNSEEN:
            text = text.replace(character, "")
    return text


def one_line(text: str) -> str:
    """The visible text with single blanks, none at its ends."""
    return " ".join(visible(text).split())
