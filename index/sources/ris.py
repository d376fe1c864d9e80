"""RIS, as reference managers write it: https://en.wikipedia.org/wiki/RIS_(file_format)"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import rispy

from index.paper import Paper
from index.sources.records import Record, RecordError, Skipped, first_of, make_paper

# Tolerant of `TY - JOUR`, of a missing blank after the hyphen, and of indented tags.
_TAG = re.compile(r"\s{0,3}([A-Z][A-Z0-9])\s{1,3}-(?:\s(.*)|)$")
_AUTHOR_TAGS = ("AU", "A1")


@dataclass
class _Entry:
    line: int
    typed: bool = True
    """False for tags that no `TY` precedes."""
    lines: list[str] = field(default_factory=list)


def read_ris(text: str, name: str) -> Iterator[Paper | Skipped]:
    """Each record, placed by the line of its `TY`; junk between records is passed over.

    A record without `ER` ends where the next begins.
    """
    for entry in _entries(text):
        where = f"{name}:{entry.line}"
        if not entry.typed:
            yield Skipped(where, "lines of a record without the TY that begins one")
            continue
        try:
            parsed = rispy.loads("\n".join(entry.lines), skip_unknown_tags=True)
        except (rispy.parser.ParseError, ValueError, KeyError, TypeError, AttributeError) as error:
            yield Skipped(where, f"broken record: {error}")
            continue
        if not parsed:
            yield Skipped(where, "broken record: nothing could be read")
            continue
        try:
            yield make_paper(_record(parsed[0]), f"file:{name}")
        except RecordError as error:
            yield Skipped(where, str(error))


def _entries(text: str) -> Iterator[_Entry]:
    entry: _Entry | None = None
    for number, line in enumerate(text.split("\n"), 1):
        match = _TAG.match(line)
        tag, content = (match[1], match[2] or "") if match else ("", line)
        if tag == "TY":
            if entry:
                yield _closed(entry)
            entry = _Entry(number)
        elif not entry and tag and tag != "ER":
            entry = _Entry(number, typed=False)
        elif not entry:
            continue
        if tag == "ER":
            yield _closed(entry)
            entry = None
        elif tag:
            entry.lines.append(f"{tag}  - {content.strip()}")
        elif line.strip():
            entry.lines.append(content.strip())
    if entry:
        yield _closed(entry)


def _closed(entry: _Entry) -> _Entry:
    entry.lines.append("ER  - ")
    return entry


def _record(parsed: dict[str, object]) -> Record:
    fields = {key: value if isinstance(value, str) else "" for key, value in parsed.items()}

    def listed(*names: str) -> tuple[str, ...]:
        for name in names:
            value = parsed.get(name)
            if isinstance(value, list) and (
                items := tuple(str(item).strip() for item in value if str(item).strip())
            ):
                return items
        return ()

    links = tuple(link for item in listed("urls") for link in re.findall(r"https?://[^\s;]+", item))
    doi = re.sub(r"^doi:\s*", "", first_of(fields, "doi"), flags=re.IGNORECASE)
    date = first_of(fields, "date", "publication_year", "year")
    year = first_of(fields, "year", "publication_year")[:4]
    return Record(
        ids=(
            doi and f"doi:{doi}",
            doi,
            *links,
            fields.get("id", ""),
            fields.get("accession_number", ""),
        ),
        title=first_of(fields, "title", "primary_title", "short_title", "translated_title"),
        abstract=first_of(fields, "abstract", "notes_abstract"),
        authors=listed("authors", "first_authors"),
        published=date if not year or year in date else year,
        venue=first_of(
            fields,
            "secondary_title",
            "journal_name",
            "alternate_title3",
            "alternate_title2",
            "alternate_title1",
            "tertiary_title",
        ),
        categories=listed("keywords"),
        links=links,
    )
