"""What became of an import, and a library in figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from index.sources.records import Skipped


@dataclass(slots=True)
class AddReport:
    """What became of each record; `read` is the sum of the rest."""

    read: int = 0
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    stored: dict[str, str] = field(default_factory=dict)
    """Id of each record that was taken -> id of the paper it is part of now."""

    def take(self, part: AddReport) -> None:
        """Add the counts of a part."""
        self.read += part.read
        self.added += part.added
        self.updated += part.updated
        self.unchanged += part.unchanged
        self.skipped.extend(part.skipped)
        self.stored.update(part.stored)


@dataclass(frozen=True, slots=True)
class Info:
    """A library in figures."""

    directory: Path
    papers: int
    bundled: bool
    embeddings: dict[str, Any]
    sources: dict[str, int]
    years: dict[str, int]
    last_added: str
