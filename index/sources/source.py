"""What a source of papers is: pages of records, and the place to go on from after each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from index.paper import Paper
from index.sources.records import Skipped, SourceError

if TYPE_CHECKING:
    from index.sources.web import Web

JSON: TypeAlias = bool | int | float | str | Sequence["JSON"] | Mapping[str, "JSON"] | None
"""What a state may hold: it is kept as JSON text."""

FailureKind = Literal["limited", "unreachable", "timeout", "refused", "bad-answer", "too-large"]


class SourceFailure(SourceError):
    """A source that did not give what was asked; the message is one line for a person."""

    def __init__(
        self, message: str, *, kind: FailureKind = "bad-answer", retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind
        """`refused` is for 4xx, `bad-answer` for what cannot be read."""
        self.retry_after = retry_after
        """Seconds after which it may be worth a try; None where nothing is known."""


class BadAnswer(SourceFailure):
    """An answer that is not in the form it should have."""


class Kind(StrEnum):
    """How a listing announced a paper."""

    NEW = "new"
    CROSS = "cross"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of records as a source gave it."""

    records: tuple[Paper | Skipped, ...] = ()
    """What arrived, cleaned, in order."""
    state: Mapping[str, JSON] = field(default_factory=dict)
    """To be saved once these records are stored, and given back at the next start."""
    batch: str = ""
    """The announcement they belong to, e.g. `2026-03-04`; empty where a source has none."""
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    """Paper id -> how it was announced."""
    note: str = ""
    """A line for a person, e.g. `no announcement today (weekend)`."""
    complete: bool = True
    """False where the source stopped giving; what arrived is kept and called partial."""


class Source(Protocol):
    """Something papers come from."""

    @property
    def name(self) -> str:
        """Unique key of its state: `arxiv:cs.CL`."""

    def pages(self, web: Web, state: Mapping[str, JSON]) -> Iterator[Page]:
        """Pages from where `state` says; `{}` is the first time.

        Raises SourceFailure; every page yielded before stays valid.
        """
