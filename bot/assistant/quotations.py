"""Quotation marks in a text, and whether what they enclose is verbatim.

Both sides are folded first: case, space, dashes, quotes, ligatures, accents, TeX and Markdown make
no difference to what was said.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from index.text.maths import symbol

_DASHES = frozenset("-‐‑‒–—―−﹘﹣－")
_DROPPED = frozenset("{}$*`^_\"“”„‟«»'‘’‚‛‹›′")
_MACRO = re.compile(r"\\([A-Za-z]+)\*?(\{\})?|\\(.)|\\$", re.DOTALL)
_STYLE = re.compile(
    r"text(?:bf|it|sc|tt|sf|rm|normal|sl)?|emph|math(?:bf|rm|it|tt|sf|cal|bb|scr|frak)?|mbox|bm|"
    r"boldsymbol|operatorname|underline|ensuremath|left|right|bf|it|em|tt|sc|rm|displaystyle|"
    r"quad|qquad|big|Big|limits"
)
_SPACES = frozenset(",;:! ")


@dataclass(frozen=True, slots=True)
class Folded:
    """Folded text; `places[i]` is where its character `i` stood."""

    text: str
    places: tuple[int, ...]

    def find(self, words: str) -> tuple[int, int] | None:
        """Where these folded words stand in the original, as whole words; None where they do not."""
        start = 0
        while words and (start := self.text.find(words, start)) >= 0:
            end = start + len(words)
            whole = not (
                (start and self.text[start - 1].isalnum() and words[0].isalnum())
                or (end < len(self.text) and self.text[end].isalnum() and words[-1].isalnum())
            )
            if whole:
                return self.places[start], self.places[end - 1] + 1
            start += 1
        return None


def fold(text: str) -> Folded:
    """The text as it is compared, and where each of its characters came from."""
    out: list[str] = []
    places: list[int] = []

    def put(characters: str, place: int) -> None:
        for character in characters:
            last = out[-1] if out else " "
            if character == "-":
                if last == "-":
                    continue
                if last == " " and out:
                    out.pop()
                    places.pop()
            elif character == " " and last in " -":
                continue
            out.append(character)
            places.append(place)

    place = 0
    while place < len(text):
        character = text[place]
        if character == "\\" and (macro := _MACRO.match(text, place)):
            put(_macro(macro), place)
            place = macro.end()
            continue
        put(_fold_one(character), place)
        place += 1
    while out and out[-1] == " ":
        out.pop()
        places.pop()
    return Folded("".join(out), tuple(places))


def _macro(macro: re.Match[str]) -> str:
    if macro[1]:
        if _STYLE.fullmatch(macro[1]):
            return ""
        return _letters(symbol(macro[1]) or macro[1])
    return " " if (macro[3] or " ") in _SPACES else _letters(macro[3])


def _letters(characters: str) -> str:
    return "".join(_fold_one(character) for character in characters)


def _fold_one(character: str) -> str:
    if character.isascii() and character.isalnum():
        return character.lower()
    if character in _DROPPED:
        return ""
    if character in _DASHES:
        return "-"
    if character == "~" or character.isspace():
        return " "
    if character == "×":
        return "x"
    if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co"}:
        return ""
    plain = "".join(
        c for c in unicodedata.normalize("NFKD", character) if not unicodedata.combining(c)
    ).casefold()
    return " " if plain.isspace() else plain


def folded_quote(inner: str) -> str:
    """The words between quotation marks, without what editors put there: `…`, a last `,` or `.`."""
    return re.sub(r"^[\s.…]+(?=\w)|[\s.,;:!?]+$", "", fold(inner).text)


@dataclass(frozen=True, slots=True)
class Quotation:
    """`inner` stood between quotation marks at `start` and `end` (the marks included)."""

    start: int
    end: int
    inner: str


_OPENING = re.compile(r"[\"“„«]|``|(?<![\w'’])['‘](?=\w)")
_CLOSINGS = {
    '"': re.compile(r"(?<=\S)[\"”]"),
    "“": re.compile(r"[”\"]"),
    "„": re.compile(r"[“”\"]"),
    "«": re.compile(r"»"),
    "``": re.compile(r"''|``|\""),
    "'": re.compile(r"(?<=[\w.,!?%)])'(?!\w)"),
    "‘": re.compile(r"(?<=[\w.,!?%)])’(?!\w)"),
}
_TWO = re.compile(r"[\"”»]\s+[\"“„«]")
"""Where one quotation ends and the next begins."""
_TRIED = 12
_LONGEST = 3000


def quotations(text: str, verbatim: Callable[[str], bool]) -> Iterator[Quotation]:
    """Quotations from left to right.

    Abstracts hold quotation marks too, so the furthest closing mark wins whose inside is
    `verbatim`; the nearest one where none is.
    """
    place = 0
    while opening := _OPENING.search(text, place):
        begin = opening.end()
        closing = list(_CLOSINGS[opening[0]].finditer(text, begin, begin + _LONGEST))
        if not closing:
            place = begin
            continue
        chosen = closing[0]
        if len(closing) > 1:
            inners = ((c, text[begin : c.start()]) for c in reversed(closing[1:_TRIED]))
            chosen = next(
                (c for c, inner in inners if not _TWO.search(inner) and verbatim(inner)), chosen
            )
        inner = text[begin : chosen.start()]
        if inner.strip():
            yield Quotation(opening.start(), chosen.end(), inner)
        place = chosen.end()
