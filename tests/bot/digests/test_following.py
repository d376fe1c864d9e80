"""The bot reads its sources in a thread of their own, and no digest waits for one that hangs."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.chats.store import Chats
from bot.digests.following import Following
from bot.digests.service import DigestService
from index.ledger import Ledger
from index.library import Library
from index.sources.web import Web
from index.sync import Outcome, Sync, SyncBusy
from tests.bot.clock import Clock
from tests.index.followed import Pages, page, pages
from tests.index.serving import FakeClock, Reply, Server, serving

from .test_news import render
from .test_service import DUE
from .test_service import Server as Telegram

NAMES = ["arxiv:cs.RO", "openreview:X.cc/2026"]


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture
def fast() -> FakeClock:
    return FakeClock(DUE)


class Reader:
    """Reads two sources of a server into the library, as the bot has it done."""

    def __init__(self, folder: Path, server: Server, fast: FakeClock) -> None:
        self.folder = folder
        self.server = server
        self.fast = fast
        self.runs = 0
        self.busy = 0

    def __call__(self, stop: threading.Event, watch: Callable[[Outcome], None]) -> list[Outcome]:
        self.runs += 1
        if self.busy:
            self.busy -= 1
            raise SyncBusy("another process is at it")
        sources = [Pages(name, f"{self.server.url}/{name[:2]}") for name in NAMES]
        with (
            Library.open(self.folder) as library,
            Web("", self.fast, timeout=60) as web,
        ):
            return Sync(library, sources, web, clock=self.fast, stop=stop, watch=watch).run()


@pytest.fixture
def reader(library: Library, server: Server, fast: FakeClock) -> Reader:
    server.routes["/ar"] = pages(page([POLICY_RECORD], batch="2026-12-02"))
    server.routes["/op"] = pages(page([]))
    return Reader(library.directory, server, fast)


@pytest.fixture
def following(library: Library, reader: Reader, clock: Clock) -> Following:
    return Following(NAMES, reader, library.source_states, clock, patience=60, longest=60)


POLICY_RECORD = {
    "id": "arxiv:2612.00077",
    "title": "Diffusion Policies That Recover From Slips",
    "abstract": "Diffusion policies fail when an object slips. We let the policy feel the slip.",
}


def _service(
    chats: Chats, library: Library, clock: Clock, following: Following
) -> tuple[DigestService, Telegram]:
    telegram = Telegram()
    made = DigestService(chats, library, clock, send=telegram, render=render, news=following)
    return made, telegram


async def _subscribed(chats: Chats, library: Library) -> None:
    await chats.subscribe("7", "diffusion policies", 8, 0, "Europe/Berlin", library.sequence, DUE)


async def test_a_digest_holds_what_its_sources_had_at_that_hour(
    chats: Chats, library: Library, clock: Clock, following: Following
) -> None:
    await _subscribed(chats, library)
    service, telegram = _service(chats, library, clock, following)
    clock.now = DUE
    await service.tick()
    assert [text for _, text in telegram.taken] == [POLICY_RECORD["title"]]


async def _until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not happened():  # noqa: ASYNC110 - it is another thread's work
            await asyncio.sleep(0.01)


async def test_a_source_that_hangs_holds_up_no_digest_and_is_named(
    chats: Chats, library: Library, clock: Clock, server: Server, reader: Reader
) -> None:
    await _subscribed(chats, library)
    server.routes["/op"] = lambda _: Reply(hang=True)
    impatient = Following(NAMES, reader, library.source_states, clock, patience=0)
    service, telegram = _service(chats, library, clock, impatient)
    clock.now = DUE
    impatient.begin()
    await _until(lambda: bool(Ledger.of(library, NAMES[0]).state) and len(server.asked) == 2)
    await service.tick()
    [(_, text)] = telegram.taken
    title, _, note = text.partition(" | ")
    assert title == POLICY_RECORD["title"]
    assert note == (
        "OpenReview could not be reached for X.cc/2026 since 08:00 on 2 Dec, "
        "so this digest covers what came before; the rest follows."
    )
    await impatient.close()


async def test_a_source_that_fails_is_tried_again_and_what_it_had_comes_the_same_day(
    chats: Chats, library: Library, clock: Clock, server: Server, reader: Reader, fast: FakeClock,
    following: Following,
) -> None:  # fmt: skip
    await _subscribed(chats, library)
    good = server.routes["/ar"]
    server.routes["/ar"] = lambda _: Reply(b"", 503)
    service, telegram = _service(chats, library, clock, following)
    clock.now = DUE
    await service.tick()
    [(_, told)] = telegram.taken
    assert told.startswith("arXiv could not be reached for cs.RO since 08:0")
    server.routes["/ar"] = good
    clock.now = fast.time = DUE + timedelta(hours=2)
    await service.tick()
    assert [text for _, text in telegram.taken[1:]] == [POLICY_RECORD["title"]]
    clock.now = fast.time = DUE + timedelta(days=1)
    await service.tick()
    assert len(telegram.taken) == 2


async def test_sources_are_asked_again_after_hours_or_sooner_where_one_failed(
    library: Library, clock: Clock, server: Server, reader: Reader, fast: FakeClock,
    following: Following,
) -> None:  # fmt: skip
    async def tick_after(**time: float) -> int:
        clock.now = fast.time = fast.time + timedelta(**time)
        await following.tick()
        await following.settle()
        return reader.runs

    assert await tick_after() == 1
    assert await tick_after(hours=1) == 1
    server.routes["/op"] = lambda _: Reply(b"", 403)
    assert await tick_after(hours=2, minutes=5) == 2
    assert await tick_after(minutes=20) == 2
    assert await tick_after(minutes=20) == 3


async def test_whoever_asks_for_a_sync_sees_a_line_a_source(
    server: Server, following: Following
) -> None:
    server.routes["/op"] = lambda _: Reply(b"", 403)
    first, second = await following.report()
    assert first == (
        "arxiv:cs.RO: fresh (batch 2026-12-02); 1 fetched: 1 new, 0 updated, 0 unchanged, 0 skipped"
    )
    assert second.startswith("openreview:X.cc/2026: failed; 0 fetched")


async def test_where_nothing_is_followed_a_sync_says_what_to_write(
    library: Library, clock: Clock, reader: Reader
) -> None:
    nothing = Following([], reader, library.source_states, clock)
    nothing.begin()
    await nothing.tick()
    assert reader.runs == 0
    assert nothing.coverage("UTC").notice == ""
    [line] = await nothing.report()
    assert "SOURCES in .env" in line


async def test_a_library_that_cannot_be_written_is_no_quiet_day(
    library: Library, clock: Clock
) -> None:
    def broken(_stop: threading.Event, _watch: Callable[[Outcome], None]) -> list[Outcome]:
        raise OSError("No space left on device")

    following = Following(NAMES, broken, library.source_states, clock)
    following.begin()
    await following.settle()
    notice = following.coverage("UTC").notice
    assert notice.startswith("arXiv could not be reached for cs.RO since 12:00 on 1 Dec. OpenRe")
    assert await following.report() == ["The sources cannot be read, and the log says why."]


async def test_a_failure_is_known_also_while_no_paper_ever_came(
    server: Server, reader: Reader, clock: Clock
) -> None:
    server.routes["/ar"] = server.routes["/op"] = lambda _: Reply(b"", 403)
    following = Following(NAMES, reader, dict, clock, patience=60, longest=60)
    following.begin()
    await following.settle()
    assert following.coverage("UTC").notice.startswith("arXiv could not be reached for cs.RO since")
    await following.tick()
    await following.settle()
    assert reader.runs == 1


async def test_closing_ends_a_run_that_hangs(server: Server, following: Following) -> None:
    server.routes["/ar"] = lambda _: Reply(hang=True)
    following.begin()
    await _until(lambda: bool(server.asked))
    await asyncio.wait_for(following.close(), 60)


async def test_what_does_not_mend_itself_is_told_to_whoever_runs_the_bot_once_a_day(
    library: Library, clock: Clock, server: Server, reader: Reader, fast: FakeClock,
    following: Following,
) -> None:  # fmt: skip
    server.routes["/op"] = lambda _: Reply(b"", 403)

    async def warned_after(**time: float) -> list[str]:
        clock.now = fast.time = fast.time + timedelta(**time)
        await following.tick()
        await following.settle()
        return following.warnings()

    assert await warned_after() == []
    [warning] = await warned_after(hours=25)
    assert warning.startswith("openreview:X.cc/2026: it has not been read whole since 2026-12-02")
    assert await warned_after(hours=3) == []
    assert len(await warned_after(hours=22)) == 1
