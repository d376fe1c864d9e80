"""Follow-ups that narrow the last search by words, or take such words back.

A search is kept as the words that ask for it, so that narrowing adds words and undoing takes some
away; what they mean is read anew each time (`index.query`).
"""

from __future__ import annotations

import re
from datetime import date

from index.lexical import stems
from index.query import parse
from index.query.parts import Kind, Part

_ANY_DAY = date(2999, 12, 31)
"""Only where the parts of a message stand is asked here, and not which days they mean."""

_ASKS_ANEW = re.compile(
    r"^(?:find|search|look|list|give|get|what|which|any|is\s+there|are\s+there|do\s+you|"
    r"(?:papers?|works?|articles?|research|preprints?|publications?)\b(?!\s+only)|show\s+(?!only|just))",
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"^(?:(?:show|list|give)\s+(?:me\s+)?)?(?:only|just)\b|^(?:the\s+|those\s+)?ones\b|^those\b",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"^(?:(?:please|and|but|now|ok|then|(?:show|list|give|keep)\s+(?:me\s+)?(?:only|just)|limit\s+(?:it\s+|them\s+)?to|"
    r"narrow\s+(?:it\s+|them\s+)?(?:down\s+)?to|what\s+about|how\s+about)\s+)+",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"^(?:(?:please\s+)?(?:do\s+)?(?:include|with|add|show|allow|keep|put|bring|undo|don't\s+(?:leave\s+out|exclude)|stop\s+excluding)\s+"
    r"(?:back\s+)?(?:the\s+)?(?P<what>.+?)(?:\s+(?:too|again|back|as\s+well|anyway|in|after\s+all))*)$",
    re.IGNORECASE,
)
_EVERY_DATE = re.compile(
    r"^(?:(?:from|of)\s+)?(?:any|all)\s+(?:dates?|years?|times?)$|^(?:regardless\s+of|ignore|forget|drop)\s+(?:the\s+)?(?:date|year)s?$",
    re.IGNORECASE,
)
_THEM = frozenset({"them", "those", "these", "it", "everything", "all", "all of them"})


def apart(said: str) -> tuple[str, str]:
    """A message without its narrowing parts, and those parts as they were said."""
    parts = [p for p in parse(said, today=_ANY_DAY).parts if p.kind is not Kind.NEWEST]
    spans = sorted({(p.start, p.end) for p in parts})
    rest, at = [], 0
    for start, end in spans:
        rest.append(said[at:start])
        at = end
    rest.append(said[at:])
    beside = " ".join(said[start:end].strip(" ,;") for start, end in spans)
    return " ".join(" ".join(rest).split()), beside


def changed(search: str, said: str) -> str:
    """The words of the last search, with what a follow-up adds to them or takes back; "" for neither."""
    return _taken_back(search, said) or _added(search, said)


def _added(search: str, said: str) -> str:
    text = _LEADS.sub("", said)
    if _ASKS_ANEW.match(said):
        return ""
    read = parse(text, today=_ANY_DAY)
    if read.text or not read.parts:
        return ""
    kinds = {part.kind for part in read.parts}
    # "By Yu Chen" alone asks for all of hers; a venue alone may be anything in capitals.
    if kinds <= {Kind.AUTHOR, Kind.VENUE, Kind.SOURCE} and not (
        _ONLY.match(said) or text != said or re.search(r"\bby\b", said, re.IGNORECASE)
    ):
        return ""
    return f"{search} {text}".strip()


def _taken_back(search: str, said: str) -> str:
    parts = parse(search, today=_ANY_DAY).parts
    if _EVERY_DATE.match(said):
        gone = [part for part in parts if part.kind is Kind.DATE]
    elif match := _BACK.match(said):
        what = match["what"].casefold().strip()
        left_out = [part for part in parts if part.kind is Kind.WITHOUT]
        gone = [p for p in left_out if what in _THEM or set(stems(p.value)) & set(stems(what))]
    else:
        return ""
    return _without(search, gone) if gone else ""


def _without(search: str, gone: list[Part]) -> str:
    for start, end in sorted({(part.start, part.end) for part in gone}, reverse=True):
        search = f"{search[:start]} {search[end:]}"
    return " ".join(search.split()).strip(" ,;")
