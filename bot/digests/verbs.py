"""What a person can do with digests, for every front end: subscribe, look, stop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.chats.store import Chats, ChatsError, Subscription
from bot.digests.compose import Digest, illustrate, newest, newest_of
from bot.digests.coverage import WHOLE, Coverage
from bot.digests.request import EXAMPLE, RequestError, Show, Stop, Wish, parse
from bot.digests.schedule import in_words, next_due
from bot.digests.service import compose_for, is_regular
from index.library import Library


class NoSubscription(ChatsError):
    """The chat has no digest set."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Lines for the person, then a digest as it would look, where there is one to show."""

    lines: tuple[str, ...]
    preview: Digest | None = None


class Digests:
    """The verbs behind `/digest`, `/stop` and `bot digest`."""

    def __init__(
        self,
        chats: Chats,
        library: Library,
        zone: str,
        clock: Callable[[], datetime],
        coverage: Callable[[str], Coverage] = lambda _: WHOLE,
    ) -> None:
        self._chats = chats
        self._library = library
        self._zone = zone
        """Time zone of chats that have not said theirs."""
        self._clock = clock
        self._coverage = coverage
        """How the sources stand, said with the times of a zone."""

    async def handle_digest(self, chat: str, args: str) -> Reply:
        """Do what the words after `/digest` ask for; what cannot be understood is said in a line."""
        try:
            match parse(args):
                case Show():
                    return await self._show(chat)
                case Stop():
                    return Reply((await self.handle_stop(chat),))
                case Wish() as wish:
                    return await self._subscribe(chat, wish)
        except RequestError as error:
            return Reply((str(error),))

    async def handle_stop(self, chat: str) -> str:
        """End the chat's digest, at once."""
        subscription = await self._chats.subscription(chat)
        if subscription is None or not await self._chats.unsubscribe(chat):
            return f"You have no digest, so there is nothing to stop. {EXAMPLE} begins one."
        return (
            f"Stopped: no more digests about “{subscription.topic}”. "
            f"/digest {_clock_time(subscription)} {subscription.topic} begins again."
        )

    async def digest(self, chat: str, at: datetime, *, dry_run: bool) -> Digest:
        """The chat's digest as if it were `at`; recorded as delivered unless it is a dry run.

        Raises:
            NoSubscription: the chat has none.
        """
        subscription = await self._chats.subscription(chat)
        if subscription is None:
            raise NoSubscription(f"chat {chat!r} has no digest; in that chat, write {EXAMPLE}")
        coverage = await asyncio.to_thread(self._coverage, subscription.zone)
        digest = await compose_for(self._chats, self._library, subscription, coverage)
        if not dry_run:
            await self._record(subscription, digest, at)
        return digest

    async def _record(self, subscription: Subscription, digest: Digest, at: datetime) -> None:
        papers = [*(paper.id for paper, _ in digest.papers), *digest.revised]
        outcome = "shown" if papers else digest.note
        if at < subscription.next_due:
            # Taken early: what was shown is not shown again, and the next one comes at its time.
            await self._chats.record_delivery(subscription.id, at, papers, outcome)
            await self._chats.advance(subscription.id, subscription.next_due, digest.seen)
            return
        await self._chats.deliver(
            subscription,
            papers=papers,
            outcome=outcome,
            parts=[],
            next_due=next_due(at, subscription.hour, subscription.minute, subscription.zone),
            seen=digest.seen,
        )

    async def _show(self, chat: str) -> Reply:
        subscription = await self._chats.subscription(chat)
        if subscription is None:
            return Reply(
                (
                    "You have no digest yet. Say when, and what about:",
                    EXAMPLE,
                    "A time zone may follow the time: /digest 08:00 Europe/Berlin diffusion policies",
                )
            )
        return await self._previewed(
            subscription,
            f"Your digest: “{subscription.topic}”, every day at {_clock_time(subscription)}.",
            f"Next: {in_words(subscription.next_due, subscription.zone)}"
            + ("." if is_regular(subscription) else ", since sources were late or not reached."),
            "/stop ends it.",
        )

    async def _subscribe(self, chat: str, wish: Wish) -> Reply:
        now = self._clock()
        before = await self._chats.subscription(chat)
        topic = wish.topic or (before.topic if before else "")
        time = wish.time or ((before.hour, before.minute) if before and not wish.topic else None)
        if time is None:
            raise RequestError(f"At what time? Write it before the topic, as in {EXAMPLE}.")
        if not topic:
            raise RequestError(f"About what? Write it after the time, as in {EXAMPLE}.")
        chosen = wish.zone or await self._chats.timezone(chat)
        zone = chosen or (before.zone if before else self._zone)
        if wish.zone:
            await self._chats.set_timezone(chat, wish.zone)
        same = before is not None and before.topic.casefold() == topic.casefold()
        since = before.seen if before and same else await asyncio.to_thread(newest, self._library)
        made = await self._chats.subscribe(
            chat, topic, *time, zone, since, next_due(now, *time, zone)
        )
        lines = [
            f"Every day at {_clock_time(made)} you get what is new in the library about “{topic}”.",
            f"Next: {in_words(made.next_due, zone)}. Days with nothing close to it stay silent.",
            "/stop ends it.",
        ]
        if chosen is None:
            other = "America/New_York" if zone == "Europe/Berlin" else "Europe/Berlin"
            lines.insert(
                2,
                f"The time is read as {zone}, since you have not said yours; to change it: "
                f"/digest {made.hour:02}:{made.minute:02} {other} {topic}",
            )
        return await self._previewed(made, *lines)

    async def _previewed(self, subscription: Subscription, *lines: str) -> Reply:
        """The lines, then what waits for the next digest; before anything came, an illustration."""
        preview = await compose_for(self._chats, self._library, subscription)
        lead = "It would list so far:"
        if not preview.checked:
            preview = await asyncio.to_thread(
                illustrate,
                self._library,
                chat=subscription.chat,
                topic=subscription.topic,
                due=subscription.next_due,
                zone=subscription.zone,
            )
            lead = (
                "Nothing new has come in yet. "
                f"Of {newest_of(preview.checked)} in the library it would have listed:"
            )
        return Reply((*lines, lead) if preview.papers else lines, preview)


def _clock_time(subscription: Subscription) -> str:
    return f"{subscription.hour:02}:{subscription.minute:02} {subscription.zone}"
