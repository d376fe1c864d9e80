"""A model's text as statements with the citations it wrote behind them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from bot.assistant.quotations import quotations
from index.text.sentences import split


@dataclass(frozen=True, slots=True)
class Reference:
    """A marker read: the key of a source, and the numbers of its sentences (none: any)."""

    key: str
    sentences: tuple[int, ...] = ()


class Kind(Enum):
    """How a statement is set."""

    PROSE = "prose"
    ITEM = "item"
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence, list item or table row, without markers."""

    text: str
    references: tuple[Reference, ...] = ()
    unknown: tuple[str, ...] = ()
    """Markers that name no source."""
    kind: Kind = Kind.PROSE
    block: int = 0
    """Number of the paragraph, item or heading it stands in."""


Resolve = Callable[[str], str | None]
"""The key of the source that a name in a marker means, or None."""

_BRACKET = re.compile(r"\[[^\[\]\n]{1,240}\](?!\()")
_ROUND = re.compile(r"\(\s*[A-Za-z0-9]+:\d+(?:\s*[-–,;]\s*(?:[A-Za-z0-9]+:)?\d+)*\s*\)")
_REFERENCE = re.compile(
    r"[\^@]?(?P<name>[^\s;,\[\]]+?)(?::\s*s?(?P<numbers>\d{1,4}(?:\s*[-–—,&]\s*\d{1,4})*))?"
)
_PARTS = re.compile(r"\s*;\s*|\s*,\s*(?=[\^@]?[^\W\d_])|\s*,\s*(?=\d+[^\W\d_]|\d+:)")
_LOOKS_LIKE_ONE = re.compile(
    r"[\^@].*|\d{1,3}(?:\s*[-–,;]\s*\d{1,3})*|[^\s;,:]+:\s*\d[\d\s,–-]*(?:[;,].*)?|[a-z]{2,}\d*[a-z0-9]*|"
    r"(?:arxiv|doi|openreview|text|s2|openalex|pmid):\S+|citation needed|citations?|source|ref",
    re.IGNORECASE,
)
_KEPT = re.compile(r"[A-Z]{2,}|sic|\.\.\.|…|emphasis \w+")
_INTERVAL = re.compile(r"(?:\b(?:in|from|interval|range|over|of)\s*|[=∈^])$")
_DEFINITION = re.compile(r"^\s*\[\^[^\]\n]+\]:.*$", re.MULTILINE)
_ITEM = re.compile(r"\s*(?:[-*+•‣◦–]|\(?\d{1,2}[.)])\s+(?=\S)")
_HEADING = re.compile(r"\s*#{1,6}\s+")
_TABLE_RULE = re.compile(r"\s*\|?[\s:|-]*-{2,}[\s:|-]*\|?\s*")
_FENCE = re.compile(r"\s*(?:```|~~~)[\w-]*\s*$")
_HOLE = "\ue010"


def statements(text: str, resolve: Resolve, verbatim: Callable[[str], bool]) -> list[Statement]:
    """The statements of a text in order; none is blank.

    Accepted markers: `[h]`, `[h:2]`, `[h:2,4]`, `[h:2-3]`, `[h:2; g:1]`, `[^h:2]`, `(h:2)`, `【h:2】`.
    """
    text = re.sub("[\ue000-\uf8ff]", "", text)
    text = text.replace("【", "[").replace("】", "]").replace("\r\n", "\n").replace("\r", "\n")
    text = _DEFINITION.sub("", text)
    found: list[Statement] = []
    for number, (kind, block) in enumerate(_blocks(text)):
        found += [
            replace(statement, block=number) for statement in _block(block, kind, resolve, verbatim)
        ]
    return found


def _blocks(text: str) -> Iterator[tuple[Kind, str]]:
    """Paragraphs with their lines joined, list items, headings and table rows."""
    pending: list[str] = []
    kind = Kind.PROSE

    def flush() -> Iterator[tuple[Kind, str]]:
        if pending:
            yield kind, " ".join(pending)
            pending.clear()

    for raw in text.split("\n"):
        line = re.sub(r"^\s*(?:>\s?)+", "", raw)
        if not line.strip() or _FENCE.fullmatch(line) or re.fullmatch(r"\s*([-*_=]\s*){3,}", line):
            yield from flush()
        elif heading := _HEADING.match(line):
            yield from flush()
            yield Kind.HEADING, line[heading.end() :].rstrip("# ").strip()
        elif line.lstrip().startswith("|"):
            yield from flush()
            if not _TABLE_RULE.fullmatch(line):
                cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
                yield Kind.ITEM, " | ".join(cell for cell in cells if cell)
        elif item := _ITEM.match(line):
            yield from flush()
            kind = Kind.ITEM
            pending.append(line[item.end() :].strip())
        else:
            if not pending:
                kind = Kind.PROSE
            elif raw[:1] not in " \t" and kind is Kind.ITEM:
                yield from flush()
                kind = Kind.PROSE
            pending.append(line.strip())
    yield from flush()


@dataclass(frozen=True, slots=True)
class _Marker:
    place: int
    """Where it stood in the text without markers."""
    references: tuple[Reference, ...]
    unknown: tuple[str, ...]


def _block(
    block: str, kind: Kind, resolve: Resolve, verbatim: Callable[[str], bool]
) -> Iterator[Statement]:
    text, markers = _take_out(block, resolve, verbatim)
    spans = _whole_quotations(text, verbatim)
    if not spans:
        return
    first = True
    for (start, end), mine in zip(spans, _share_out(spans, markers), strict=True):
        piece = text[start:end].strip()
        if not re.search(r"\w", piece):
            continue
        yield Statement(
            piece,
            tuple(dict.fromkeys(ref for marker in mine for ref in marker.references)),
            tuple(name for marker in mine for name in marker.unknown),
            kind if first or kind is Kind.HEADING else Kind.PROSE,
        )
        first = False


def _take_out(
    block: str, resolve: Resolve, verbatim: Callable[[str], bool]
) -> tuple[str, list[_Marker]]:
    """The block without markers, and where they stood."""
    quoted = [(q.start, q.end) for q in quotations(block, verbatim) if verbatim(q.inner)]
    markers, out, end = [], "", 0
    matches = sorted(
        [*_BRACKET.finditer(block), *_ROUND.finditer(block)], key=lambda match: match.start()
    )
    for match in matches:
        if match.start() < end:
            continue
        read = _read(match[0][1:-1], resolve)
        if any(start < match.start() < stop for start, stop in quoted):
            continue
        if read is None or (not read.references and _is_text(block, match)):
            continue
        out += block[end : match.start()]
        end = match.end()
        out = out.rstrip(" \t\u00a0")
        markers.append(_Marker(len(out), read.references, read.unknown))
        if out and re.match(r"\w|[\"“(*$]", block[end : end + 1]):
            out += " "
    out += block[end:]
    return out, markers


def _is_text(block: str, match: re.Match[str]) -> bool:
    """Whether a bracket that names no source belongs to the sentence: `x[i]`, `in [0, 1]`."""
    before = block[: match.start()]
    numeric = re.fullmatch(r"\[[\d\s,.;–-]+\]", match[0])
    return (
        match[0].startswith("(")
        or before[-1:].isalnum()
        or bool(numeric and ("0" in re.split(r"\D+", match[0]) or _INTERVAL.search(before)))
    )


@dataclass(frozen=True, slots=True)
class _Read:
    references: tuple[Reference, ...]
    unknown: tuple[str, ...]


def _read(content: str, resolve: Resolve) -> _Read | None:
    """The references of a bracket; None where it is no marker."""
    content = content.strip()
    references, unknown = [], []
    for part in _PARTS.split(content):
        reference = _reference(part.strip(), resolve)
        if reference:
            references.append(reference)
        else:
            unknown.append(part.strip())
    if references:
        return _Read(tuple(references), tuple(unknown))
    if _KEPT.fullmatch(content) or not _LOOKS_LIKE_ONE.fullmatch(content):
        return None
    return _Read((), (content,))


def _reference(part: str, resolve: Resolve) -> Reference | None:
    if key := resolve(part.lstrip("^@")):
        return Reference(key)
    match = _REFERENCE.fullmatch(part)
    key = resolve(match["name"]) if match else None
    return Reference(key, _numbers(match["numbers"] or "")) if match and key else None


def _numbers(text: str) -> tuple[int, ...]:
    found: list[int] = []
    for part in re.split(r"[,&]", text):
        ends = [int(number) for number in re.findall(r"\d+", part)]
        if len(ends) == 2 and ends[0] <= ends[1] <= ends[0] + 50:
            found += range(ends[0], ends[1] + 1)
        else:
            found += ends
    return tuple(dict.fromkeys(found))


def _whole_quotations(text: str, verbatim: Callable[[str], bool]) -> list[tuple[int, int]]:
    """Sentences, of which none ends inside a quotation or holds the end of one and another."""
    quoted = [(q.start, q.end) for q in quotations(text, verbatim)]
    spans: list[tuple[int, int]] = []
    for span in split(text):
        inside = spans and any(a < spans[-1][1] < b and a < span.start < b for a, b in quoted)
        if inside:
            spans[-1] = spans[-1][0], span.end
        else:
            spans.append((span.start, span.end))
    # The last word of a quotation may be an abbreviation: “… cats, dogs, etc.” “Then …”
    for (_, end), (start, _) in pairwise(quoted):
        if text[end:start].isspace() and text[end - 2] in ".!?":
            for place, (a, b) in enumerate(spans):
                if a < end and start < b:
                    spans[place : place + 1] = [(a, end), (start, b)]
    return spans


def _share_out(spans: list[tuple[int, int]], markers: list[_Marker]) -> list[list[_Marker]]:
    """The markers of each sentence: those inside it, and those between it and the next.

    Where a block begins with a marker and its last sentence would have none, markers lead.
    """
    shares: list[list[_Marker]] = [[] for _ in spans]
    leading: list[list[_Marker]] = [[] for _ in spans]
    for marker in markers:
        before = max((i for i, (start, _) in enumerate(spans) if start < marker.place), default=0)
        shares[before].append(marker)
        after = next((i for i, (_, end) in enumerate(spans) if marker.place < end), len(spans) - 1)
        leading[after].append(marker)
    leads = markers and markers[0].place <= spans[0][0] and not shares[-1]
    return leading if leads and all(leading) else shares
