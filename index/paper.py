"""Paper: the record everything else speaks of, and its identity."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Status(StrEnum):
    """Whether a paper still stands."""

    ACTIVE = "active"
    WITHDRAWN = "withdrawn"
    RETRACTED = "retracted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One paper, as the library keeps it."""

    id: str
    """Canonical id without version: `arxiv:2510.23127`, `openreview:RD4XgyVyGh`, `doi:10.1/x`, `text:<hash>`."""
    title: str
    """Display title on one line; derived from the abstract where `title_derived`."""
    abstract: str
    """Cleaned abstract (accents and control characters only; mathematics stays); empty where unknown."""
    authors: tuple[str, ...] = ()
    """Full names in order; empty where unknown."""
    authors_truncated: bool = False
    """True where the source said "and others"."""
    published: str = ""
    """ISO date of first publication, as precise as known: `2026`, `2026-03` or `2026-03-04`."""
    updated: str = ""
    """ISO date of the latest revision, never used as the date of publication."""
    venue: str = ""
    categories: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    """Other canonical ids it goes by: its DOI, its number at another service, a former id."""
    links: tuple[str, ...] = ()
    """Web addresses, the best one first."""
    status: Status = Status.ACTIVE
    source: str = ""
    """Where the record came from, e.g. `file:iclr2026.jsonl.gz` or `arxiv`."""
    version: int = 0
    """Latest version seen; 0 where unknown. No part of the identity."""
    title_derived: bool = False
    """True where the title was made from the abstract's own words."""
    handle: str = ""
    """Short unique name to say in a chat; given by the library when the paper is stored."""
    added: str = field(default="", compare=False)
    """UTC time (ISO, seconds) at which the library stored it; given by the library."""

    @property
    def link(self) -> str:
        """The best web address, or an empty string."""
        return self.links[0] if self.links else ""
