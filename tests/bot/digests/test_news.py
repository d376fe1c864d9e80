"""A digest waits for its sources, not for ever, and says what it could not cover."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.chats.store import Chats, Subscription
from bot.digests.compose import Digest
from bot.digests.coverage import WHOLE, Coverage
from bot.digests.service import DigestService, Part
from bot.digests.verbs import Digests
from index.library import Library
from tests.bot.clock import Clock

from .conftest import POLICY, SOIL, VISUOMOTOR
from .test_service import DUE, Server

MISSING = "arXiv could not be reached for cs.RO since 07:30 on 2 Dec."
SAID = (
    "arXiv could not be reached for cs.RO since 07:30 on 2 Dec, so this digest covers what came "
    "before; the rest follows."
)
FAILED = Coverage(missing=(MISSING,), late=True)
WAITING = Coverage(remarks=("arXiv has not announced the latest papers of cs.RO yet.",), late=True)
WEEKEND = Coverage(quiet="arXiv made no announcement today (weekend).")


class News:
    """Sources that stand as the test says."""

    def __init__(self) -> None:
        self.stands = WHOLE
        self.begun = 0
        self.settled = 0

    def begin(self) -> None:
        self.begun += 1

    async def settle(self) -> None:
        self.settled += 1

    def coverage(self, zone: str) -> Coverage:
        assert zone == "Europe/Berlin"
        return self.stands


def render(digest: Digest) -> list[Part]:
    """One message."""
    titles = [paper.title for paper, _ in digest.papers]
    return [{"text": " | ".join([*titles, digest.note] if digest.note else titles)}]


@pytest.fixture
def news() -> News:
    return News()


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def service(
    chats: Chats, library: Library, clock: Clock, server: Server, news: News
) -> DigestService:
    return DigestService(chats, library, clock, send=server, render=render, news=news)


@pytest.fixture
async def subscription(chats: Chats, library: Library) -> Subscription:
    return await chats.subscribe(
        "7", "diffusion policies", 8, 0, "Europe/Berlin", library.sequence, DUE
    )


def _texts(server: Server) -> list[str]:
    return [text for _, text in server.taken]


async def _due(chats: Chats) -> datetime:
    found = await chats.subscription("7")
    assert found is not None
    return found.next_due


async def test_sources_are_read_before_a_digest_is_due_and_waited_for_when_it_is(
    subscription: Subscription, service: DigestService, clock: Clock, news: News
) -> None:
    clock.now = DUE - timedelta(minutes=11)
    await service.tick()
    assert (news.begun, news.settled) == (0, 0)
    clock.now = DUE - timedelta(minutes=9)
    await service.tick()
    assert (news.begun, news.settled) == (1, 0)
    clock.now = DUE
    await service.tick()
    assert news.settled == 1


async def test_what_a_failed_source_may_have_held_is_said_below_what_the_others_brought(
    subscription: Subscription,
    service: DigestService,
    library: Library,
    clock: Clock,
    news: News,
    server: Server,
) -> None:
    library.add([POLICY])
    news.stands = FAILED
    clock.now = DUE
    await service.tick()
    assert _texts(server) == [f"{POLICY.title} | {SAID}"]


async def test_a_failure_is_no_quiet_day_and_is_told_once_a_day(
    subscription: Subscription,
    service: DigestService,
    chats: Chats,
    clock: Clock,
    news: News,
    server: Server,
) -> None:
    news.stands = FAILED
    clock.now = DUE
    await service.tick()
    assert _texts(server) == [SAID]
    for hours in (2, 4, 6):
        assert await _due(chats) == DUE + timedelta(hours=hours)
        clock.now = await _due(chats)
        await service.tick()
    assert _texts(server) == [SAID]
    clock.now = DUE + timedelta(days=1)
    await service.tick()
    assert _texts(server) == [SAID, SAID]


async def test_what_comes_late_is_sent_the_same_day_and_the_next_one_at_its_time(
    subscription: Subscription,
    service: DigestService,
    chats: Chats,
    library: Library,
    clock: Clock,
    news: News,
    server: Server,
) -> None:
    library.add([POLICY])
    news.stands = WAITING
    clock.now = DUE
    await service.tick()
    assert _texts(server) == [f"{POLICY.title} | {WAITING.remarks[0]}"]

    library.add([VISUOMOTOR])
    news.stands = WHOLE
    clock.now = DUE + timedelta(hours=2)
    await service.tick()
    assert _texts(server)[1:] == [VISUOMOTOR.title]
    assert await _due(chats) == DUE + timedelta(days=1)
    clock.now = DUE + timedelta(days=1)
    await service.tick()
    assert len(_texts(server)) == 2


async def test_a_late_evening_looks_no_further_than_the_next_regular_time(
    chats: Chats, service: DigestService, library: Library, clock: Clock, news: News
) -> None:
    due = datetime(2026, 12, 2, 22, 30, tzinfo=UTC)
    await chats.subscribe("7", "diffusion", 23, 30, "Europe/Berlin", library.sequence, due)
    news.stands = FAILED
    clock.now = due + timedelta(hours=23)
    await service.tick()
    assert await _due(chats) == due + timedelta(days=1)


async def test_a_weekend_is_silent_and_recorded_as_one(
    subscription: Subscription,
    service: DigestService,
    chats: Chats,
    clock: Clock,
    news: News,
    server: Server,
) -> None:
    news.stands = WEEKEND
    clock.now = DUE
    await service.tick()
    assert server.taken == []
    assert await chats.deliveries("7") == [(DUE, "arXiv made no announcement today (weekend).")]


async def test_nothing_close_among_what_came_is_still_said_where_a_source_failed(
    subscription: Subscription,
    service: DigestService,
    library: Library,
    clock: Clock,
    news: News,
    server: Server,
) -> None:
    library.add([SOIL])
    news.stands = FAILED
    clock.now = DUE
    await service.tick()
    assert _texts(server) == [f"Nothing close to “diffusion policies” among 1 new paper. {SAID}"]


async def test_a_digest_taken_in_the_terminal_says_it_too(
    subscription: Subscription, chats: Chats, library: Library, clock: Clock
) -> None:
    digests = Digests(chats, library, "UTC", clock, lambda _: FAILED)
    digest = await digests.digest("7", DUE, dry_run=True)
    assert (digest.checked, digest.note) == (0, SAID)


async def test_the_next_look_is_shown_as_one(
    subscription: Subscription, chats: Chats, library: Library, clock: Clock
) -> None:
    await chats.advance(subscription.id, DUE + timedelta(hours=2), library.sequence)
    reply = await Digests(chats, library, "UTC", clock).handle_digest("7", "")
    assert reply.lines[1] == (
        "Next: Wed 2 Dec, 10:00 Europe/Berlin, since sources were late or not reached."
    )
