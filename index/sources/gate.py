"""Clocks, and gates that keep the pace a service asks for."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime
from types import TracebackType
from typing import Protocol
from weakref import WeakKeyDictionary


class Clock(Protocol):
    """Time as an argument, so that no test waits."""

    def now(self) -> datetime:
        """The time in UTC, aware."""

    def monotonic(self) -> float:
        """Seconds since some moment."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class _SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


SYSTEM_CLOCK: Clock = _SystemClock()


class _Turn:
    """Whose turn it is, and from when on."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.earliest = float("-inf")


class Gate:
    """Lets one request at a time through, with `interval` seconds between two starts."""

    def __init__(
        self,
        interval: float,
        clock: Clock = SYSTEM_CLOCK,
        *,
        label: str = "",
        turn: _Turn | None = None,
    ) -> None:
        self.interval = interval
        self.label = label
        """The service's name for a person."""
        self._clock = clock
        self._turn = turn or _Turn()

    def __enter__(self) -> Gate:
        self._turn.lock.acquire()
        try:
            # Again after each sleep: a sleep may end early.
            while (wait := self._turn.earliest - self._clock.monotonic()) > 1e-6:
                self._clock.sleep(wait)
            self._turn.earliest = self._clock.monotonic() + self.interval
        except BaseException:
            # Also a clock that says that it is time to stop.
            self._turn.lock.release()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._turn.lock.release()

    def hold(self, seconds: float) -> None:
        """Put the next request off, for everybody: the service asked for it."""
        self._turn.earliest = max(self._turn.earliest, self._clock.monotonic() + seconds)


_LABELS = {
    "arxiv": "arXiv",
    "openreview": "OpenReview",
    "semantic_scholar": "Semantic Scholar",
    "openalex": "OpenAlex",
    "zotero": "Zotero",
}
_registry = threading.Lock()
_real: dict[str, _Turn] = {}
_others: WeakKeyDictionary[Clock, dict[str, _Turn]] = WeakKeyDictionary()


def gate_for(host_family: str, interval: float, clock: Clock = SYSTEM_CLOCK) -> Gate:
    """The gate of a service; its turns are shared by the whole process.

    Clocks that tell the system's time share them, whoever wraps them; the clock of a test has
    turns of its own, because its seconds mean nothing to others.
    """
    with _registry:
        real = abs(clock.monotonic() - time.monotonic()) < 1
        turns = _real if real else _others.setdefault(clock, {})
        turn = turns.setdefault(host_family, _Turn())
    return Gate(interval, clock, label=_LABELS.get(host_family, host_family), turn=turn)
