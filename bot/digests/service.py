"""Digests that are due: composed, planned, sent, once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Protocol

from bot.chats.store import Chats, Subscription
from bot.digests.compose import Digest, compose
from bot.digests.coverage import WHOLE, Coverage
from bot.digests.schedule import next_due
from index.library import Library

Part = dict[str, Any]
"""The exact request of one message, without its chat."""

Send = Callable[[str, Part], Awaitable[int | None]]
"""Sends one part to a chat and returns the id of the message."""

Render = Callable[[Digest], Sequence[Part]]

LEAD = timedelta(minutes=10)
"""So long before a digest is due its sources are read, so that reading holds up none."""
AGAIN = timedelta(hours=2)
"""After a digest that something was missing from, the sources are looked at again so soon, and
what has come meanwhile is sent the same day."""
ONCE = timedelta(hours=20)
"""That a source cannot be reached is told so often, where there is nothing else to tell."""
PLANNED, MISSING = "planned", "sources missing"
"""What is recorded of a digest that is sent; the second where it said what it did not cover."""

log = logging.getLogger(__name__)


class News(Protocol):
    """What brings new papers into the library."""

    def begin(self) -> None:
        """Have the sources read, unless they are being read or were just now."""

    async def settle(self) -> None:
        """Wait until they are read, for as long as that gets on; never for one that hangs."""

    def coverage(self, zone: str) -> Coverage:
        """How the sources stand."""


class NoNews:
    """Nothing is followed: papers come by hand."""

    def begin(self) -> None:
        """Nothing is to be read."""

    async def settle(self) -> None:
        """Nothing is waited for."""

    def coverage(self, zone: str) -> Coverage:  # noqa: ARG002 - as News has it
        """Whatever is there is all there is."""
        return WHOLE


class Blocked(Exception):
    """The person blocked the bot, or removed it: nothing more is sent until they are back."""


class Refused(Exception):
    """The server will never take this part; the others are sent all the same."""


class Moved(Exception):
    """The group has become a supergroup; the part is sent again, there."""

    def __init__(self, chat: str) -> None:
        super().__init__(f"moved to {chat}")
        self.chat = chat


class DigestService:
    """Sends what is due.

    The plan of a digest, its delivery, the papers in it and the next time are written in one
    transaction, and each part is confirmed on its own. A kill before the transaction leaves the
    digest due; a kill after it leaves parts that the next `resume` or `tick` sends.
    """

    def __init__(
        self,
        chats: Chats,
        library: Library,
        clock: Callable[[], datetime],
        *,
        send: Send,
        render: Render,
        news: News | None = None,
    ) -> None:
        self._chats = chats
        self._library = library
        self._clock = clock
        self._send = send
        self._render = render
        self._news = news or NoNews()
        self._busy = asyncio.Lock()

    async def tick(self, now: datetime | None = None) -> int:
        """Deliver every digest due by now, late ones too; returns how many were planned.

        What was missed while the bot was down comes as one digest. A fault in one chat's digest
        is logged, leaves it due, and holds up nobody else's.
        """
        async with self._busy:
            planned = 0
            if await self._chats.due((now or self._clock()) + LEAD):
                self._news.begin()
            due = await self._chats.due(now or self._clock())
            if due:
                await self._news.settle()
            for subscription in due:
                try:
                    planned += await self._deliver(subscription, now or self._clock())
                except Exception:
                    log.exception("digest %s is not composed; it stays due", subscription.id)
            await self._send_unfinished()
            return planned

    async def resume(self) -> None:
        """Send what was planned and not confirmed, as after a restart."""
        async with self._busy:
            await self._send_unfinished()

    async def _deliver(self, subscription: Subscription, now: datetime) -> bool:
        coverage = await asyncio.to_thread(self._news.coverage, subscription.zone)
        digest = await compose_for(self._chats, self._library, subscription, coverage)
        # Silence would hide a failure. It is told once a day: looking again says nothing of it.
        missing = bool(coverage.missing)
        news = bool(digest.papers or digest.revised)
        tell = news or (missing and not await self._told(subscription.chat, now))
        parts = await asyncio.to_thread(self._rendered, digest) if tell else []
        planned = f"{PLANNED}, {MISSING}" if missing else PLANNED
        following = next_due(now, subscription.hour, subscription.minute, subscription.zone)
        return await self._chats.deliver(
            subscription,
            papers=[*(paper.id for paper, _ in digest.papers), *digest.revised],
            outcome=planned if parts else digest.note,
            parts=parts,
            next_due=min(following, now + AGAIN) if coverage.late else following,
            seen=digest.seen,
        )

    async def _told(self, chat: str, now: datetime) -> bool:
        """Whether the chat has read within a day that a source could not be reached."""
        return any(
            outcome.endswith(MISSING) and timedelta(0) <= now - due < ONCE
            for due, outcome in await self._chats.deliveries(chat)
        )

    def _rendered(self, digest: Digest) -> Sequence[Part]:
        """The parts; where a paper cannot be shown, those of the others."""
        try:
            return self._render(digest)
        except Exception:
            log.exception("a paper of a digest cannot be shown; each is tried alone")
        shown = tuple(pair for pair in digest.papers if self._can_show(digest, pair))
        return self._render(replace(digest, papers=shown)) if shown else []

    def _can_show(self, digest: Digest, pair: tuple[Any, str]) -> bool:
        try:
            self._render(replace(digest, papers=(pair,)))
        except Exception:
            log.exception("left out of a digest: %s", pair[0].id)
            return False
        return True

    async def _send_unfinished(self) -> None:
        for key, chat in await self._chats.unfinished("digest:"):
            if await self._chats.is_active(chat):
                await self._send_plan(key, chat)

    async def _send_plan(self, key: str, chat: str) -> None:
        """Send the rest of a plan in order; what fails for now is left for the next tick."""
        # Read again before each part: the person may have unsubscribed since the last one.
        while outstanding := await self._chats.outstanding(key):
            number, part = outstanding[0]
            try:
                message_id = await self._send(chat, part)
            except Blocked:
                log.info("chat %s has blocked the bot", chat)
                await self._chats.deactivate(chat)
                return
            except Moved as moved:
                await self._chats.migrate(chat, moved.chat)
                chat = moved.chat
                continue
            except Refused:
                log.exception("part %s of %s is refused for good", number, key)
                message_id = None
            except Exception as error:  # noqa: BLE001 - whatever it is, the next tick tries again
                log.warning("part %s of %s is not sent yet: %r", number, key, error)
                return
            await self._chats.part_sent(key, number, message_id)


def is_regular(subscription: Subscription) -> bool:
    """Whether it is due at the time the person chose, and not for another look on the same day."""
    moment = subscription.next_due
    before = moment - timedelta(seconds=1)
    return next_due(before, subscription.hour, subscription.minute, subscription.zone) == moment


async def compose_for(
    chats: Chats, library: Library, subscription: Subscription, coverage: Coverage = WHOLE
) -> Digest:
    """The digest a subscription would get now."""
    return await asyncio.to_thread(
        compose,
        library,
        chat=subscription.chat,
        topic=subscription.topic,
        due=subscription.next_due,
        zone=subscription.zone,
        since=subscription.seen,
        delivered=await chats.delivered(subscription.chat),
        saved=await chats.saved_when(subscription.chat),
        coverage=coverage,
    )
