"""Columns and keys by which tools name the fields of a record."""

from __future__ import annotations

import re
from collections.abc import Mapping

from index.paper import Status
from index.sources.records import Record, first_of, split_names

# Normalised names (letters and digits only), the most trusted first.
ID = (
    "id",
    "paperid",
    "canonicalid",
    "arxivid",
    "arxiv",
    "openreviewid",
    "openreview",
    "eprint",
    "eprintid",
)
DOI = ("doi", "idsdoi", "doinumber", "do")
PMID = ("pmid", "pubmedid")
TITLE = (
    "title",
    "articletitle",
    "titleprimary",
    "displayname",
    "documenttitle",
    "primarytitle",
    "ti",
    "papertitle",
)
ABSTRACT = (
    "abstract",
    "abstractnote",
    "abstracttext",
    "summary",
    "text",
    "ab",
    "description",
    "tldr",
)
AUTHORS = (
    "authorfullnames", "authors", "author", "authornames", "authorsprimary", "creators", "creator",
    "au", "authorships", "firstauthors",
)  # fmt: skip
PUBLISHED = (
    "published", "publicationdate", "datepublished", "publisheddate", "date", "coverdate", "pubdate", "dateofpublication",
    "submitted", "publicationyear", "publishedyear", "year", "pubyear", "py",
)  # fmt: skip
YEAR = ("year", "publicationyear", "publishedyear", "pubyear", "py")
UPDATED = ("updated", "revised", "lastupdated", "updateddate")
VENUE = (
    "venue", "publicationtitle", "sourcetitle", "journal", "journaltitle", "journalbook", "booktitle", "conference",
    "conferencename", "proceedingstitle", "periodicalfull", "publication", "source", "containertitle",
)  # fmt: skip
LINK = (
    "url",
    "link",
    "links",
    "externalurl",
    "landingpageurl",
    "abslink",
    "absurl",
    "pdfurl",
    "sourceurls",
    "plink",
    "urls",
)
CATEGORIES = (
    "categories",
    "category",
    "keywords",
    "authorkeywords",
    "primarycategory",
    "fieldsofstudy",
    "manualtags",
    "tags",
    "subjects",
    "topics",
)
STATUS = ("status", "isretracted", "retracted", "withdrawn")


def normal(name: str) -> str:
    """A column's name without case, blanks and signs: `Author(s)` -> `authors`."""
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def is_record_header(names: list[str]) -> bool:
    """Whether these columns are those of a list of papers."""
    known = {normal(name) for name in names}
    return bool(known & set(TITLE + ABSTRACT)) and len(known) > 1


def record_of(fields: Mapping[str, str]) -> Record:
    """The record of a row; `fields` by normalised name."""
    doi = first_of(fields, *DOI)
    link = first_of(fields, *LINK)
    year = first_of(fields, *YEAR)
    published = first_of(fields, *PUBLISHED)
    if year and year not in published:
        published = year
    status = first_of(fields, *STATUS).casefold()
    return Record(
        ids=(
            *(fields.get(name, "") for name in ID),
            doi and f"doi:{doi}",
            doi,
            *link.split(),
            *(f"pmid:{fields[name]}" for name in PMID if fields.get(name)),
        ),
        title=first_of(fields, *TITLE),
        abstract=first_of(fields, *ABSTRACT),
        authors=tuple(split_names(first_of(fields, *AUTHORS))),
        published=published,
        announced=first_of(fields, "announced"),
        updated=first_of(fields, *UPDATED),
        venue=first_of(fields, *VENUE),
        categories=split_words(first_of(fields, *CATEGORIES)),
        links=tuple(re.findall(r"https?://[^\s;]+", link)),
        status=status_of(status, fields),
    )


def split_words(text: str) -> tuple[str, ...]:
    """Keywords of one field, parted by `;` or `|`, else by commas."""
    words = re.split(r"\s*[;|]\s*" if re.search(r"[;|]", text) else r"\s*,\s*", text)
    return tuple(word for word in words if word.casefold() != "n/a")


def status_of(status: str, fields: Mapping[str, str]) -> Status:
    yes = {"true", "1", "yes"}
    if (
        "retracted" in status
        or (fields.get("isretracted") or fields.get("retracted", "")).casefold() in yes
    ):
        return Status.RETRACTED
    if "withdrawn" in status or fields.get("withdrawn", "").casefold() in yes:
        return Status.WITHDRAWN
    return Status.ACTIVE
