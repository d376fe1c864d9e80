"""What a chat has chosen, its buttons, its usage, and its move to another id."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from typing import Any
from uuid import uuid4

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bot.chats.database import insert_if_absent
from bot.chats.models import (
    ChatRow,
    DeliveredRow,
    DeliveryRow,
    PlanRow,
    SpendingRow,
    SubscriptionRow,
    TapRow,
    UpdateRow,
    UsageRow,
)
from bot.chats.outbox import drop_plans
from bot.chats.room import Room
from bot.chats.saved import move_saved
from bot.chats.spending import add_spending

TOKEN_LENGTH = 16
"""Hexadecimal digits of a button's token: 64 bits, and `callback_data` holds 64 bytes."""


class People(Room):
    """Settings of chats."""

    async def thread(self, chat: str) -> str:
        """The id of the chat's conversation; made here, never taken from outside."""
        async with self._database.reading() as session:
            row = await session.get(ChatRow, chat)
        if row is not None:
            return row.thread
        async with self._database.writing() as session:
            return (await _chat(session, chat)).thread

    async def new_thread(self, chat: str) -> str:
        """Begin a new conversation; the old one is no longer read."""
        async with self._database.writing() as session:
            row = await _chat(session, chat)
            row.thread = _new_thread()
            return row.thread

    async def timezone(self, chat: str) -> str | None:
        """IANA name the chat has chosen, or None."""
        async with self._database.reading() as session:
            row = await session.get(ChatRow, chat)
            return row.timezone if row else None

    async def set_timezone(self, chat: str, name: str) -> None:
        """Keep an IANA name; whoever calls has checked that it exists."""
        async with self._database.writing() as session:
            (await _chat(session, chat)).timezone = name

    async def deactivate(self, chat: str) -> None:
        """Send nothing more of our own accord; everything chosen is kept."""
        async with self._database.writing() as session:
            (await _chat(session, chat)).active = False

    async def activate(self, chat: str) -> None:
        """The person is back."""
        async with self._database.writing() as session:
            (await _chat(session, chat)).active = True

    async def is_active(self, chat: str) -> bool:
        """False between `deactivate` and `activate`; True for chats never heard of."""
        async with self._database.reading() as session:
            row = await session.get(ChatRow, chat)
            return row.active if row else True

    async def tap(self, chat: str, data: dict[str, Any]) -> str:
        """A token of 16 characters for a button; equal data of a chat give the same one."""
        words = json.dumps([chat, data], sort_keys=True)
        token = hashlib.sha256(words.encode()).hexdigest()[:TOKEN_LENGTH]
        async with self._database.writing() as session:
            await insert_if_absent(
                session, TapRow, token=token, chat=chat, data=data, made=self._now()
            )
        return token

    async def tapped(self, token: str, chat: str) -> dict[str, Any] | None:
        """What the button does; None for an unknown token and for one of another chat."""
        async with self._database.reading() as session:
            row = await session.get(TapRow, token)
            return row.data if row and row.chat == chat else None

    async def add_usage(self, chat: str, day: date, tokens: int) -> None:
        """Count tokens of a chat model."""
        async with self._database.writing() as session:
            await _add_usage(session, chat, day, tokens)

    async def usage(self, chat: str, day: date) -> int:
        """Tokens counted for that day."""
        async with self._database.reading() as session:
            row = await session.get(UsageRow, (chat, day))
            return row.tokens if row else 0

    async def migrate(self, old_chat: str, new_chat: str) -> None:
        """Move everything of a group to the supergroup it has become, in one transaction.

        Telegram tells it twice, once in either chat; the second call finds nothing to move. Where
        both chats have something, the conversation of the old one goes on, the time zone and the
        subscription last chosen are kept, and usage is added up.
        """
        if old_chat == new_chat:
            return
        async with self._database.writing() as session:
            await _move_settings(session, old_chat, new_chat)
            await _move_subscription(session, old_chat, new_chat)
            await _move_delivered(session, old_chat, new_chat)
            for used in list(
                await session.scalars(select(UsageRow).where(UsageRow.chat == old_chat))
            ):
                await _add_usage(session, new_chat, used.day, used.tokens)
                await session.delete(used)
            for spent in list(
                await session.scalars(select(SpendingRow).where(SpendingRow.chat == old_chat))
            ):
                await add_spending(session, new_chat, spent.day, spent)
                await session.delete(spent)
            await move_saved(session, old_chat, new_chat)
            for row in (TapRow, UpdateRow, PlanRow, DeliveryRow):
                await session.execute(update(row).where(row.chat == old_chat).values(chat=new_chat))


def _new_thread() -> str:
    return uuid4().hex


async def _chat(session: AsyncSession, chat: str) -> ChatRow:
    await insert_if_absent(session, ChatRow, chat=chat, thread=_new_thread(), active=True)
    row = await session.get(ChatRow, chat, with_for_update=True)
    assert row is not None  # noqa: S101 - inserted above in this very transaction
    return row


async def _add_usage(session: AsyncSession, chat: str, day: date, tokens: int) -> None:
    await insert_if_absent(session, UsageRow, chat=chat, day=day, tokens=0)
    await session.execute(
        update(UsageRow)
        .where(UsageRow.chat == chat, UsageRow.day == day)
        .values(tokens=UsageRow.tokens + tokens)
    )


async def _move_settings(session: AsyncSession, old_chat: str, new_chat: str) -> None:
    old = await session.get(ChatRow, old_chat)
    if old is None:
        return
    new = await session.get(ChatRow, new_chat)
    zone = (new.timezone if new else None) or old.timezone
    await session.execute(delete(ChatRow).where(ChatRow.chat.in_([old_chat, new_chat])))
    session.expunge_all()
    # A chat that tells of its move is one the bot is still in.
    session.add(ChatRow(chat=new_chat, thread=old.thread, timezone=zone, active=True))
    await session.flush()


async def _move_subscription(session: AsyncSession, old_chat: str, new_chat: str) -> None:
    rows = list(
        await session.scalars(
            select(SubscriptionRow)
            .where(SubscriptionRow.chat.in_([old_chat, new_chat]), SubscriptionRow.ended.is_(None))
            .order_by(SubscriptionRow.changed.desc(), SubscriptionRow.id.desc())
        )
    )
    # The rest is ended first: the index lets a chat have one.
    for row in rows[1:]:
        row.ended = row.changed
        await drop_plans(session, PlanRow.key.startswith(f"digest:{row.id}:"), row.changed)
    await session.flush()
    await session.execute(
        update(SubscriptionRow).where(SubscriptionRow.chat == old_chat).values(chat=new_chat)
    )


async def _move_delivered(session: AsyncSession, old_chat: str, new_chat: str) -> None:
    there = select(DeliveredRow.paper).where(DeliveredRow.chat == new_chat)
    await session.execute(
        delete(DeliveredRow).where(
            DeliveredRow.chat == old_chat, DeliveredRow.paper.in_(there.scalar_subquery())
        )
    )
    await session.execute(
        update(DeliveredRow).where(DeliveredRow.chat == old_chat).values(chat=new_chat)
    )
