"""Plain text: a heading, then abstracts parted by blank lines, with or without titles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from index.paper import Paper
from index.sources.fields import record_of
from index.sources.records import Record, RecordError, Skipped, iso_date, make_paper

_LABEL = re.compile(
    r"^(?:\d+[.)]\s*)?(title|authors?|abstract|venue|journal|year|date|url|link|doi|id|keywords)\s*:\s*(.*)$",
    re.IGNORECASE,
)
_COLLECTION = re.compile(
    r"\b(?:1[89]|2[01])\d\d\b|\b(?:papers|abstracts|proceedings|conference|workshop|journal|reading list|library)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines between blank lines."""

    line: int
    lines: list[str]

    @property
    def text(self) -> str:
        return " ".join(self.lines)

    @property
    def words(self) -> int:
        return len(self.text.split())

    @property
    def is_title(self) -> bool:
        """A line or two without a full stop."""
        return (
            len(self.lines) <= 2
            and self.words <= 25
            and not self.text.endswith((".", "!", ",", ";"))
        )


def read_text(text: str, name: str) -> Iterator[Paper | Skipped]:
    """Each abstract, with the venue and year of the heading where there is one."""
    if re.search(r"^(?:\d+[.)]\s*)?title\s*:", text, re.IGNORECASE | re.MULTILINE) and re.search(
        r"^abstract\s*:", text, re.IGNORECASE | re.MULTILINE
    ):
        yield from _labelled(text, name)
        return
    blocks = _blocks(text)
    heading = _heading(blocks)
    venue = _venue(heading.text) if heading else ""
    published = iso_date(heading.text)[:4] if heading else ""
    for line, title, abstract in _records(blocks[1:] if heading else blocks):
        where = f"{name}:{line}"
        if len(abstract.split()) < 8:
            yield Skipped(where, f"too short for an abstract: {(title or abstract)[:60]!r}")
            continue
        record = Record(title=title, abstract=abstract, venue=venue, published=published)
        try:
            yield make_paper(record, f"file:{name}")
        except RecordError as error:
            yield Skipped(where, str(error))


def _blocks(text: str) -> list[_Block]:
    blocks: list[_Block] = []
    lines: list[str] = []
    for number, raw in enumerate([*text.split("\n"), ""], 1):
        line = raw.strip()
        if line and not re.fullmatch(r"[-=_*#~]{3,}", line):
            lines.append(re.sub(r"^(?:#{1,6}|[-*•])\s+", "", line))
        elif lines:
            blocks.append(_Block(number - len(lines), lines))
            lines = []
    return blocks


def _heading(blocks: list[_Block]) -> _Block | None:
    """The first block where it heads the whole file rather than the first abstract."""
    if len(blocks) < 2 or not blocks[0].is_title or blocks[0].words > 15:
        return None
    if blocks[1].is_title or _COLLECTION.search(blocks[0].text):
        return blocks[0]
    titled = sum(block.is_title for block in blocks[1:])
    return blocks[0] if len(blocks) > 2 and not titled else None


def _venue(heading: str) -> str:
    """`ICLR 2026 Papers` -> `ICLR 2026`."""
    venue = re.sub(r"\b(?:accepted|selected|all|list of|my)\b", " ", heading, flags=re.IGNORECASE)
    venue = re.sub(
        r"\b(?:papers?|abstracts?|submissions?|articles?|posters?)\b.*$",
        " ",
        venue,
        flags=re.IGNORECASE,
    )
    return " ".join(venue.split()).strip(" :-–—,(")


def _records(blocks: list[_Block]) -> Iterator[tuple[int, str, str]]:
    """Line, title and abstract of each record; what is left over is a record of its own."""
    pending: _Block | None = None
    for block in blocks:
        if block.is_title:
            if pending:
                yield pending.line, "", pending.text
            pending = block
            continue
        title, abstract = ("", block.text) if pending else _title_line(block)
        line = pending.line if pending else block.line
        yield line, pending.text if pending else title, abstract
        pending = None
    if pending:
        yield pending.line, "", pending.text


def _title_line(block: _Block) -> tuple[str, str]:
    """Title and abstract of a block whose first line is evidently a title."""
    first, rest = block.lines[0], block.lines[1:]
    if not rest or first.endswith((".", ",", ";", ":", "-")) or len(first.split()) > 25:
        return "", block.text
    longest = max(map(len, rest))
    evident = longest > 150 or len(first) < 0.75 * longest
    opens = rest[0][:1].isupper() or not rest[0][:1].isalpha()
    if evident and opens and len(" ".join(rest).split()) >= 25:
        return first, " ".join(rest)
    return "", block.text


def _labelled(text: str, name: str) -> Iterator[Paper | Skipped]:
    """Records of lines such as `Title: …` and `Abstract: …`, each begun by its title."""
    fields: dict[str, str] = {}
    start, label = 1, ""
    for number, line in enumerate([*text.split("\n"), "title:"], 1):
        match = _LABEL.match(line.strip())
        if match and match[1].casefold() == "title":
            if fields:
                yield _labelled_paper(fields, f"{name}:{start}", name)
            fields, start = {}, number
        if match:
            label = match[1].casefold()
            fields[label] = match[2]
        elif label and line.strip():
            fields[label] += " " + line.strip()


def _labelled_paper(fields: dict[str, str], where: str, name: str) -> Paper | Skipped:
    try:
        return make_paper(record_of(fields), f"file:{name}")
    except RecordError as error:
        return Skipped(where, str(error))
