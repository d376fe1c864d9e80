"""TeX in titles and abstracts: accents become letters for storage, the rest only for display.

An abstract is no TeX source: a bare `%` starts no comment, and macros we do not know stay.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from index.text.maths import spans
from index.text.plain import visible
from index.text.readable import readable

__all__ = ["clean", "readable"]

_COMBINING = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306",
    ".": "\u0307", '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323",
    "c": "\u0327", "k": "\u0328", "b": "\u0331",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł",
    "aa": "å", "AA": "Å", "dh": "ð", "DH": "Ð", "dj": "đ", "DJ": "Đ", "i": "ı", "j": "ȷ",
}  # fmt: skip
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)
_BASE = r"(?:\\[ij](?![A-Za-z])|[A-Za-z])"
_ACCENT = re.compile(
    # `\'{e}`, `\'{\i}`, `\v{s}`: arXiv also mangles `\beta` into `\b{eta}`, which must stay.
    rf"\\(?P<mark>[`'^\"~=.uvHcdbrk])\{{\s*(?P<braced>{_BASE})\s*\}}"
    # `\'e`, `\'\i`
    rf"|\\(?P<sign>[`'^\"~=.])(?P<bare>{_BASE})"
    # `Ko\v sice`, `\v Cech`, but not `named \b geometric`
    r"|(?:(?<=[^\W\d_])\\(?P<inner>[uvHckr]) (?P<after>[A-Za-z])|\\(?P<first>[vcH]) (?P<capital>[A-Z]))"
)
_LETTER = re.compile(
    rf"\\(?P<name>{'|'.join(sorted(_LETTERS, key=len, reverse=True))})(?![A-Za-z_^(])(?:\{{\}}|\s(?=\w))?"
)
_SHORTENED = re.compile(r"\\'(?:s|t|d|m|re|ll|ve)\b")
_QUOTED = re.compile(r"\\\"(?![A-Za-z{\\])")


def clean(raw: str) -> str:
    """The text as it is stored and quoted: NFC, single spaces, accents and ligatures as letters.

    Mathematics, unknown macros, `\\%` and Markdown stay as the source wrote them.

    >>> clean("On L\\\\'evy flights\\n in $\\\\alpha$-stable media")
    'On Lévy flights in $\\\\alpha$-stable media'
    """
    text = " ".join(raw.split())
    if not (text.isascii() and text.isprintable()):
        text = unicodedata.normalize("NFC", visible(text)).translate(_LIGATURES)
    if "\\" in text:
        text = unicodedata.normalize("NFC", _outside_maths(text))
    return " ".join(text.split())


def _outside_maths(text: str) -> str:
    escaped_quotes = bool(_QUOTED.search(text))

    def convert(part: str) -> str:
        part = _replace(_ACCENT, part, lambda match: _accent(match, escaped_quotes))
        return _replace(_LETTER, part, lambda match: _LETTERS[match["name"]])

    parts, end = [], 0
    for start, after in spans(text):
        parts += [convert(text[end:start]), text[start:after]]
        end = after
    return "".join([*parts, convert(text[end:])])


def _replace(pattern: re.Pattern[str], text: str, letter: Callable[[re.Match[str]], str]) -> str:
    """Put letters for what matches, and drop braces that held nothing else: `{\'E}cole`."""
    parts, end = [], 0
    for match in pattern.finditer(text):
        before, put, after = text[end : match.start()], letter(match), match.end()
        grouped = before.endswith("{") and text[after : after + 1] == "}" and put != match[0]
        if grouped and not re.search(r"\\(?:[A-Za-z]+|.)$", before[:-1]):
            before, after = before[:-1], after + 1
        parts += [before, put]
        end = after
    return "".join([*parts, text[end:]])


def _accent(match: re.Match[str], escaped_quotes: bool) -> str:
    mark = match["mark"] or match["sign"] or match["inner"] or match["first"]
    base = match["braced"] or match["bare"] or match["after"] or match["capital"]
    before = match.string[: match.start()][-1:]
    if match["sign"]:
        # Backslashes also come from programs that escape quotes: `model\'s`, `\"unsure\"`.
        if mark == "'" and before.isalpha() and _SHORTENED.match(match.string, match.start()):
            return match[0]
        if mark == '"' and escaped_quotes and not before.isalpha() and before != "{":
            return match[0]
    composed = unicodedata.normalize("NFC", base.removeprefix("\\") + _COMBINING[mark])
    # What has no letter of its own was hardly meant as one.
    return composed if len(composed) == 1 else match[0]
