"""Records as files and services give them, and the papers made of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from index.identity import PREFIXES, arxiv_version, canonical_id, text_id
from index.paper import Paper, Status
from index.text.plain import one_line, visible
from index.text.tex import clean
from index.text.titles import derive_title


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that could not be taken."""

    where: str
    """Its place, e.g. `refs.bib:31` or `export.csv:12`."""
    reason: str
    """What is wrong with it, in a few words a person can act on."""

    def __post_init__(self) -> None:
        # Both may quote what a source wrote.
        object.__setattr__(self, "where", one_line(self.where) or "a record")
        object.__setattr__(self, "reason", one_line(self.reason) or "no reason is told")


class SourceError(Exception):
    """A source that cannot be read at all; the message is one line that says what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class RecordError(ValueError):
    """A record that no paper can be made of; the message is the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The fields of one record as the source wrote them; empty where it says nothing."""

    ids: tuple[str, ...] = ()
    """What may identify the paper, the most trusted first: ids, DOI, links."""
    title: str = ""
    abstract: str = ""
    authors: tuple[str, ...] = ()
    published: str = ""
    announced: str = ""
    """The day a service announced it; of use only where it agrees with the arXiv id."""
    updated: str = ""
    venue: str = ""
    categories: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    status: Status = Status.ACTIVE


_SHARED = ("arxiv:", "openreview:", "doi:", "text:")
_NOBODY = re.compile(r"(?:and\s+)?(?:others?|et\.?\s*al\.?|\.{3}|…)", re.IGNORECASE)
_NO_ABSTRACT = re.compile(
    r"(?:\[?no abstract(?: (?:is )?available)?\.?\]?|n/?a|none|null|nan|-+|abstract|not available)",
    re.IGNORECASE,
)
_WITHDRAWN = re.compile(
    r"\b(?:this (?:paper|article|submission|manuscript) has been withdrawn)\b", re.IGNORECASE
)
_RETRACTED = re.compile(
    r"^(?:\[?retracted(?: article)?\]?\s*:|retraction(?: note)?\s*:)", re.IGNORECASE
)


def make_paper(record: Record, source: str) -> Paper:
    """The paper of a record; `source` says where it came from, e.g. `file:refs.bib`.

    Raises RecordError where there is neither a title nor an abstract.
    """
    title, abstract = _title(record.title), clean_abstract(record.abstract)
    derived = not title
    if derived:
        if not abstract:
            raise RecordError("it has neither a title nor an abstract")
        title = derive_title(abstract)
    authors, truncated = author_names(record.authors)
    written = [text for one in record.ids if (text := visible(one).strip())]
    known = [key for key in map(canonical_id, written) if key]
    versions = [arxiv_version(text) for text in written + list(record.links)]
    status = record.status
    if status is Status.ACTIVE and _WITHDRAWN.search(abstract):
        status = Status.WITHDRAWN
    if status is Status.ACTIVE and _RETRACTED.search(title):
        status = Status.RETRACTED
    paper_id = _best_id(known) or _given_id(written) or text_id(abstract or title)
    return Paper(
        id=paper_id,
        title=title,
        abstract=abstract,
        authors=authors,
        authors_truncated=truncated,
        published=_first_published(paper_id, iso_date(record.published), record.announced),
        updated=iso_date(record.updated),
        venue=clean(record.venue),
        categories=_unique(map(clean, record.categories)),
        aliases=tuple(key for key in dict.fromkeys(known) if key != paper_id),
        links=_links(paper_id, known, record.links),
        status=status,
        source=source,
        version=max(versions, default=0),
        title_derived=derived,
    )


def clean_abstract(raw: str) -> str:
    """The abstract as it is stored; empty for the words by which exports say that there is none."""
    text = clean(
        re.sub(
            r"</?(?:jats:)?(?:p|i|b|em|strong|sec|title|italic|bold|sub|sup|span|br)\b[^<>]*>",
            " ",
            raw,
        )
    )
    return "" if _NO_ABSTRACT.fullmatch(text) else text


def author_names(authors: Iterable[str]) -> tuple[tuple[str, ...], bool]:
    """Names as `Given Family`, and whether the source said that there are more ("and others")."""
    names, truncated = [], False
    for author in authors:
        # Scopus puts its own number after the name.
        name = re.sub(r"\s*\(\d{6,}\)", "", clean(author)).strip(" ,;")
        shortened = re.sub(r"[\s,]+(?:and others|et\.? al\.?)$", "", name, flags=re.IGNORECASE)
        truncated |= shortened != name
        if _NOBODY.fullmatch(shortened):
            truncated = True
        elif shortened:
            names.append(_given_first(shortened))
    return _unique(names), truncated


def _given_first(name: str) -> str:
    parts = [part.strip() for part in name.split(",")]
    parts = [part for part in parts if part.casefold() != "null"]
    if len(parts) == 2 and all(parts):
        return f"{parts[1]} {parts[0]}"
    if len(parts) == 3 and all(parts):  # BibTeX: von Last, Jr, First
        return f"{parts[2]} {parts[0]} {parts[1]}"
    return name


MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def iso_date(text: str) -> str:
    """An ISO date as precise as the text is, or an empty string: `Mar 2024` -> `2024-03`."""
    text = clean(text)
    numeric = re.search(
        r"(?<!\d)(?P<y>1[5-9]\d\d|2[01]\d\d)(?:[-/.](?P<m>\d{1,2})(?!\d)(?:[-/.](?P<d>\d{1,2})(?!\d))?)?",
        text,
    )
    # `4/3/2024` may be April or March: only the year is certain.
    if not numeric:
        return ""
    year, month, day = int(numeric["y"]), int(numeric["m"] or 0), int(numeric["d"] or 0)
    if not month and (
        named := re.search(
            r"(?i)(?:(?<!\d)(\d{1,2})(?:st|nd|rd|th)?\.?\s+)?\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:\s+(\d{1,2})(?!\d))?",
            text,
        )
    ):
        month, day = MONTHS.index(named[2].casefold()) + 1, int(named[1] or named[3] or 0)
    if not 1 <= month <= 12:
        return f"{year:04d}"
    try:
        return date(year, month, day).isoformat() if day else f"{year:04d}-{month:02d}"
    except ValueError:
        return f"{year:04d}-{month:02d}"


def _first_published(paper_id: str, published: str, announced: str) -> str:
    """A year made as precise as the paper's arXiv id, which begins with year and month."""
    month = re.match(r"arxiv:([0-9]{2})(0[1-9]|1[0-2])\.", paper_id)
    if not month or len(published) > 4:
        return published
    exact = f"20{month[1]}-{month[2]}"
    if published not in {"", exact[:4]}:
        return published
    day = iso_date(announced)
    return day if day.startswith(exact) else exact


def split_names(text: str) -> list[str]:
    """Names of one field: parted by `;`, `and` or, where no part is a mere given name, commas."""
    text = text.strip()
    if ";" in text:
        return [name for name in re.split(r"\s*;\s*", text) if name]
    if re.search(r"\s+and\s+", text):
        parts = re.split(r"\s+and\s+|\s*&\s*", text)
        # `A. One, B. Two and C. Three`, but `One, A. and Two, B.`
        if len(parts) == 2 and parts[0].count(",") and "," not in parts[1]:
            return [name for name in re.split(r"\s*,\s*", parts[0]) if name] + [parts[1]]
        return [name.strip(", ") for name in parts if name.strip(", ")]
    if "|" in text:
        return [name for name in re.split(r"\s*\|\s*", text) if name]
    parts = [part for part in re.split(r"\s*,\s*", text) if part]
    if len(parts) > 1 and all(" " in part for part in parts):
        return parts
    if len(parts) > 3 and len(parts) % 2 == 0 and all(len(part.split()) <= 2 for part in parts):
        return [f"{family}, {given}" for family, given in zip(parts[::2], parts[1::2], strict=True)]
    return [text] if text else []


def first_of(fields: Mapping[str, str], *names: str) -> str:
    """The first of these fields that says something."""
    return next((value for name in names if (value := fields.get(name, "").strip())), "")


def _title(raw: str) -> str:
    title = clean(raw).strip()
    return (
        ""
        if re.fullmatch(r"(?i)(?:untitled|no title|n/?a|none|null|nan|\[no title\])?", title)
        else title
    )


def _best_id(known: list[str]) -> str:
    """The first id that other sources use too, before the number of one database."""
    return next((key for key in known if key.startswith(_SHARED)), known[0] if known else "")


def _given_id(written: list[str]) -> str:
    """An id of a scheme we know by name but not by form, as the source wrote it."""
    for text in written:
        prefix, _, rest = text.partition(":")
        if prefix in PREFIXES and rest and not re.search(r"\s", text):
            return text
    return ""


def _links(paper_id: str, known: list[str], written: Iterable[str]) -> tuple[str, ...]:
    links = [
        link
        for text in written
        if (link := visible(text).strip()) and re.match(r"https?://\S+$", link)
    ]
    return _unique(
        links + [link for key in dict.fromkeys([paper_id, *known]) if (link := home_page(key))]
    )


def home_page(paper_id: str) -> str:
    """The page of a canonical id, or an empty string."""
    scheme, _, rest = paper_id.partition(":")
    pages = {
        "arxiv": "https://arxiv.org/abs/",
        "openreview": "https://openreview.net/forum?id=",
        "doi": "https://doi.org/",
        "openalex": "https://openalex.org/",
        "pmid": "https://pubmed.ncbi.nlm.nih.gov/",
    }
    return pages[scheme] + rest if scheme in pages else ""


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text))
