"""BibTeX and BibLaTeX."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping

from bibtexparser.entrypoint import parse_string
from bibtexparser.library import Library
from bibtexparser.model import (
    Block,
    DuplicateBlockKeyBlock,
    DuplicateFieldKeyBlock,
    Entry,
    ParsingFailedBlock,
    String,
)

from index.paper import Paper
from index.sources.records import (
    MONTHS,
    Record,
    RecordError,
    Skipped,
    first_of,
    iso_date,
    make_paper,
)
from index.text.tex import clean

# What it warns of, we report as skipped records.
logging.getLogger("bibtexparser").setLevel(logging.ERROR)

# A braced or quoted part (two levels of braces are enough inside `#` lists), `#`, or a bare word.
_PART = re.compile(r'\{(?:[^{}]|\{[^{}]*\})*\}|"(?:[^"{}]|\{[^{}]*\})*"|#|[^\s#"{}]+')


def read_bibtex(text: str, name: str) -> Iterator[Paper | Skipped]:
    """Each `@` entry, placed by its line; strings, comments and preambles are no records."""
    # No middleware: its own resolution of strings does not know `"a " # name`.
    library = parse_string(text, parse_stack=[])
    strings = _strings(library)
    entries = {entry.key: entry for entry in library.entries}
    for block in library.blocks:
        entry, reason = _entry(block)
        where = f"{name}:{(block.start_line or 0) + 1}"
        if entry is None:
            if reason:
                yield Skipped(where, reason)
            continue
        try:
            yield make_paper(_record(_fields(entry, entries, strings)), f"file:{name}")
        except RecordError as error:
            yield Skipped(where, f"{entry.key or 'entry'}: {error}")


def _entry(block: Block) -> tuple[Entry | None, str]:
    """The entry of a block, or why there is none; no reason where the block is no record."""
    if isinstance(block, Entry):
        return block, ""
    if isinstance(block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock):
        # Two entries of one key may be two papers: identity is not the key's business.
        inner = block.ignore_error_block
        if isinstance(inner, Entry):
            return inner, ""
        return None, ""
    if isinstance(block, ParsingFailedBlock):
        raw = (block.raw or "").strip()
        key = re.match(r"@\s*(\w+)\s*[{(]\s*([^\s,{}()]*)", raw)
        if key and key[1].casefold() in {"string", "comment", "preamble"}:
            return None, ""
        named = f"{key[2]}: " if key and key[2] else ""
        return None, f"{named}broken entry: {_one_line(block.error)}"
    return None, ""


def _one_line(error: Exception) -> str:
    message = " ".join(str(getattr(error, "abort_reason", "") or error).split())
    return message[:160] or type(error).__name__


def _fields(
    entry: Entry, entries: Mapping[str, Entry], strings: Mapping[str, str]
) -> dict[str, str]:
    """Fields by lower-case name; what is missing comes from the entry named by `crossref`."""
    fields: dict[str, str] = {}
    for item in entry.fields:
        name = item.key.casefold()
        fields.setdefault(name, _checked(name, _value(item.value, strings)))
    fields["entrytype"] = entry.entry_type.casefold()
    parent = entries.get(fields.get("crossref", ""))
    if parent is not None and parent is not entry:
        inherited = {item.key.casefold(): _value(item.value, strings) for item in parent.fields}
        if "title" in inherited:
            inherited.setdefault("booktitle", inherited.pop("title"))
        for key in ("booktitle", "year", "date", "month", "journal", "publisher"):
            if key in inherited:
                fields.setdefault(key, inherited[key])
    return fields


def _strings(library: Library) -> dict[str, str]:
    """Values of `@string`, by lower-case name; each may use those before it."""
    strings = {month: month for month in MONTHS}
    for block in library.blocks:
        inner = getattr(block, "ignore_error_block", None) or block
        if isinstance(inner, String):
            strings[inner.key.casefold()] = _value(inner.value, strings)
    return strings


def _checked(name: str, value: str) -> str:
    """The value, unless a comma is missing behind it and it holds the next field too."""
    depth = 0
    for sign in re.findall(r"(?<!\\)[{}]", value):
        depth += 1 if sign == "{" else -1
        if depth < 0:
            raise RecordError(f"no comma after the field {name}")
    return value


def _value(raw: object, strings: Mapping[str, str]) -> str:
    """The text of a field: `{…}`, `"…"`, a number or a string's name, joined by `#`."""
    parts = [match[0] for match in _PART.finditer(str(raw).strip())]
    if len(parts) < 2 or "#" not in parts:
        parts = [str(raw).strip()]
    return "".join(_part(part, strings) for part in parts if part != "#")


def _part(part: str, strings: Mapping[str, str]) -> str:
    if len(part) > 1 and (part[0], part[-1]) in {("{", "}"), ('"', '"')}:
        return part[1:-1]
    return strings.get(part.casefold(), part)


def _record(fields: Mapping[str, str]) -> Record:
    doi, link = first_of(fields, "doi"), first_of(fields, "url", "ee", "link", "howpublished")
    links = tuple(re.findall(r"https?://[^\s{}\\]+", link.replace(r"\_", "_").replace(r"\%", "%")))
    eprint = first_of(fields, "eprint", "arxivid", "arxiv")
    archive = first_of(fields, "archiveprefix", "eprinttype").casefold() or "arxiv"
    return Record(
        ids=(
            f"arXiv:{eprint}" if eprint and archive == "arxiv" else "",
            doi and f"doi:{doi}",
            doi,
            *links,
            first_of(fields, "journal"),
            first_of(fields, "note"),
        ),
        title=unbraced(first_of(fields, "title", "shorttitle")),
        abstract=unbraced(first_of(fields, "abstract")),
        authors=tuple(_names(first_of(fields, "author", "editor"))),
        published=_date(fields),
        venue=unbraced(
            first_of(
                fields,
                "journal",
                "journaltitle",
                "booktitle",
                "eventtitle",
                "school",
                "institution",
                "publisher",
            )
        ),
        categories=tuple(
            unbraced(word) for word in re.split(r"\s*[,;]\s*", first_of(fields, "keywords"))
        ),
        links=links,
    )


def unbraced(text: str) -> str:
    """Text without the braces that only protect capitals: `{LSTM}s` -> `LSTMs`.

    Braces that belong to a macro or to mathematics stay.
    """
    parts = re.split(r"(\$[^$]*\$)", clean(text))
    return "".join(part if part.startswith("$") else _unbraced(part) for part in parts)


def _unbraced(text: str) -> str:
    kept, stack = [], []
    for place, character in enumerate(text):
        if character == "{" and text[place - 1 : place] != "\\":
            macro = bool(re.search(r"\\[A-Za-z]+(?:\{[^{}]*\})?\s*$|[_^]$|\\.$", text[:place]))
            stack.append(macro)
            kept.append(character if macro else "")
        elif character == "}" and text[place - 1 : place] != "\\" and stack:
            kept.append(character if stack.pop() else "")
        else:
            kept.append(character)
    return "".join(kept)


def _names(text: str) -> Iterator[str]:
    """Names of a list joined by `and` outside braces."""
    depth, start = 0, 0
    for match in re.finditer(r"[{}]|\s+and\s+", text, re.IGNORECASE):
        if match[0] in "{}":
            depth += 1 if match[0] == "{" else -1
        elif depth <= 0:
            yield _name(text[start : match.start()])
            start = match.end()
    if text[start:].strip():
        yield _name(text[start:])


def _name(text: str) -> str:
    # A name wholly in braces is an institution: its commas part nothing.
    text = text.strip().strip(",")
    if re.fullmatch(r"\{[^{}]*\}", text):
        return unbraced(text).replace(",", " ")
    return unbraced(text).replace("~", " ")


def _date(fields: Mapping[str, str]) -> str:
    whole = first_of(fields, "date")
    if whole:
        return iso_date(whole)
    year = first_of(fields, "year")
    month = unbraced(first_of(fields, "month"))
    if re.fullmatch(r"0?[1-9]|1[0-2]", month):
        return iso_date(f"{iso_date(year)[:4]}-{int(month):02d}")
    return iso_date(f"{month} {year}")
