"""CSL JSON: items as reference managers and citation tools export them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from index.paper import Paper, Status
from index.sources.records import Record, RecordError, Skipped, make_paper

# https://docs.citationstyles.org/en/stable/specification.html#appendix-iii-types
_TYPES = (
    "article", "article-journal", "article-magazine", "article-newspaper", "bill", "book",
    "broadcast", "chapter", "classic", "collection", "dataset", "document", "entry",
    "entry-dictionary", "entry-encyclopedia", "event", "figure", "graphic", "hearing", "interview",
    "legal_case", "legislation", "manuscript", "map", "motion_picture", "musical_score", "pamphlet",
    "paper-conference", "patent", "performance", "periodical", "personal_communication", "post",
    "post-weblog", "regulation", "report", "review", "review-book", "software", "song", "speech",
    "standard", "thesis", "treaty", "webpage", "journal-article", "proceedings-article",
    "posted-content", "book-chapter",
)  # fmt: skip
_KEYS = re.compile(
    r"\"(?:date-parts|container-title|collection-title|event-title|citation-key|citation-label"
    r"|(?:non-)?dropping-particle)\"\s*:"
)
_TYPE = re.compile(rf"\"type\"\s*:\s*\"(?:{'|'.join(_TYPES)})\"")
_FAMILY = re.compile(r"\"(?:family|literal)\"\s*:")


def is_csl(head: str) -> bool:
    """Whether the beginning of a JSON text is one of CSL items."""
    if not re.match(r"\s*(?:\[\s*\{|\{)", head):
        return False
    return bool(_KEYS.search(head) or (_TYPE.search(head) and _FAMILY.search(head)))


def read_csl(text: str, name: str) -> Iterator[Paper | Skipped]:
    """Each item, placed by its number and its key."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = f"{error.msg} at line {error.lineno}" if isinstance(
            error, json.JSONDecodeError) else "nested too deeply"  # fmt: skip
        yield Skipped(name, f"not valid JSON: {reason}; export it again")
        return
    for number, item in enumerate(_items(value), 1):
        where = f"{name}: record {number}"
        if not isinstance(item, dict):
            yield Skipped(where, "not a JSON object with fields such as title and abstract")
            continue
        key = _text(item.get("id"))
        try:
            yield make_paper(csl_record(item), f"file:{name}")
        except RecordError as error:
            yield Skipped(f"{where} ({key[:60]})" if key else where, str(error))


def _items(value: Any) -> list[Any]:
    """The items of a list, or of an object that holds a list of them."""
    for _ in range(2):
        if isinstance(value, dict):
            held = (value.get(key) for key in ("items", "references", "message"))
            value = next((one for one in held if isinstance(one, list | dict)), [value])
    return value if isinstance(value, list) else [value]


def csl_record(item: Mapping[str, Any]) -> Record:
    """The record of a CSL item."""
    doi, url, pmid = (_text(item.get(key)) for key in ("DOI", "URL", "PMID"))
    number = _text(item.get("number"))
    status = _text(item.get("status")).casefold()
    return Record(
        ids=(
            *extra_ids(_text(item.get("note"))),
            doi and (f"doi:{doi}" if doi.startswith("10.") else doi),
            number if number.casefold().startswith("arxiv") else "",
            url,
            pmid and f"pmid:{pmid}",
            _text(item.get("id")),
        ),
        title=_text(item.get("title")),
        abstract=_text(item.get("abstract")),
        authors=tuple(_names(item.get("author"))),
        published=_date(item.get("issued")) or _date(item.get("submitted")),
        venue=_text(item.get("container-title"))
        or _text(item.get("event-title"))
        or _text(item.get("event")),
        categories=_words(item),
        links=(url,),
        status=Status.RETRACTED if "retracted" in status else Status.ACTIVE,
    )


def extra_ids(note: str) -> list[str]:
    """Ids that Zotero and its plugins keep as lines of a note: `arXiv: 2401.00001`."""
    found = re.findall(r"(?im)^\s*(arxiv|doi|pmid)\s*(?:id)?\s*:\s*(\S+)", note)
    return [
        value if value.casefold().startswith(("http", "arxiv:")) else f"{kind.casefold()}:{value}"
        for kind, value in found
    ]


def _names(people: object) -> Iterator[str]:
    for one in people if isinstance(people, list) else []:
        if isinstance(one, str):
            yield one
        if not isinstance(one, dict):
            continue
        family = " ".join(
            part
            for key in ("dropping-particle", "non-dropping-particle", "family")
            if (part := _text(one.get(key)))
        )
        parts = (_text(one.get("given")), family, _text(one.get("suffix")))
        name = " ".join(part for part in parts if part)
        yield name or _text(one.get("literal")) or _text(one.get("name"))


def _date(value: object) -> str:
    """`{"date-parts": [[2024, 3, 1]]}`, whose numbers may be texts; or what was written."""
    if not isinstance(value, dict):
        return _text(value)
    parts = value.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    numbers = [_text(one) for one in first[:3]] if isinstance(first, list) else []
    # Python makes no number of some thousand digits.
    told = all(number.isdecimal() and len(number) < 5 for number in numbers)
    if numbers and told and int(numbers[0]) > 0:
        return "-".join([numbers[0].zfill(4), *(number.zfill(2) for number in numbers[1:])])
    return _text(value.get("raw")) or _text(value.get("literal"))


def _words(item: Mapping[str, Any]) -> tuple[str, ...]:
    keywords = item.get("keyword") or item.get("categories") or item.get("subject")
    if isinstance(keywords, str):
        return tuple(
            re.split(r"\s*[;|]\s*" if re.search(r"[;|]", keywords) else r"\s*,\s*", keywords)
        )
    return tuple(map(_text, keywords)) if isinstance(keywords, list) else ()


def _text(value: object) -> str:
    """A scalar as text; of the list in which Crossref keeps titles, the first."""
    if isinstance(value, list):
        return _text(value[0]) if value and not isinstance(value[0], list) else ""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**15:
        return str(value)
    return ""
