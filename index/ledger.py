"""Ledger: what is remembered of each source between two syncs, kept in the library itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from index.library import Library


class State(StrEnum):
    """How a source stands after it was asked."""

    FRESH = "fresh"
    """Something came, and all of it was read."""
    WAITING = "waiting"
    """The next announcement is due and not there yet."""
    QUIET = "quiet"
    """Everything was read, nothing was new, and nothing is due."""
    PARTIAL = "partial"
    """The source stopped giving; what arrived is kept."""
    STALLED = "stalled"
    """An announcement has been due for so long that something must be wrong."""
    FAILED = "failed"
    """The source could not be read; what arrived before is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """One source's page in the ledger.

    It is written whole after the records of a page are stored: a kill at any moment leaves either
    the page before or this one.
    """

    resume: Mapping[str, Any] = field(default_factory=dict)
    """What the source gave to go on from."""
    begun: tuple[str, ...] = ()
    """Announcement batches of which something is stored and the rest was not read yet."""
    done: str = ""
    """The latest batch whose listing was read whole."""
    state: State | None = None
    """None until the source was asked for the first time."""
    asked: datetime | None = None
    """When it was asked last, whatever came of it."""
    reached: datetime | None = None
    """When it was last read whole."""
    failing: datetime | None = None
    """Since when it has not been read whole, where the last try failed or stopped early."""
    why: str = ""
    """What a person is told of that."""
    kind: str = ""
    """Of which kind the failure was, as `SourceFailure` says it."""
    note: str = ""
    """What the source says of itself, as on a day without announcement."""
    alarm: str = ""
    """What looks wrong though nothing failed."""

    @classmethod
    def of(cls, library: Library, source: str) -> Self:
        """The page of a source; an empty one where it was never asked."""
        return cls.from_json(library.source_state(source))

    def save(self, library: Library, source: str) -> None:
        """Write the page."""
        library.save_source_state(source, self.to_json())

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """The page as it was written."""
        return cls(
            resume=stored.get("resume") or {},
            begun=tuple(stored.get("begun") or ()),
            done=stored.get("done", ""),
            state=State(stored["state"]) if stored.get("state") else None,
            asked=_moment(stored.get("asked")),
            reached=_moment(stored.get("reached")),
            failing=_moment(stored.get("failing")),
            why=stored.get("why", ""),
            kind=stored.get("kind", ""),
            note=stored.get("note", ""),
            alarm=stored.get("alarm", ""),
        )

    def to_json(self) -> dict[str, Any]:
        """The page as plain JSON."""
        return {
            "resume": dict(self.resume),
            "begun": list(self.begun),
            "done": self.done,
            "state": self.state.value if self.state else "",
            "asked": _iso(self.asked),
            "reached": _iso(self.reached),
            "failing": _iso(self.failing),
            "why": self.why,
            "kind": self.kind,
            "note": self.note,
            "alarm": self.alarm,
        }

    def with_page(self, resume: Mapping[str, Any], batch: str) -> Self:
        """After a page was stored: go on behind it; its batch is begun."""
        begun = self.begun
        if batch and batch not in begun:
            begun = (*begun, batch)
        return replace(self, resume=dict(resume), begun=begun)

    def read_whole(self, at: datetime, state: State, note: str) -> Self:
        """After everything was read: the batches begun are done."""
        at = at.replace(microsecond=0)
        return replace(
            self,
            begun=(),
            done=max((self.done, *self.begun)),
            state=state,
            asked=at,
            reached=at,
            failing=None,
            why="",
            kind="",
            note=note,
        )

    def broken_off(
        self, at: datetime, state: State, why: str, *, note: str = "", kind: str = ""
    ) -> Self:
        """After a failure or an early end: no batch is done."""
        at = at.replace(microsecond=0)
        return replace(
            self,
            state=state,
            asked=at,
            failing=self.failing or at,
            why=why,
            kind=kind,
            note=note,
            alarm="",
        )

    def in_state(self, state: State) -> Self:
        """The same page with another state."""
        return replace(self, state=state)

    def with_alarm(self, alarm: str) -> Self:
        """The same page with what looks wrong."""
        return replace(self, alarm=alarm)


def _moment(text: object) -> datetime | None:
    return datetime.fromisoformat(text) if isinstance(text, str) and text else None


def _iso(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""
