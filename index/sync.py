"""Sync: brings a library up to date with its sources, each for itself."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from statistics import median
from typing import Any, Protocol, runtime_checkable

from index.errors import LibraryError
from index.ledger import Ledger, State
from index.library import BATCH, Library
from index.reports import AddReport
from index.sources.records import Skipped, SourceError
from index.sources.source import Page, Source
from index.sources.web import SYSTEM_CLOCK, Clock, Web
from index.synclock import SyncBusy, SyncLock

__all__ = ["Announcing", "Interrupted", "Outcome", "State", "Sync", "SyncBusy", "WaitingClock"]

STALLED_AFTER = timedelta(days=3)
"""An announcement so late is a fault: a holiday and a weekend in a row explain less."""
FEW = 0.25
"""A batch smaller than this part of the median of its weekday looks like a fault."""
ENOUGH = 3
"""Batches of a weekday from which a median is taken; with fewer nothing is said."""
LATEST = 8
"""So many batches of a weekday, the latest, make the median: what is usual changes."""
SMALL = 10
"""A median below this says nothing about a smaller batch."""

log = logging.getLogger(__name__)
metrics = logging.getLogger("index.metrics")


@runtime_checkable
class Announcing(Protocol):
    """A source whose papers come in announcement batches."""

    def expected(self, now: datetime) -> str:
        """The latest batch that should be out by then."""


class Interrupted(BaseException):
    """Whoever began the sync wants it to end; no handler of a source's faults may stop that."""


class WaitingClock:
    """The system's clock, whose sleep ends when the sync is to end."""

    def __init__(self, stop: threading.Event, clock: Clock = SYSTEM_CLOCK) -> None:
        self._stop = stop
        self._clock = clock

    def now(self) -> datetime:
        """The time in UTC."""
        return self._clock.now()

    def monotonic(self) -> float:
        """Seconds since some moment."""
        return self._clock.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait, or raise Interrupted as soon as the sync is to end."""
        if self._stop.wait(seconds):
            raise Interrupted


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What a sync brought from one source; `fetched` is the sum of the counts."""

    source: str
    state: State = State.QUIET
    new: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    batch: str = ""
    """The latest announcement batch that records came from."""
    why: str = ""
    """Why it failed or stopped early, in a line for a person."""
    note: str = ""
    alarm: str = ""
    since: datetime | None = None
    """Since when the source has not been read whole; None where it was just now."""
    seconds: float = 0.0
    ended: bool = False
    """False while it is being read."""

    @property
    def fetched(self) -> int:
        """Records that arrived, those that could not be taken included."""
        return self.new + self.updated + self.unchanged + len(self.skipped)

    @property
    def failed(self) -> bool:
        """Whether something is missing that the source should have given."""
        return self.state in {State.FAILED, State.PARTIAL}

    def take(self, report: AddReport) -> None:
        """Add what became of some records."""
        self.new += report.added
        self.updated += report.updated
        self.unchanged += report.unchanged
        self.skipped.extend(report.skipped)

    def to_json(self) -> dict[str, Any]:
        """The object `index sync --json` prints for a source."""
        return {
            "source": self.source,
            "state": self.state.value,
            "batch": self.batch,
            "fetched": self.fetched,
            "new": self.new,
            "updated": self.updated,
            "unchanged": self.unchanged,
            "skipped": [{"where": s.where, "reason": s.reason} for s in self.skipped],
            "failed": self.why,
            "since": self.since.isoformat(timespec="seconds") if self.since else "",
            "note": self.note,
            "alarm": self.alarm,
            "seconds": round(self.seconds, 1),
        }


Watch = Callable[[Outcome], None]
"""Told after each step of a source; of some steps at once from several threads."""


class Sync:
    """One run over some sources.

    Services are read side by side, the sources of one service one after the other, since they
    share its limits. The records of a page are stored before the place to go on from is, so that a
    kill at any moment loses nothing, and storing a page again changes nothing.
    """

    def __init__(
        self,
        library: Library,
        sources: Iterable[Source],
        web: Web,
        *,
        clock: Clock = SYSTEM_CLOCK,
        stop: threading.Event | None = None,
        watch: Watch = lambda _: None,
    ) -> None:
        self._library = library
        self._sources = list(sources)
        self._web = web
        self._clock = clock
        self._stop = stop or threading.Event()
        self._watch = watch
        self._storing = threading.Lock()
        self._outcomes: dict[str, Outcome] = {}

    def run(self) -> list[Outcome]:
        """Bring everything up to date; one outcome a source, in the order they were given.

        Raises:
            SyncBusy: another sync of this library is running.
            KeyboardInterrupt: Ctrl-C. What was stored stays.
            Interrupted: the event to stop was set.
        """
        with SyncLock(self._library.directory):
            threads = [
                # Ends with the process: one that hangs in a socket holds up nobody's leaving.
                threading.Thread(target=self._follow_all, args=(family,), daemon=True)
                for family in self._families()
            ]
            try:
                for thread in threads:
                    thread.start()
                for thread in threads:
                    while thread.is_alive() and not self._stop.is_set():
                        # In bits, so that Ctrl-C and the event are heard.
                        thread.join(0.2)
            finally:
                self._stop_storing()
        outcomes = [self._outcomes[s.name] for s in self._sources if s.name in self._outcomes]
        if len(outcomes) < len({source.name for source in self._sources}):
            raise Interrupted
        return outcomes

    def _families(self) -> list[list[Source]]:
        families: dict[str, list[Source]] = {}
        for source in {source.name: source for source in self._sources}.values():
            families.setdefault(source.name.partition(":")[0], []).append(source)
        return list(families.values())

    def _stop_storing(self) -> None:
        """From here on no thread writes, also one that comes back from a socket much later."""
        self._stop.set()
        with self._storing:
            pass

    def _follow_all(self, sources: Sequence[Source]) -> None:
        try:
            for source in sources:
                self._outcomes[source.name] = self._unharmed(source)
        except Interrupted:
            log.debug("stopped before all sources were read")

    def _unharmed(self, source: Source) -> Outcome:
        """Follow one source; also a fault in storing it is its own."""
        try:
            return self._follow(source)
        except Exception as error:
            log.exception("%s: what became of it cannot be written down", source.name)
            why = f"the library cannot be written ({_one_line(str(error))})"
            return Outcome(source=source.name, state=State.FAILED, why=why, ended=True)

    def _follow(self, source: Source) -> Outcome:
        began = self._clock.monotonic()
        outcome = Outcome(source=source.name)
        with self._writing():
            ledger = Ledger.of(self._library, source.name)
        partial: list[str] = []
        notes: list[str] = []
        try:
            for page in source.pages(self._web, ledger.resume):
                ledger = self._store(source.name, page, ledger, outcome)
                (notes if page.complete else partial).append(page.note)
        except SourceError as error:
            kind = getattr(error, "kind", "")
            ledger = self._broken_off(ledger, State.FAILED, str(error), kind=kind)
        except (LibraryError, OSError) as error:
            ledger = self._broken_off(ledger, State.FAILED, str(error))
        except Exception as error:
            log.exception("%s: a fault of Footnote's own", source.name)
            why = f"a fault in reading it ({type(error).__name__}); the log holds more"
            ledger = self._broken_off(ledger, State.FAILED, why)
        else:
            if partial:
                why = _joined(partial) or "it stopped giving before the end"
                ledger = self._broken_off(ledger, State.PARTIAL, why, _joined(notes))
            else:
                ledger = self._read_whole(source, ledger, outcome, _joined(notes))
        self._close(outcome, ledger, self._clock.monotonic() - began)
        return outcome

    def _store(self, name: str, page: Page, ledger: Ledger, outcome: Outcome) -> Ledger:
        """Store one page, then the place behind it."""
        became: dict[str, str] = {}
        for part in _parts(page.records):
            with self._writing():
                report = self._library.add(part)
            became.update(report.stored)
            outcome.take(report)
            self._watch(outcome)
        with self._writing():
            if page.batch:
                outcome.batch = max(outcome.batch, page.batch)
                self._library.announce(name, page.batch, self._kinds(page, became))
            ledger = ledger.with_page(page.state, page.batch)
            ledger.save(self._library, name)
        self._watch(outcome)
        return ledger

    def _kinds(self, page: Page, became: dict[str, str]) -> dict[str, str]:
        """How papers of the library were announced; records that were skipped are none."""
        kinds: dict[str, str] = {}
        for given, kind in page.kinds.items():
            stored = became.get(given)
            if stored is None and (known := self._library.get(given)):
                stored = known.id
            if stored is not None:
                kinds[stored] = str(kind)
        return kinds

    def _writing(self) -> _Writing:
        return _Writing(self._storing, self._stop)

    def _broken_off(
        self, ledger: Ledger, state: State, why: str, note: str = "", kind: str = ""
    ) -> Ledger:
        return ledger.broken_off(self._clock.now(), state, _one_line(why), note=note, kind=kind)

    def _read_whole(self, source: Source, ledger: Ledger, outcome: Outcome, note: str) -> Ledger:
        now = self._clock.now()
        batches = ledger.begun
        came = bool(outcome.new or outcome.updated)
        after = ledger.read_whole(now, State.FRESH if came else State.QUIET, note)
        # A note says why nothing is due, where no batch was read yet to tell by.
        told = bool(note) and not after.done
        if isinstance(source, Announcing) and after.done < source.expected(now) and not told:
            late = after.done < source.expected(now - STALLED_AFTER)
            # Where the source was never read before, it is not known how long it has been quiet.
            stalled = late and ledger.reached is not None
            after = after.in_state(State.STALLED if stalled else State.WAITING)
        alarms = (self._alarm(source.name, batch) for batch in batches)
        return after.with_alarm(_joined(alarm for alarm in alarms if alarm))

    def _alarm(self, name: str, batch: str) -> str:
        with self._writing():
            counts = {b: int(n.get("new", 0)) for b, n in self._library.batches(name)}
        return few_in(batch, counts)

    def _close(self, outcome: Outcome, ledger: Ledger, seconds: float) -> None:
        """Write down how it went, in the library, in the log and in the metrics."""
        with self._writing():
            ledger.save(self._library, outcome.source)
        assert ledger.state is not None  # noqa: S101 - set by whoever ended it
        outcome.state, outcome.why = ledger.state, ledger.why
        outcome.note, outcome.alarm, outcome.since = ledger.note, ledger.alarm, ledger.failing
        outcome.batch = outcome.batch or ledger.done
        outcome.seconds, outcome.ended = seconds, True
        warn = outcome.failed or outcome.state is State.STALLED or outcome.alarm
        log.log(logging.WARNING if warn else logging.INFO, "%s", in_a_line(outcome))
        metrics.info("%s", _metrics(outcome))
        self._watch(outcome)


class _Writing:
    """The right to write: one thread at a time, and nobody once the sync has ended."""

    def __init__(self, lock: threading.Lock, stop: threading.Event) -> None:
        self._lock = lock
        self._stop = stop

    def __enter__(self) -> None:
        self._lock.acquire()
        if self._stop.is_set():
            self._lock.release()
            raise Interrupted

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def in_a_line(outcome: Outcome) -> str:
    """`arxiv:cs.CL: fresh, batch 2026-03-04: 120 fetched: 100 new, …`."""
    head = f"{outcome.source}: {outcome.state.value}"
    if outcome.batch:
        head += f" (batch {outcome.batch})"
    counts = (
        f"{outcome.fetched:,} fetched: {outcome.new:,} new, {outcome.updated:,} updated, "
        f"{outcome.unchanged:,} unchanged, {len(outcome.skipped):,} skipped"
    )
    return "; ".join(
        part for part in (head, counts, outcome.why, outcome.note, outcome.alarm) if part
    )


def few_in(batch: str, counts: dict[str, int]) -> str:
    """What is odd about the size of a batch, by the same weekday's before it, or an empty line.

    `counts` are new papers by batch, whose names are ISO dates.
    """
    if batch not in counts or (day := _weekday(batch)) is None:
        return ""
    before = [n for other, n in sorted(counts.items()) if other < batch and _weekday(other) == day]
    if len(before) < ENOUGH:
        return ""
    usual = median(before[-LATEST:])
    if usual < SMALL or counts[batch] >= FEW * usual:
        return ""
    return (
        f"batch {batch} holds {counts[batch]:,} new papers, and {usual:,.0f} are usual on that "
        "weekday: something may be missing"
    )


def _weekday(batch: str) -> int | None:
    try:
        return datetime.fromisoformat(batch).weekday()
    except ValueError:
        return None


def _metrics(outcome: Outcome) -> str:
    return (
        f"sync source={outcome.source!r} state={outcome.state.value} batch={outcome.batch or '-'} "
        f"fetched={outcome.fetched} new={outcome.new} updated={outcome.updated} "
        f"unchanged={outcome.unchanged} skipped={len(outcome.skipped)} "
        f"seconds={outcome.seconds:.1f} alarm={int(bool(outcome.alarm))}"
    )


def _parts(records: Sequence[Any]) -> Iterator[list[Any]]:
    iterator = iter(records)
    while part := list(islice(iterator, BATCH)):
        yield part


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _joined(texts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(text for text in texts if text))
