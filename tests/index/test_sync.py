"""A sync brings what is new from each source, and one that fails harms no other."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from index.ledger import Ledger
from index.library import Library
from index.sources.source import Source
from index.sources.web import Web
from index.sync import Interrupted, Outcome, State, Sync, SyncBusy, few_in
from index.synclock import SyncLock
from tests.index.followed import Daily, Pages, page, pages, paper
from tests.index.serving import FakeClock, Reply, Server, serving

WEDNESDAY = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(WEDNESDAY)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", create=True) as opened:
        yield opened


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture
def web(clock: FakeClock) -> Iterator[Web]:
    with Web("tests@example.org", clock, limit=100_000, timeout=0.3) as opened:
        yield opened


Syncing = Callable[..., dict[str, Outcome]]


@pytest.fixture
def syncing(library: Library, web: Web, clock: FakeClock) -> Syncing:
    def run(*sources: Source, **options: Any) -> dict[str, Outcome]:
        outcomes = Sync(library, sources, web, clock=clock, **options).run()
        assert [outcome.source for outcome in outcomes] == [source.name for source in sources]
        for outcome in outcomes:
            counts = outcome.new + outcome.updated + outcome.unchanged + len(outcome.skipped)
            assert outcome.fetched == counts
        return {outcome.source: outcome for outcome in outcomes}

    return run


def _names(library: Library) -> set[str]:
    return {found.id for found in library.papers()}


def test_new_papers_come_in_once_and_the_next_time_only_what_is_newer(
    library: Library, server: Server, syncing: Syncing
) -> None:
    source = Pages("eels:all", f"{server.url}/eels")
    server.routes["/eels"] = pages(page([paper(1), paper(2)], more=True), page([paper(3)]))
    first = syncing(source)["eels:all"]
    assert (first.state, first.new, first.fetched, first.why) == (State.FRESH, 3, 3, "")

    server.routes["/eels"] = pages(
        page([paper(1)], more=True), page([], more=True), page([paper(3), paper(4)])
    )
    second = syncing(source)["eels:all"]
    assert server.asked == ["/eels/0", "/eels/1", "/eels/2"]
    assert (second.new, second.unchanged) == (1, 1)
    third = syncing(source)["eels:all"]
    assert (third.state, third.fetched) == (State.QUIET, 0)
    assert len(library) == 4


def test_how_each_paper_was_announced_is_kept(
    library: Library, server: Server, syncing: Syncing
) -> None:
    server.routes["/eels"] = pages(
        page([paper(1), paper(2, "cross"), paper(3, "replaced")], batch="2026-03-04")
    )
    outcome = syncing(Daily("eels:all", f"{server.url}/eels"))["eels:all"]
    assert (outcome.batch, outcome.state) == ("2026-03-04", State.FRESH)
    assert library.batches("eels:all") == [("2026-03-04", {"new": 1, "cross": 1, "replaced": 1})]
    assert Ledger.of(library, "eels:all").done == "2026-03-04"


HTML = b"<!DOCTYPE html><html><body>Sorry, we are down for maintenance.</body></html>"

FAULTS: dict[str, Reply] = {
    "too many requests, always": Reply(b"slow down", 429, {"Retry-After": "4"}),
    "unavailable": Reply(b"", 503),
    "no answer": Reply(hang=True),
    "a page for people": Reply(HTML, 200, {"Content-Type": "text/html"}),
    "an empty body": Reply(b""),
    "broken JSON": Reply(b'{"papers": [{"id": "arxiv:2603'),
    "a body without end": Reply(b"[" + b" " * 200_000 + b"]"),
    "a way to a private address": Reply(b"", 302, {"Location": "http://169.254.169.254/latest"}),
    "half a page": Reply(b'{"papers": [', promised=500),
    "forbidden": Reply(b"", 403),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_source_that_fails_loses_nothing_marks_no_batch_and_leaves_the_others_whole(
    library: Library, server: Server, syncing: Syncing, fault: str
) -> None:
    server.routes["/good"] = pages(page([paper(1), paper(2)], batch="2026-03-04"))
    server.routes["/bad"] = pages(page([paper(3)], more=True, batch="2026-03-04"), FAULTS[fault])
    server.routes["/other"] = pages(page([paper(4)]))
    outcomes = syncing(
        Pages("eels:bad", f"{server.url}/bad"),
        Pages("eels:good", f"{server.url}/good"),
        Pages("other:all", f"{server.url}/other"),
    )
    bad = outcomes["eels:bad"]
    assert (bad.state, bad.fetched, bad.failed) == (State.FAILED, 1, True)
    assert bad.why
    assert "\n" not in bad.why
    assert "Traceback" not in bad.why
    assert outcomes["eels:good"].new == 2
    assert outcomes["other:all"].new == 1
    assert Ledger.of(library, "eels:bad").done == ""
    assert Ledger.of(library, "eels:good").done == "2026-03-04"
    assert len(library) == 4

    server.routes["/bad"] = pages(page([paper(99)]), page([paper(5)], batch="2026-03-04"))
    server.asked.clear()
    mended = syncing(Pages("eels:bad", f"{server.url}/bad"))["eels:bad"]
    assert server.asked == ["/bad/1"]
    assert (mended.state, mended.new, mended.since) == (State.FRESH, 1, None)
    assert Ledger.of(library, "eels:bad").done == "2026-03-04"


def test_a_service_that_is_not_there_is_told_since_when(
    library: Library, syncing: Syncing, clock: FakeClock
) -> None:
    with serving() as gone:
        url = gone.url
    first = syncing(Pages("eels:all", url))["eels:all"]
    assert first.state is State.FAILED
    since = first.since
    clock.time += timedelta(days=1)
    again = syncing(Pages("eels:all", url))["eels:all"]
    assert again.since == since
    assert since is not None
    assert since < clock.time - timedelta(hours=23)


def test_what_a_source_stops_giving_in_the_middle_is_kept_and_called_partial(
    library: Library, server: Server, syncing: Syncing
) -> None:
    note = "the page from 1 stayed empty"
    server.routes["/eels"] = pages(
        page([paper(1)], more=True, batch="2026-03-04"),
        page([], batch="2026-03-04", note=note, complete=False),
    )
    outcome = syncing(Pages("eels:all", f"{server.url}/eels"))["eels:all"]
    assert (outcome.state, outcome.new, outcome.why) == (State.PARTIAL, 1, note)
    assert outcome.failed
    assert Ledger.of(library, "eels:all").done == ""


class Broken(Pages):
    """A source with a fault of its own making."""

    def pages(self, web: Web, state: Any) -> Any:
        """Fails in a way nobody thought of."""
        yield from super().pages(web, state)
        raise ZeroDivisionError


def test_a_fault_of_our_own_in_one_source_is_its_own(
    library: Library, server: Server, syncing: Syncing, caplog: pytest.LogCaptureFixture
) -> None:
    server.routes["/eels"] = pages(page([paper(1)]))
    server.routes["/more"] = pages(page([paper(2)]))
    outcomes = syncing(
        Broken("eels:broken", f"{server.url}/eels"), Pages("eels:more", f"{server.url}/more")
    )
    assert outcomes["eels:broken"].why == (
        "a fault in reading it (ZeroDivisionError); the log holds more"
    )
    assert outcomes["eels:more"].state is State.FRESH
    assert "ZeroDivisionError" in caplog.text


def test_a_weekend_is_quiet_a_late_list_is_waited_for_and_one_that_never_comes_is_a_fault(
    library: Library, server: Server, syncing: Syncing, clock: FakeClock
) -> None:
    source = Daily("eels:all", f"{server.url}/eels")
    clock.time = datetime(2026, 3, 6, 6, 0, tzinfo=UTC)
    server.routes["/eels"] = pages(page([paper(1)], batch="2026-03-06"))
    assert syncing(source)["eels:all"].state is State.FRESH

    def state_at(*moment: int) -> State:
        clock.time = datetime(*moment, tzinfo=UTC)  # type: ignore[misc,arg-type]
        outcome = syncing(source)["eels:all"]
        assert not outcome.failed
        return outcome.state

    assert state_at(2026, 3, 7, 12) is State.QUIET
    assert state_at(2026, 3, 8, 12) is State.QUIET
    assert state_at(2026, 3, 9, 6) is State.WAITING
    assert state_at(2026, 3, 13, 6) is State.STALLED
    assert Ledger.of(library, "eels:all").done == "2026-03-06"


def test_a_first_sync_on_a_weekend_waits_for_nothing(
    server: Server, syncing: Syncing, clock: FakeClock
) -> None:
    clock.time = datetime(2026, 3, 7, 12, 0, tzinfo=UTC)
    server.routes["/eels"] = pages(page([], note="no announcement today (weekend)"))
    outcome = syncing(Daily("eels:all", f"{server.url}/eels"))["eels:all"]
    assert (outcome.state, outcome.note) == (State.QUIET, "no announcement today (weekend)")


def test_stragglers_of_the_old_batch_do_not_pass_for_the_new_one(
    library: Library, server: Server, syncing: Syncing, clock: FakeClock
) -> None:
    source = Daily("eels:all", f"{server.url}/eels")
    server.routes["/eels"] = pages(page([paper(1)], batch="2026-03-04"))
    syncing(source)
    clock.time += timedelta(days=1)
    server.routes["/eels"] = pages(page([]), page([paper(2)], batch="2026-03-04"))
    outcome = syncing(source)["eels:all"]
    assert (outcome.new, outcome.state) == (1, State.WAITING)


def test_a_batch_far_smaller_than_its_weekday_has_them_raises_an_alarm() -> None:
    wednesdays = {"2026-02-11": 310, "2026-02-18": 352, "2026-02-25": 334, "2026-02-26": 20}
    assert "12 new papers, and 334 are usual" in few_in(
        "2026-03-04", wednesdays | {"2026-03-04": 12}
    )
    assert few_in("2026-03-04", wednesdays | {"2026-03-04": 180}) == ""
    assert few_in("2026-03-05", wednesdays | {"2026-03-05": 1}) == ""
    small = dict.fromkeys(wednesdays, 4)
    assert few_in("2026-03-04", small | {"2026-03-04": 0}) == ""


def test_the_alarm_reaches_the_outcome_and_the_log(
    library: Library, server: Server, syncing: Syncing, caplog: pytest.LogCaptureFixture
) -> None:
    for day in ("2026-02-11", "2026-02-18", "2026-02-25"):
        library.announce("eels:all", day, {f"arxiv:2602.{n:05}": "new" for n in range(40)})
    server.routes["/eels"] = pages(page([paper(1)], batch="2026-03-04"))
    outcome = syncing(Daily("eels:all", f"{server.url}/eels"))["eels:all"]
    assert "40 are usual" in outcome.alarm
    assert "40 are usual" in caplog.text


def test_a_log_line_and_a_metrics_line_tell_of_each_source(
    server: Server, syncing: Syncing, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "index")
    server.routes["/eels"] = pages(page([paper(1)], batch="2026-03-04"))
    server.routes["/gone"] = lambda _: Reply(b"", 404)
    syncing(Daily("eels:all", f"{server.url}/eels"), Pages("gone:all", f"{server.url}/gone"))
    told = {r.getMessage().partition(":")[0]: r for r in caplog.records if r.name == "index.sync"}
    assert told["eels"].levelno == logging.INFO
    assert told["gone"].levelno == logging.WARNING
    lines = [r.getMessage() for r in caplog.records if r.name == "index.metrics"]
    assert any(
        line.startswith("sync source='eels:all' state=fresh batch=2026-03-04 fetched=1 new=1")
        for line in lines
    )
    assert any("source='gone:all' state=failed" in line for line in lines)


def test_a_second_sync_is_told_and_changes_nothing(
    library: Library, server: Server, syncing: Syncing
) -> None:
    server.routes["/eels"] = pages(page([paper(1)]))
    source = Pages("eels:all", f"{server.url}/eels")
    with SyncLock(library.directory), pytest.raises(SyncBusy, match=r"already \(by process"):
        syncing(source)
    assert server.asked == []
    assert syncing(source)["eels:all"].new == 1


def test_a_sync_that_is_to_end_ends_though_a_source_hangs_and_keeps_what_came(
    library: Library, server: Server, clock: FakeClock
) -> None:
    server.routes["/eels"] = pages(page([paper(1)], more=True), Reply(hang=True))
    stop = threading.Event()

    def asked(path: str) -> Reply:
        reply: Reply = first(path)
        if reply.hang:
            stop.set()
        return reply

    first = server.routes["/eels"]
    server.routes["/eels"] = asked
    with Web("", clock, timeout=60) as patient:
        source = Pages("eels:all", f"{server.url}/eels")
        with pytest.raises(Interrupted):
            Sync(library, [source], patient, clock=clock, stop=stop).run()
        server.released.set()
    assert _names(library) == {"arxiv:2603.00001"}
    assert Ledger.of(library, "eels:all").resume == {"next": 1}
    with SyncLock(library.directory):
        pass
