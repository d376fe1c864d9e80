"""A digest arrives once, whole, late rather than never."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.chats.store import Chats, Subscription
from bot.digests.compose import Digest
from bot.digests.service import Blocked, DigestService, Moved, Part, Refused
from index.library import Library
from tests.bot.clock import Clock

from .conftest import POLICY, SOIL, VISUOMOTOR

DUE = datetime(2026, 12, 2, 7, 0, tzinfo=UTC)


class Server:
    """Takes messages, and can be told to fail."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, str]] = []
        self.faults: list[Exception] = []

    async def __call__(self, chat: str, part: Part) -> int:
        if self.faults:
            raise self.faults.pop(0)
        self.taken.append((chat, part["text"]))
        return len(self.taken)


def render(digest: Digest) -> list[Part]:
    """A heading, then a message a paper."""
    return [{"text": f"New about {digest.topic}"}] + [
        {"text": f"{paper.title}: {why}"} for paper, why in digest.papers
    ]


WHOLE = [
    "New about diffusion policies",
    f"{POLICY.title}: “diffusion” and “policies” in its title · 3 Dec 2026",
]


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def service(chats: Chats, library: Library, clock: Clock, server: Server) -> DigestService:
    return DigestService(chats, library, clock, send=server, render=render)


async def _subscribed(chats: Chats, library: Library, chat: str = "7") -> Subscription:
    return await chats.subscribe(
        chat, "diffusion policies", 8, 0, "Europe/Berlin", library.sequence, DUE
    )


def _texts(server: Server, chat: str = "7") -> list[str]:
    return [text for to, text in server.taken if to == chat]


async def test_a_digest_comes_when_it_is_due_and_not_before(
    chats: Chats, library: Library, clock: Clock, server: Server, service: DigestService
) -> None:
    await _subscribed(chats, library)
    library.add([POLICY, SOIL])

    clock.now = DUE - timedelta(seconds=1)
    await service.tick()
    assert server.taken == []

    clock.now = DUE
    await service.tick()
    await service.tick()
    assert _texts(server) == WHOLE
    assert await chats.delivered("7") == {POLICY.id}


async def test_the_next_one_comes_a_day_later_with_what_is_new_since(
    chats: Chats, library: Library, clock: Clock, server: Server, service: DigestService
) -> None:
    await _subscribed(chats, library)
    library.add([POLICY])
    clock.now = DUE
    await service.tick()
    library.add([POLICY, VISUOMOTOR])
    clock.now = DUE + timedelta(days=1)
    await service.tick()
    assert len(_texts(server)) == 4
    assert VISUOMOTOR.title in _texts(server)[3]


async def test_a_quiet_day_is_silent_and_recorded(
    chats: Chats, library: Library, clock: Clock, server: Server, service: DigestService
) -> None:
    await _subscribed(chats, library)
    library.add([SOIL])
    clock.now = DUE
    await service.tick()
    assert server.taken == []
    assert await chats.deliveries("7") == [
        (DUE, "Nothing close to “diffusion policies” among 1 new paper.")
    ]


async def test_what_an_outage_missed_comes_late_and_as_one(
    chats: Chats, library: Library, clock: Clock, server: Server, service: DigestService
) -> None:
    await _subscribed(chats, library)
    library.add([POLICY])
    clock.now = DUE + timedelta(days=3, hours=2)
    await service.tick()
    await service.tick()
    assert _texts(server) == WHOLE
    subscription = await chats.subscription("7")
    assert subscription is not None
    assert subscription.next_due == DUE + timedelta(days=4)


async def test_a_chat_that_blocked_the_bot_is_left_alone_and_the_others_are_served(
    chats: Chats, library: Library, clock: Clock, server: Server, service: DigestService
) -> None:
    for chat in ("7", "8", "9"):
        await _subscribed(chats, library, chat)
    library.add([POLICY])
    clock.now = DUE
    server.faults = [Blocked()]
    await service.tick()

    assert [_texts(server, chat) for chat in ("7", "8", "9")] == [[], WHOLE, WHOLE]
    assert not await chats.is_active("7")

    clock.forward(timedelta(days=1))
    await service.tick()
    assert _texts(server, "7") == []

    await chats.activate("7")
    await service.tick()
    assert _texts(server, "7") == WHOLE


async def test_a_server_that_is_away_gets_the_rest_at_the_next_tick(
    chats: Chats, library: Library, clock: Clock, server: Server, service: DigestService
) -> None:
    await _subscribed(chats, library)
    library.add([POLICY])
    clock.now = DUE
    server.faults = [OSError("connection refused")]
    await service.tick()
    assert server.taken == []
    await service.tick()
    assert _texts(server) == WHOLE


async def test_a_part_the_server_never_takes_does_not_hold_up_the_rest(
    chats: Chats, library: Library, clock: Clock, server: Server, service: DigestService
) -> None:
    await _subscribed(chats, library)
    library.add([POLICY])
    clock.now = DUE
    server.faults = [Refused("message is too long")]
    await service.tick()
    assert _texts(server) == WHOLE[1:]


async def test_a_group_that_has_moved_gets_its_digest_in_its_new_place(
    chats: Chats, library: Library, clock: Clock, server: Server, service: DigestService
) -> None:
    await _subscribed(chats, library, "-5")
    library.add([POLICY])
    clock.now = DUE
    server.faults = [Moved("-1005")]
    await service.tick()
    assert _texts(server, "-1005") == WHOLE
    assert await chats.subscription("-5") is None
    assert await chats.subscription("-1005") is not None


async def test_stop_between_building_and_sending_is_obeyed(
    chats: Chats, library: Library, clock: Clock, server: Server
) -> None:
    await _subscribed(chats, library)
    library.add([POLICY])

    async def send(chat: str, part: Part) -> int:
        await chats.unsubscribe("7")
        return await server(chat, part)

    clock.now = DUE
    await DigestService(chats, library, clock, send=send, render=render).tick()
    assert _texts(server) == WHOLE[:1]


async def test_stop_while_it_is_composed_is_obeyed(
    chats: Chats, library: Library, clock: Clock, server: Server
) -> None:
    await _subscribed(chats, library)
    library.add([POLICY])
    loop = asyncio.get_running_loop()

    def stopping(digest: Digest) -> Sequence[Part]:
        asyncio.run_coroutine_threadsafe(chats.unsubscribe("7"), loop).result(10)
        return render(digest)

    clock.now = DUE
    await DigestService(chats, library, clock, send=server, render=stopping).tick()
    assert server.taken == []
    assert await chats.delivered("7") == set()


async def test_a_paper_that_cannot_be_shown_costs_only_itself(
    chats: Chats, library: Library, clock: Clock, server: Server
) -> None:
    await _subscribed(chats, library)
    library.add([POLICY, VISUOMOTOR])

    def picky(digest: Digest) -> list[Part]:
        if any(paper.id == VISUOMOTOR.id for paper, _ in digest.papers):
            raise ValueError("no such entity")
        return render(digest)

    clock.now = DUE
    await DigestService(chats, library, clock, send=server, render=picky).tick()
    assert _texts(server) == WHOLE


async def test_two_ticks_at_once_send_it_once(
    chats: Chats, library: Library, clock: Clock, server: Server, service: DigestService
) -> None:
    await _subscribed(chats, library)
    library.add([POLICY])
    clock.now = DUE
    await asyncio.gather(service.tick(), service.resume(), service.tick())
    assert _texts(server) == WHOLE


class Killed(BaseException):
    """The process ends here."""


class Steps:
    """Ends the process before or after one call among those that change anything."""

    def __init__(self, kill_at: int | None) -> None:
        self._left = kill_at
        self.killed = False

    def step(self) -> None:
        if self._left == 0:
            self.killed = True
            raise Killed
        if self._left is not None:
            self._left -= 1

    def around(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def stepped(*args: Any, **kwargs: Any) -> Any:
            self.step()
            result = await call(*args, **kwargs)
            self.step()
            return result

        return stepped


class Stepped:
    """The chats, with a step before and after each call."""

    def __init__(self, chats: Chats, steps: Steps) -> None:
        self._chats = chats
        self._steps = steps

    def __getattr__(self, name: str) -> Any:
        return self._steps.around(getattr(self._chats, name))


def _every_step() -> Iterator[int]:
    yield from range(200)


async def test_killed_before_or_after_any_step_it_still_arrives_once_and_whole(
    url: str, chats: Chats, library: Library, clock: Clock
) -> None:
    library_before = library.sequence
    library.add([POLICY])
    clock.now = DUE
    kills = 0
    for kill_at in _every_step():
        chat = str(1000 + kill_at)
        await chats.subscribe(
            chat, "diffusion policies", 8, 0, "Europe/Berlin", library_before, DUE
        )
        server, steps = Server(), Steps(kill_at)

        async def send(to: str, part: Part, server: Server = server, steps: Steps = steps) -> int:
            steps.step()
            return await server(to, part)

        first = DigestService(
            Stepped(chats, steps),  # type: ignore[arg-type]
            library,
            clock,
            send=send,
            render=render,
        )
        taken_then_killed = False
        try:
            await first.tick()
        except Killed:
            kills += 1
            # Between the server's taking a part and our noting it nobody can know: it repeats.
            unconfirmed = [key for key, _ in await chats.unfinished("digest:")]
            left = len(await chats.outstanding(unconfirmed[0])) if unconfirmed else 0
            taken_then_killed = bool(server.taken) and len(server.taken) + left > len(WHOLE)

        restarted = DigestService(chats, library, clock, send=server, render=render)
        await restarted.resume()
        await restarted.tick()

        texts = _texts(server, chat)
        assert list(dict.fromkeys(texts)) == WHOLE, f"killed at step {kill_at}"
        assert len(texts) == len(WHOLE) + taken_then_killed, f"killed at step {kill_at}"
        if not steps.killed:
            break
    assert kills > 15


async def test_a_new_version_of_a_saved_paper_is_told_once_also_on_a_quiet_day(
    chats: Chats, library: Library, clock: Clock, server: Server
) -> None:
    def notes(digest: Digest) -> list[Part]:
        return [{"text": digest.note}]

    service = DigestService(chats, library, clock, send=server, render=notes)
    library.add([replace(SOIL, version=2)])
    await _subscribed(chats, library)
    await chats.save("7", [SOIL.id])
    library.announce("arxiv:cs.RO", "2026-12-02", {SOIL.id: "replaced"})
    for day in range(2):
        clock.now = DUE + timedelta(days=day)
        await service.tick()
    (told,) = _texts(server)
    assert f"there is a new version: “{SOIL.title}” (v2, {SOIL.link})" in told
