"""Rich text: spans with styles, cut into messages, written as Telegram's HTML.

Cutting happens on the text people see, so that no tag can be broken; each piece is then written as
HTML on its own. See https://core.telegram.org/bots/api#html-style.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

MAX_UNITS = 4096
"""UTF-16 units of a message after parsing. The server counts code points, which are never more."""
MAX_ENTITIES = 90
"""The server keeps 100 and drops the rest without a word; links it finds itself count as well."""
MAX_BYTES = 30_000
"""Of markup; the server refuses 32,768."""
MAX_LINK = 1000

_BIDI_CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_FOUND_BY_SERVER = re.compile(r"[@#$/:.]\w")
_INVISIBLE = frozenset("\u115f\u1160\u2800\u3164\uffa0")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text in one style."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    link: str = ""
    quote: bool = False
    """Part of a blockquote that opens on a tap."""

    @property
    def entities(self) -> int:
        """At most so many entities come of it."""
        own = self.bold + self.italic + self.code + bool(self.link) + self.quote
        return own + len(_FOUND_BY_SERVER.findall(self.text))


Spans = tuple[Span, ...]


def shown(text: str) -> str:
    """Text from a record, made safe to show beside other text.

    Characters the server refuses are dropped. Text with letters written from right to left is
    isolated, so that numbers and punctuation around it stay where they are
    (https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates).
    """
    text = _BIDI_CONTROLS.sub("", sendable(text))
    if any(unicodedata.bidirectional(character) in {"R", "AL"} for character in text):
        return f"\u2068{text}\u2069"
    return text


def sendable(text: str) -> str:
    """The text without control characters and halves of surrogate pairs."""
    return _FORBIDDEN.sub("", text)


def is_blank(text: str) -> bool:
    """True where a person would see nothing; the server refuses such a message."""
    return all(c in _INVISIBLE or unicodedata.category(c)[0] in "ZC" for c in text)


def units(text: str) -> int:
    """Length in UTF-16 units."""
    return len(text) + sum(character > "\uffff" for character in text)


def plain(spans: Sequence[Span]) -> str:
    """The text people see."""
    return "".join(span.text for span in spans)


def to_html(spans: Sequence[Span]) -> str:
    """Markup of the spans; stretches of one blockquote become one."""
    written: list[str] = []
    quoting = False
    for span in spans:
        if span.quote != quoting:
            written.append("<blockquote expandable>" if span.quote else "</blockquote>")
            quoting = span.quote
        written.append(_styled(span))
    if quoting:
        written.append("</blockquote>")
    return "".join(written)


def strip_html(markup: str) -> str:
    """The text of our own markup, for a server that does not accept it."""
    return html.unescape(re.sub(r"</?[a-z][^<>]*>", "", markup))


def _styled(span: Span) -> str:
    text = html.escape(span.text, quote=False)
    # Spaces alone carry no entity, and an empty tag none either.
    if not span.text.strip():
        return text
    for on, tag in ((span.code, "code"), (span.italic, "i"), (span.bold, "b")):
        if on:
            text = f"<{tag}>{text}</{tag}>"
    if span.link:
        text = f'<a href="{html.escape(span.link)}">{text}</a>'
    return text


def usable_link(link: str) -> str:
    """A web address a message may link to, else an empty string."""
    if not link.startswith(("https://", "http://")) or len(link) > MAX_LINK:
        return ""
    return "" if re.search(r"[\s\x00-\x1f\ud800-\udfff]", link) else link


def cut(spans: Sequence[Span]) -> list[Spans]:
    """Messages that hold the spans in order, none blank, each within the limits of the server."""
    messages: list[Spans] = []
    rest = _trim([replace(span, text=sendable(span.text)) for span in spans])
    while rest:
        end = _fitting(rest)
        text = plain(rest)
        if end < len(text):
            end = _best_break(text, end)
        first, rest = _slice(rest, 0, end), _trim(_slice(rest, end, len(text)))
        if trimmed := _trim(first):
            messages.append(tuple(trimmed))
    return messages


def _fitting(spans: Sequence[Span]) -> int:
    """Index up to which the text fits one message; at least 1."""
    room_units, room_bytes, room_entities, position = MAX_UNITS, MAX_BYTES, MAX_ENTITIES, 0
    for span in spans:
        room_entities -= span.entities
        room_bytes -= 80 + len(html.escape(span.link).encode())
        if room_entities < 0 and position:
            return position
        size = _room_for(span.text, room_units, room_bytes)
        position += size
        if size < len(span.text):
            return max(position, 1)
        room_units -= units(span.text)
        room_bytes -= _bytes(span.text)
    return position


def _room_for(text: str, room_units: int, room_bytes: int) -> int:
    """How many characters of the text fit; found by halving, as each one counts differently."""
    low, high = 0, min(len(text), max(room_units, 0))
    while low < high:
        middle = (low + high + 1) // 2
        head = text[:middle]
        if units(head) <= room_units and _bytes(head) <= room_bytes:
            low = middle
        else:
            high = middle - 1
    return low


def _bytes(text: str) -> int:
    return len(html.escape(text, quote=False).encode())


_BREAKS = (
    re.compile(r"\n\n+"),
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?。！？])\s+"),
    re.compile(r"\s+"),
)


def _best_break(text: str, end: int) -> int:
    """Where to cut at or before `end`: between blocks, else lines, sentences, words, graphemes."""
    for kind in _BREAKS:
        # Only the later part of the window, lest a message holds a heading alone.
        last = None
        for last in kind.finditer(text, end // 3, end):  # noqa: B007 - the last one counts
            pass
        if last and last.start() > 0 and whole_before(text, last.end()):
            return last.end()
    position = end
    while position > 0 and not whole_before(text, position):
        position -= 1
    # One "letter" of thousands of combining marks has to be cut somewhere.
    return position or end


def whole_before(text: str, position: int) -> bool:
    """True where no grapheme reaches over this position, by the main rules of UAX #29."""
    if position <= 0 or position >= len(text):
        return True
    before, after = text[position - 1], text[position]
    if "\u200d" in (before, after) or _extends(after):
        return False
    if _is_flag(before) and _is_flag(after):
        run = 0
        while run < position and _is_flag(text[position - 1 - run]):
            run += 1
        return run % 2 == 0
    if "\u1100" <= before <= "\u11ff" and "\u1160" <= after <= "\u11ff":
        return after < "\u11a8" <= before  # a Hangul syllable: leading, vowel, trailing letters
    # A consonant joined to the one before by a virama.
    return not (unicodedata.combining(before) == 9 and unicodedata.category(after) == "Lo")


def _extends(character: str) -> bool:
    return (
        unicodedata.category(character)[0] == "M"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
        or character == "\u200c"
    )


def _is_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _slice(spans: Sequence[Span], start: int, end: int) -> list[Span]:
    taken: list[Span] = []
    position = 0
    for span in spans:
        low, high = max(start - position, 0), min(end - position, len(span.text))
        if low < high:
            taken.append(replace(span, text=span.text[low:high]))
        position += len(span.text)
    return taken


def _trim(spans: list[Span]) -> list[Span]:
    """Without what nobody sees at either end; empty where nothing is left."""
    text = plain(spans)
    if is_blank(text):
        return []
    start = len(text) - len(text.lstrip())
    return _slice(spans, start, len(text.rstrip()))


def joined(blocks: Sequence[Sequence[Span]], gap: str = "\n\n") -> Iterator[Span]:
    """Blocks one after the other, parted by a gap."""
    first = True
    for block in blocks:
        if not plain(block).strip():
            continue
        if not first:
            yield Span(gap)
        first = False
        yield from block
