"""The Atom feed of arXiv's API: https://info.arxiv.org/help/api/user-manual.html"""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree.ElementTree import Element

from index.paper import Paper
from index.sources.arxiv.papers import paper_of
from index.sources.arxiv.service import children, local, parse, text_of
from index.sources.records import Skipped
from index.sources.source import BadAnswer

Taken = Paper | Skipped


@dataclass(frozen=True, slots=True)
class Feed:
    """One page of results."""

    total: int
    """How many there are in all."""
    entries: tuple[Taken, ...]
    """Papers, and what could be taken for none; faults are not among them."""
    faults: tuple[str, ...] = ()
    """Messages that arXiv sent in the form of entries."""

    @property
    def arrived(self) -> int:
        """By so many the offset advances; never by what was asked for."""
        return len(self.entries) + len(self.faults)


def read_feed(body: bytes) -> Feed:
    """Read a page of results.

    Raises BadAnswer: it is no Atom feed.
    """
    root = parse(body)
    if local(root) != "feed":
        raise BadAnswer("arXiv answered with something that is no list of papers; try again later")
    entries: list[Taken] = []
    faults: list[str] = []
    for entry in children(root, "entry"):
        written = text_of(entry, "id")
        if "/api/errors" in written:
            said = " ".join(text_of(entry, "summary").split())
            faults.append(said or "a fault it does not name")
        else:
            entries.append(_entry(entry, written))
    total = text_of(root, "totalResults")
    known = int(total) if total.isascii() and total.isdigit() and len(total) < 10 else len(entries)
    return Feed(known, tuple(entries), tuple(faults))


def _entry(entry: Element, written: str) -> Taken:
    first = [one.get("term", "") for one in children(entry, "primary_category")]
    rest = [one.get("term", "") for one in children(entry, "category")]
    return paper_of(
        written=written,
        title=text_of(entry, "title"),
        abstract=text_of(entry, "summary"),
        authors=[text_of(author, "name") for author in children(entry, "author")],
        published=text_of(entry, "published"),
        updated=text_of(entry, "updated"),
        # Classes of ACM and MSC stand among them.
        categories=[term for term in [*first, *rest] if " " not in term and ";" not in term],
        doi=text_of(entry, "doi"),
        journal=text_of(entry, "journal_ref"),
        comment=text_of(entry, "comment"),
    )
