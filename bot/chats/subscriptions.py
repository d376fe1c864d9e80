"""Subscriptions and deliveries: who wants what when, and what was sent, once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bot.chats.database import insert_if_absent
from bot.chats.models import ChatRow, DeliveredRow, DeliveryRow, PlanRow, SubscriptionRow
from bot.chats.outbox import add_plan, drop_plans
from bot.chats.room import Room


@dataclass(frozen=True, slots=True)
class Subscription:
    """A standing wish of a chat; `seen` is the library's sequence number considered so far."""

    id: int
    chat: str
    topic: str
    hour: int
    minute: int
    zone: str
    seen: int
    next_due: datetime


def digest_key(subscription_id: int, due: datetime) -> str:
    """Key of the plan that delivers a digest."""
    return f"digest:{subscription_id}:{due.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


class Subscriptions(Room):
    """At most one subscription a chat."""

    async def subscribe(
        self,
        chat: str,
        topic: str,
        hour: int,
        minute: int,
        zone: str,
        since: int,
        next_due: datetime,
    ) -> Subscription:
        """Begin a subscription, or change the one the chat has."""
        values = {
            "topic": topic,
            "hour": hour,
            "minute": minute,
            "zone": zone,
            "seen": since,
            "next_due": next_due,
            "changed": self._now(),
        }
        async with self._database.writing() as session:
            await insert_if_absent(session, SubscriptionRow, chat=chat, **values)
            row = await _current(session, chat)
            assert row is not None  # noqa: S101 - the index of open subscriptions has it
            for name, value in values.items():
                setattr(row, name, value)
            await session.flush()
            return _subscription(row)

    async def subscription(self, chat: str) -> Subscription | None:
        """What the chat wants, or None."""
        async with self._database.reading() as session:
            row = await _current(session, chat)
            return _subscription(row) if row else None

    async def unsubscribe(self, chat: str) -> bool:
        """End the subscription, and drop what of its digests is not sent yet; False if none."""
        async with self._database.writing() as session:
            row = await _current(session, chat)
            if row is None:
                return False
            row.ended = self._now()
            await drop_plans(session, PlanRow.key.startswith(f"digest:{row.id}:"), self._now())
            return True

    async def due(self, now: datetime) -> list[Subscription]:
        """Subscriptions of active chats whose time has come, the longest due first."""
        async with self._database.reading() as session:
            rows = await session.scalars(
                select(SubscriptionRow)
                .outerjoin(ChatRow, ChatRow.chat == SubscriptionRow.chat)
                .where(
                    SubscriptionRow.ended.is_(None),
                    SubscriptionRow.next_due <= now,
                    ChatRow.active.is_not(False),
                )
                .order_by(SubscriptionRow.next_due, SubscriptionRow.id)
            )
            return [_subscription(row) for row in rows]

    async def advance(self, subscription_id: int, next_due: datetime, seen: int) -> None:
        """Move a subscription on to its next time."""
        async with self._database.writing() as session:
            await _advance(session, subscription_id, next_due, seen)

    async def record_delivery(
        self, subscription_id: int, due: datetime, papers: Collection[str], outcome: str
    ) -> bool:
        """Write what became of a due digest; False where that due was recorded already."""
        async with self._database.writing() as session:
            return await _record(
                session, subscription_id, due, papers, outcome=outcome, now=self._now()
            )

    async def deliver(
        self,
        subscription: Subscription,
        *,
        papers: Collection[str],
        outcome: str,
        parts: Sequence[dict[str, Any]],
        next_due: datetime,
        seen: int,
    ) -> bool:
        """Record a due digest, plan its parts and move on to the next time, all or nothing.

        False, and nothing changed, where that due was recorded already, or the person has
        unsubscribed or changed the subscription since it was read.
        """
        due = subscription.next_due
        now = self._now()
        async with self._database.writing() as session:
            row = await session.get(SubscriptionRow, subscription.id, with_for_update=True)
            if row is None or row.ended is not None or _subscription(row) != subscription:
                return False
            if not await _record(session, row.id, due, papers, outcome=outcome, now=now):
                # Recorded without having moved on; moving on now keeps it from being due for ever.
                await _advance(session, row.id, next_due, seen)
                return False
            if parts:
                await add_plan(session, digest_key(row.id, due), row.chat, parts, now)
            await _advance(session, row.id, next_due, seen)
            return True

    async def delivered(self, chat: str) -> set[str]:
        """Ids of the papers the chat has had in digests."""
        async with self._database.reading() as session:
            return set(
                await session.scalars(select(DeliveredRow.paper).where(DeliveredRow.chat == chat))
            )

    async def deliveries(self, chat: str) -> list[tuple[datetime, str]]:
        """(due, outcome) of the chat's digests, oldest first."""
        async with self._database.reading() as session:
            rows = await session.execute(
                select(DeliveryRow.due, DeliveryRow.outcome)
                .where(DeliveryRow.chat == chat)
                .order_by(DeliveryRow.due)
            )
            return [(due, outcome) for due, outcome in rows]


def _subscription(row: SubscriptionRow) -> Subscription:
    return Subscription(
        row.id, row.chat, row.topic, row.hour, row.minute, row.zone, row.seen, row.next_due
    )


async def _current(session: AsyncSession, chat: str) -> SubscriptionRow | None:
    found: SubscriptionRow | None = await session.scalar(
        select(SubscriptionRow).where(SubscriptionRow.chat == chat, SubscriptionRow.ended.is_(None))
    )
    return found


async def _advance(
    session: AsyncSession, subscription_id: int, next_due: datetime, seen: int
) -> None:
    await session.execute(
        update(SubscriptionRow)
        .where(SubscriptionRow.id == subscription_id)
        .values(next_due=next_due, seen=seen)
    )


async def _record(
    session: AsyncSession,
    subscription_id: int,
    due: datetime,
    papers: Collection[str],
    *,
    outcome: str,
    now: datetime,
) -> bool:
    chat = await session.scalar(
        select(SubscriptionRow.chat).where(SubscriptionRow.id == subscription_id)
    )
    if chat is None:
        return False
    recorded = await insert_if_absent(
        session,
        DeliveryRow,
        subscription_id=subscription_id,
        due=due,
        chat=chat,
        outcome=outcome,
        recorded=now,
    )
    if recorded:
        for paper in papers:
            await insert_if_absent(session, DeliveredRow, chat=chat, paper=paper, delivered=now)
    return recorded
