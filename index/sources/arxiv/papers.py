"""From the fields of arXiv to a paper."""

from __future__ import annotations

import re
from collections.abc import Sequence

from index.identity import canonical_id
from index.paper import Paper, Status
from index.sources.arxiv.withdrawals import withdrawal
from index.sources.records import Record, RecordError, Skipped, make_paper

SOURCE = "arxiv"


def paper_of(
    *,
    written: str,
    title: str,
    abstract: str,
    authors: Sequence[str] = (),
    published: str = "",
    announced: str = "",
    updated: str = "",
    categories: Sequence[str] = (),
    doi: str = "",
    journal: str = "",
    comment: str = "",
) -> Paper | Skipped:
    """The paper, or why there is none.

    Args:
        written: its id as arXiv writes it, mostly with the version.
    """
    found = canonical_id(written)
    if not found or not found.startswith("arxiv:"):
        return Skipped(written[:80] or "an entry without id", "it has no arXiv id")
    for field, text in (("title", title), ("abstract", abstract)):
        if not text.strip():
            return Skipped(found, f"it has no {field}")
    said = withdrawal(comment, abstract)
    if said and said != " ".join(abstract.split()):
        # The reason is to be quoted like any sentence of the abstract.
        abstract = f"{said.rstrip('. ')}. {abstract}"
    number = found.removeprefix("arxiv:")
    record = Record(
        ids=(_versioned(written), *(f"doi:{one}" for one in doi.split())),
        title=title,
        abstract=abstract,
        authors=tuple(authors),
        published=published,
        announced=announced,
        updated=updated,
        venue=journal,
        categories=tuple(categories),
        # A withdrawn version has no PDF.
        links=(f"https://arxiv.org/abs/{number}",)
        + (() if said else (f"https://arxiv.org/pdf/{number}",)),
        status=Status.WITHDRAWN if said else Status.ACTIVE,
    )
    try:
        return make_paper(record, SOURCE)
    except RecordError as error:
        return Skipped(found, str(error))


def _versioned(written: str) -> str:
    return re.sub(r"^oai:", "", written.strip(), flags=re.IGNORECASE)
