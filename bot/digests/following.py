"""Following: the sources are read from within the bot, beside everything else it does."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from bot.digests.coverage import Coverage, coverage, followed_ledgers
from index.errors import LibraryError
from index.follow import follow
from index.ledger import Ledger, State
from index.library import Library
from index.settings import IndexSettings
from index.sources.catalogue import followed
from index.sources.records import SourceError
from index.sync import Interrupted, Outcome, SyncBusy, in_a_line

EVERY = timedelta(hours=3)
"""How often sources are read where nothing is due and nothing failed."""
SOON = timedelta(minutes=30)
"""How often where something failed or is late, and at most before a digest."""
PATIENT = timedelta(days=1)
"""A failure that lasts longer is told to those who run the bot."""
PATIENCE_SECONDS = 30.0
"""A source from which nothing comes for so long hangs; a batch takes less to be embedded."""
LONGEST_SECONDS = 180.0
"""A digest waits no longer, however well reading gets on."""
BUSY_SECONDS = 5.0

Follow = Callable[[threading.Event, Callable[[Outcome], None]], list[Outcome]]
"""Reads all sources, in the calling thread; ends soon after the event is set."""

States = Callable[[], Mapping[str, Mapping[str, Any]]]
"""What the library remembers of each source."""

log = logging.getLogger(__name__)


class Following:
    """Reads the sources in a thread, one run at a time."""

    def __init__(
        self,
        names: Sequence[str],
        follow: Follow,
        states: States,
        clock: Callable[[], datetime],
        *,
        patience: float = PATIENCE_SECONDS,
        longest: float = LONGEST_SECONDS,
    ) -> None:
        self._names = tuple(names)
        self._follow = follow
        self._states = states
        self._clock = clock
        self._patience = patience
        self._longest = longest
        self._run: _Run | None = None
        self._warned: dict[str, datetime] = {}
        self._remembered: dict[str, Ledger] = {}

    def begin(self) -> None:
        """Have the sources read, unless they are being read or were a while ago."""
        self._begin(SOON)

    async def tick(self) -> None:
        """Read what has not been read for long; called every few minutes."""
        ledgers = await asyncio.to_thread(self._ledgers)
        states = {ledger.state for ledger in ledgers.values()}
        calm = states <= {State.FRESH, State.QUIET} and len(ledgers) == len(self._names)
        self._begin(EVERY if calm else SOON)

    async def settle(self) -> None:
        """Wait for the run in work while it gets on, and never long."""
        if (run := self._run) is None:
            return
        began = time.monotonic()
        while not run.task.done():
            now = time.monotonic()
            left = min(run.stepped + self._patience, began + self._longest) - now
            if left <= 0:
                log.warning("digests do not wait for %s", ", ".join(run.unfinished(self._names)))
                return
            await asyncio.wait({run.task}, timeout=left)

    async def report(self) -> list[str]:
        """Read everything now, and a line a source on what became of it."""
        if not self._names:
            return ["No sources are followed. SOURCES in .env names them, as in arxiv:cs.CL."]
        self._begin(timedelta(0))
        run = self._run
        assert run is not None  # noqa: S101 - just begun, or in work already
        await self.settle()
        lines = [in_a_line(run.outcomes[name]) for name in self._names if run.ended(name)]
        lines += [f"{name}: no answer yet" for name in run.unfinished(self._names)]
        return [run.fault] if run.fault else lines

    def warnings(self) -> list[str]:
        """What whoever runs the bot should look into, each at most once a day."""
        now = self._clock()
        lines = []
        for name, ledger in self._ledgers().items():
            text = _worrying(ledger, now)
            told = self._warned.get(name)
            if text and (told is None or now - told >= timedelta(days=1)):
                self._warned[name] = now
                lines.append(f"{name}: {text}")
        return lines

    def coverage(self, zone: str) -> Coverage:
        """How the sources stand, those that are being read included."""
        ledgers = self._ledgers()
        run = self._run
        if run and (run.fault or not run.task.done()):
            for name in run.unfinished(self._names):
                ledger = ledgers.get(name, Ledger())
                came = name in run.outcomes and run.outcomes[name].fetched
                ledgers[name] = replace(
                    ledger,
                    state=State.PARTIAL if came else State.FAILED,
                    failing=ledger.failing or run.began,
                    kind="timeout",
                )
        return coverage(ledgers, self._clock(), zone)

    async def close(self) -> None:
        """End the run in work; what it stored stays."""
        if self._run:
            self._run.stop.set()
            await asyncio.wait({self._run.task})

    def _begin(self, after: timedelta) -> None:
        if self._names and (self._run is None or self._run.task.done()):
            self._run = _Run(self._clock(), lambda run: self._work(run, after))

    async def _work(self, run: _Run, after: timedelta) -> None:
        try:
            fresh = await asyncio.to_thread(self._fresh, after)
            if fresh:
                return
            await self._read(run)
        except Interrupted:
            log.info("the sources are read further at the next start")
        except (LibraryError, SourceError) as error:
            run.fault = f"The sources cannot be read: {error}."
            log.warning("%s", run.fault)
        except Exception:
            run.fault = "The sources cannot be read, and the log says why."
            log.exception("the sources cannot be read")

    async def _read(self, run: _Run) -> None:
        """Read everything; where another process is doing so, it does it for us."""
        while not run.stop.is_set():
            try:
                outcomes = await asyncio.to_thread(self._follow, run.stop, run.watch)
            except SyncBusy as busy:
                log.info("%s", busy)
                await asyncio.sleep(BUSY_SECONDS)
                if await asyncio.to_thread(self._fresh, SOON):
                    return
            else:
                run.outcomes.update({outcome.source: outcome for outcome in outcomes})
                self._remembered = {o.source: _page(o, run.began) for o in outcomes}
                return

    def _ledgers(self) -> dict[str, Ledger]:
        # While the person's own library is empty the bundled one is read, which knows no sources.
        return self._remembered | followed_ledgers(self._states(), self._names)

    def _fresh(self, after: timedelta) -> bool:
        """Whether every source was asked less than so long ago."""
        ledgers = self._ledgers()
        now = self._clock()
        return len(ledgers) == len(self._names) and all(
            ledger.asked and now - ledger.asked < after for ledger in ledgers.values()
        )


def _page(outcome: Outcome, asked: datetime) -> Ledger:
    return Ledger(
        state=outcome.state,
        asked=asked,
        failing=outcome.since,
        why=outcome.why,
        note=outcome.note,
    )


def _worrying(ledger: Ledger, now: datetime) -> str:
    """Why a source needs a person; empty where it mends itself."""
    if ledger.alarm:
        return ledger.alarm
    if ledger.state is State.STALLED:
        return f"nothing has been announced since {ledger.done}, which is longer than usual"
    if ledger.failing and now - ledger.failing > PATIENT:
        return f"it has not been read whole since {ledger.failing:%Y-%m-%d}: {ledger.why}"
    return ""


def following_of(
    settings: IndexSettings, library: Library, clock: Callable[[], datetime]
) -> Following:
    """Following what `SOURCES` names.

    Raises:
        SourceError: what is written there names no source.
    """
    names = [source.name for source in followed(settings)]

    def states() -> Mapping[str, Mapping[str, Any]]:
        return library.source_states()

    return Following(names, lambda stop, watch: follow(settings, stop, watch), states, clock)


class _Run:
    """One reading of all sources."""

    def __init__(self, began: datetime, work: Callable[[_Run], Any]) -> None:
        self.began = began
        self.stepped = time.monotonic()
        """When something last came."""
        self.stop = threading.Event()
        self.outcomes: dict[str, Outcome] = {}
        self.fault = ""
        self.task: asyncio.Task[None] = asyncio.create_task(work(self))

    def watch(self, outcome: Outcome) -> None:
        """Note that something came; called from the threads that read."""
        self.stepped = time.monotonic()
        self.outcomes[outcome.source] = outcome

    def ended(self, name: str) -> bool:
        """Whether a source has been read, well or not."""
        return name in self.outcomes and self.outcomes[name].ended

    def unfinished(self, names: Sequence[str]) -> list[str]:
        """Those of the names that have not."""
        return [name for name in names if not self.ended(name)]
