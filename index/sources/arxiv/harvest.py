"""One answer of arXiv's OAI-PMH: https://www.openarchives.org/OAI/openarchivesprotocol.html"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from email.utils import parsedate_to_datetime
from xml.etree.ElementTree import Element

from index.paper import Paper
from index.sources.arxiv.papers import paper_of
from index.sources.arxiv.service import children, local, parse, text_of
from index.sources.records import Skipped, split_names
from index.sources.source import BadAnswer


@dataclass(frozen=True, slots=True)
class Harvested:
    """One answer."""

    records: tuple[tuple[Paper | Skipped, str], ...] = ()
    """With each its datestamp: when the record changed last, never when it was submitted."""
    token: str = ""
    """Asks for what follows; empty at the end."""
    error: str = ""
    """The code of an error, such as `badResumptionToken`."""
    said: str = ""


def read_harvest(body: bytes) -> Harvested:
    """Read an answer to ListRecords, in `arXiv` or `arXivRaw`.

    Raises BadAnswer: it is none.
    """
    root = parse(body)
    if local(root) != "OAI-PMH":
        raise BadAnswer("arXiv answered with something that is no OAI-PMH; try again later")
    for error in children(root, "error"):
        return Harvested(error=error.get("code", "unknown"), said=(error.text or "").strip())
    for answer in children(root, "ListRecords"):
        records = tuple(_record(one) for one in children(answer, "record"))
        return Harvested(records, text_of(answer, "resumptionToken"))
    raise BadAnswer("arXiv answered with OAI-PMH that holds no records; try again later")


def _record(record: Element) -> tuple[Paper | Skipped, str]:
    headers = children(record, "header")
    header = headers[0] if headers else record
    stamp = _stamp(text_of(header, "datestamp"))
    written = re.sub(r"^oai:arXiv\.org:", "", text_of(header, "identifier"))
    if header.get("status") == "deleted":
        return Skipped(f"arxiv:{written}"[:80], "arXiv has deleted it"), stamp
    for metadata in children(record, "metadata"):
        for fields in metadata:
            return _paper(fields, written), stamp
    return Skipped(f"arxiv:{written}"[:80], "its record is empty"), stamp


def _paper(fields: Element, written: str) -> Paper | Skipped:
    number = text_of(fields, "id") or written
    versions = children(fields, "version")
    dates = [_mail_day(text_of(version, "date")) for version in versions]
    if versions:
        number += versions[-1].get("version", "")
    authors = [
        " ".join(
            part for name in ("forenames", "keyname", "suffix") if (part := text_of(author, name))
        )
        for holder in children(fields, "authors")
        for author in children(holder, "author")
    ]
    return paper_of(
        written=number,
        title=text_of(fields, "title"),
        abstract=text_of(fields, "abstract"),
        authors=authors or _names(text_of(fields, "authors")),
        published=dates[0] if dates else text_of(fields, "created"),
        updated=dates[-1] if dates else text_of(fields, "updated"),
        categories=text_of(fields, "categories").split(),
        doi=text_of(fields, "doi"),
        journal=text_of(fields, "journal-ref"),
        comment=text_of(fields, "comments"),
    )


def _names(text: str) -> list[str]:
    """Names without the affiliations that stand behind them in brackets."""
    while (bare := re.sub(r"\([^()]*\)", " ", text)) != text:
        text = bare
    return split_names(" ".join(text.split()))


def _mail_day(text: str) -> str:
    try:
        return parsedate_to_datetime(text).date().isoformat()
    except (TypeError, ValueError, IndexError, OverflowError):
        return ""


def _stamp(text: str) -> str:
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        return ""
