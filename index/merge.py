"""One record from two of the same paper: which source is believed for each field.

- Title, abstract and categories come from the source that knows best: the service where the
  authors put the paper, then a person's own file, then a service that collects from others. The
  later record of one service is believed, so that a revision shows; of two equal ones the first
  keeps its word until the other tells of a revision, so that reading both in turn changes nothing.
  A title made from the abstract gives way to any other; an abstract that breaks off gives way to a
  whole one.
- That a paper is withdrawn or retracted is believed of any source, and taken back only by the one
  that said so: others may not have heard of it.
- The longer list of authors is kept, unless it was cut short where the other is whole.
- A venue of a publisher goes before that of a preprint.
- `published` is the earliest date and the most precise form of it; `updated` and the version are
  the latest. Links and other ids add up.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from index.identity import normalised_title
from index.paper import Paper, Status

_RANKS = {"arxiv": 3, "openreview": 3, "file": 2, "zotero": 2, "": 2}
_COLLECTORS = 1
"""What OpenAlex and Semantic Scholar say of a paper, others said before."""
_PREPRINT = re.compile(
    r"^(?:arxiv|corr|biorxiv|medrxiv|preprint|ssrn|open ?review)\b.*", re.IGNORECASE
)
_SOON = re.compile(r"^(?:submitted to|under review)\b.*", re.IGNORECASE)
_GRAVITY = {Status.ACTIVE: 0, Status.WITHDRAWN: 1, Status.RETRACTED: 2}
_CUT = re.compile(r"(?:\.{3}|…)\s*$")


@dataclass(frozen=True, slots=True)
class Merged:
    """The paper brought up to date, and which of its fields the new record gave."""

    paper: Paper
    given: Mapping[str, str]
    """Field -> source, of those that changed hands."""


def embedded_text(paper: Paper) -> str:
    """What stands for a paper in the vectors; a derived title would only repeat its abstract."""
    return f"{paper.title}. {paper.abstract}" if not paper.title_derived else paper.abstract


def scheme(source: str) -> str:
    """`arxiv` of `arxiv:cs.CL`, `file` of `file:refs.bib`."""
    return source.partition(":")[0]


def rank(source: str) -> int:
    """How well a source knows a paper; higher is believed."""
    return _RANKS.get(scheme(source), _COLLECTORS)


def merged(old: Paper, new: Paper, origins: Mapping[str, str] | None = None) -> Merged:
    """The stored paper with what a new record of it says; what that does not say is kept.

    `origins` says which source each stored field came from; without it, all from `old.source`.
    """
    known = origins or {}

    def believed(field: str) -> bool:
        """Whether the new record's word goes before the stored one's."""
        stored = known.get(field, old.source)
        if rank(new.source) != rank(stored):
            return rank(new.source) > rank(stored)
        if scheme(new.source) != scheme(stored):
            return new.version > old.version or new.updated > old.updated > ""
        # An older version that arrives late says nothing new.
        return not (new.version and old.version and new.version < old.version)

    fields: dict[str, Any] = {}
    if _title_is_better(old, new, believed=believed("title")):
        fields |= {"title": new.title, "title_derived": new.title_derived}
    if _abstract_is_better(old.abstract, new.abstract, believed=believed("abstract")):
        fields["abstract"] = new.abstract
    if _authors_are_better(old, new, believed=believed("authors")):
        fields |= {"authors": new.authors, "authors_truncated": new.authors_truncated}
    fields["published"] = _earliest(old.published, new.published)
    fields["updated"] = max(old.updated, new.updated)
    if new.venue and _venue_rank(new.venue, believed=believed("venue")) > _venue_rank(old.venue):
        fields["venue"] = new.venue
    if new.categories and (not old.categories or believed("categories")):
        fields["categories"] = new.categories
    said_so = scheme(new.source) == scheme(known.get("status", old.source))
    if said_so or _GRAVITY[new.status] > _GRAVITY[old.status]:
        fields["status"] = new.status
    fields["links"] = tuple(dict.fromkeys((*old.links, *new.links)))
    fields["version"] = max(old.version, new.version)
    paper_id = old.id
    if old.id.startswith("text:") and not new.id.startswith("text:"):
        paper_id = new.id
    # The digest of an abstract that changed no longer names it, and its former id still does.
    ids = (*old.aliases, old.id, new.id, *new.aliases)
    aliases = tuple(
        each
        for each in dict.fromkeys(ids)
        if each != paper_id and (not each.startswith("text:") or each in {old.id, *old.aliases})
    )
    paper = replace(old, id=paper_id, aliases=aliases, **fields)
    given = {
        field: new.source
        for field in ("title", "abstract", "authors", "published", "updated", "venue", "categories", "links", "status")
        if getattr(paper, field) != getattr(old, field)
    }  # fmt: skip
    if paper != old and rank(new.source) > rank(old.source):
        paper = replace(paper, source=new.source)
    return Merged(paper, given)


def _title_is_better(old: Paper, new: Paper, *, believed: bool) -> bool:
    if new.title_derived or old.title_derived:
        return old.title_derived and (not new.title_derived or believed)
    return believed and bool(new.title)


def _abstract_is_better(old: str, new: str, *, believed: bool) -> bool:
    if not new or not old:
        return bool(new)
    if bool(_CUT.search(old)) != bool(_CUT.search(new)):
        return bool(_CUT.search(old))
    return believed


def _authors_are_better(old: Paper, new: Paper, *, believed: bool) -> bool:
    if not new.authors or not old.authors:
        return bool(new.authors)
    if old.authors_truncated != new.authors_truncated:
        return old.authors_truncated
    if len(new.authors) != len(old.authors) and not believed:
        return len(new.authors) > len(old.authors) + 1
    return believed


def _earliest(old: str, new: str) -> str:
    """The earlier of two ISO dates; of one day told twice the more precise."""
    if not old or not new:
        return old or new
    short, long = sorted((old, new), key=len)
    return long if long.startswith(short) else min(old, new)


def _venue_rank(venue: str, *, believed: bool = False) -> float:
    """0 for none, 1 for a preprint server, 2 for what is to be, 3 for a publisher; half more where
    believed."""
    if not venue:
        return 0
    kind = 1 if _PREPRINT.match(venue) else 2 if _SOON.match(venue) else 3
    return kind + (0.5 if believed else 0)


def same_title(one: str, other: str) -> bool:
    """Whether two titles are one but for case, accents and punctuation."""
    return normalised_title(one) == normalised_title(other)
