"""Records of short tags and indented continuations: PubMed (MEDLINE, .nbib) and Web of Science."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from index.paper import Paper
from index.sources.records import Record, RecordError, Skipped, make_paper

_MEDLINE = re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,2}- (.*)")
_WOS = re.compile(r"([A-Z][A-Z0-9])(?: (.*))?$")
Tags = dict[str, list[str]]


def is_medline(head: str) -> bool:
    """Whether it is an export of PubMed: https://www.nlm.nih.gov/bsd/mms/medlineelements.html"""
    return bool(re.search(r"^PMID- ?\d", head, re.MULTILINE))


def is_wos(head: str) -> bool:
    """Whether it is an export of Web of Science."""
    return bool(re.search(r"^PT [A-Z]$", head, re.MULTILINE))


def read_medline(text: str, name: str) -> Iterator[Paper | Skipped]:
    """Each record, begun by its PMID."""
    yield from _read(text, name, _MEDLINE, "PMID", _medline_record)


def read_wos(text: str, name: str) -> Iterator[Paper | Skipped]:
    """Each record, begun by its publication type."""
    yield from _read(text, name, _WOS, "PT", _wos_record)


def _read(
    text: str, name: str, form: re.Pattern[str], first: str, record: Callable[[Tags], Record]
) -> Iterator[Paper | Skipped]:
    for line, tags in _records(text, form, first):
        try:
            yield make_paper(record(tags), f"file:{name}")
        except RecordError as error:
            yield Skipped(f"{name}:{line}", str(error))


def _records(text: str, form: re.Pattern[str], first: str) -> Iterator[tuple[int, Tags]]:
    tags: Tags = {}
    start, last = 0, ""
    for number, line in enumerate(text.split("\n"), 1):
        match = form.match(line)
        if match and match[1] == first:
            if tags:
                yield start, tags
            tags, start = {}, number
        if match and start:
            last = match[1]
            tags.setdefault(last, []).append((match[2] or "").strip())
        elif start and last and line.startswith("  ") and line.strip():
            # Names continue one a line, everything else runs on.
            if last in {"AU", "AF"}:
                tags[last].append(line.strip())
            else:
                tags[last][-1] += " " + line.strip()
    if tags:
        yield start, tags


def _joined(tags: Mapping[str, list[str]], *names: str) -> str:
    return next((" ".join(tags[name]).strip() for name in names if tags.get(name)), "")


def _medline_record(tags: Tags) -> Record:
    identifiers = tags.get("LID", []) + tags.get("AID", [])
    doi = next((text.removesuffix("[doi]").strip() for text in identifiers if "[doi]" in text), "")
    return Record(
        ids=(doi and f"doi:{doi}", f"pmid:{_joined(tags, 'PMID')}"),
        title=_joined(tags, "TI", "BTI"),
        abstract=_joined(tags, "AB"),
        authors=tuple(tags.get("FAU") or tags.get("AU", [])),
        published=_joined(tags, "DP"),
        venue=_joined(tags, "JT", "TA"),
        categories=tuple(tags.get("OT", [])),
    )


def _wos_record(tags: Tags) -> Record:
    doi = _joined(tags, "DI")
    return Record(
        ids=(doi and f"doi:{doi}",),
        title=_joined(tags, "TI"),
        abstract=_joined(tags, "AB"),
        authors=tuple(tags.get("AF") or tags.get("AU", [])),
        published=f"{_joined(tags, 'PD')} {_joined(tags, 'PY')}",
        venue=_joined(tags, "SO"),
        categories=tuple(word for word in _joined(tags, "DE", "ID").split("; ") if word),
    )
