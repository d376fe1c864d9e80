"""Rows: a paper as the table keeps it, and back."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime

from index.identity import normalised_title
from index.paper import Paper, Status

COLUMNS = "row, id, handle, sequence, title, abstract, authors, venue, status, source, added, more"
_MORE = "authors_truncated published updated categories aliases links version title_derived".split()


def values(paper: Paper) -> tuple[object, ...]:
    """The columns of a paper but those that count: id, handle, title, …, title key, year."""
    more = {name: getattr(paper, name) for name in _MORE}
    year = paper.published[:4]
    return (
        paper.id,
        paper.handle,
        paper.title,
        paper.abstract,
        "\n".join(paper.authors),
        paper.venue,
        paper.status.value,
        paper.source,
        paper.added or datetime.now(UTC).isoformat(timespec="seconds"),
        json.dumps(more, ensure_ascii=False),
        normalised_title(paper.title),
        int(year) if year.isdigit() else None,
    )


def paper_of(row: sqlite3.Row) -> Paper:
    """The paper of a row of `COLUMNS`."""
    more = json.loads(row["more"])
    return Paper(
        id=row["id"],
        handle=row["handle"],
        title=row["title"],
        abstract=row["abstract"],
        authors=tuple(name for name in row["authors"].split("\n") if name),
        venue=row["venue"],
        status=Status(row["status"]),
        source=row["source"],
        added=row["added"],
        categories=tuple(more.pop("categories")),
        aliases=tuple(more.pop("aliases", ())),
        links=tuple(more.pop("links")),
        **more,
    )
