"""Plans: what is to be sent, part by part, decided once and resumed after a kill."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bot.chats.database import insert_if_absent
from bot.chats.models import PartRow, PlanRow
from bot.chats.room import Room


class Outbox(Room):
    """A part is the exact request of the Bot API without its chat."""

    async def plan(self, key: str, chat: str, parts: Sequence[dict[str, Any]]) -> bool:
        """Store what will be sent; False, and nothing changed, where the key was planned before."""
        async with self._database.writing() as session:
            return await add_plan(session, key, chat, parts, self._now())

    async def planned(self, key: str) -> bool:
        """True once a plan is stored under the key, sent or not."""
        async with self._database.reading() as session:
            return await session.get(PlanRow, key) is not None

    async def outstanding(self, key: str) -> list[tuple[int, dict[str, Any]]]:
        """Parts that no server has confirmed, in order; none where the plan was dropped."""
        async with self._database.reading() as session:
            rows = await session.execute(
                select(PartRow.number, PartRow.part)
                .join(PlanRow, PlanRow.key == PartRow.key)
                .where(PartRow.key == key, PartRow.sent.is_(None), PlanRow.dropped.is_(None))
                .order_by(PartRow.number)
            )
            return [(number, part) for number, part in rows]

    async def unfinished(self, prefix: str = "") -> list[tuple[str, str]]:
        """(key, chat) of every plan with parts outstanding, oldest first."""
        async with self._database.reading() as session:
            rows = await session.execute(
                select(PlanRow.key, PlanRow.chat)
                .where(
                    PlanRow.key.startswith(prefix, autoescape=True),
                    PlanRow.dropped.is_(None),
                    select(PartRow.key)
                    .where(PartRow.key == PlanRow.key, PartRow.sent.is_(None))
                    .exists(),
                )
                .order_by(PlanRow.planned, PlanRow.key)
            )
            return [(key, chat) for key, chat in rows]

    async def part_sent(self, key: str, number: int, message_id: int | None) -> None:
        """Confirm one part; None where the server answers with no message id."""
        async with self._database.writing() as session:
            await session.execute(
                update(PartRow)
                .where(PartRow.key == key, PartRow.number == number, PartRow.sent.is_(None))
                .values(message_id=message_id, sent=self._now())
            )

    async def drop(self, key: str) -> None:
        """Give up what is left of a plan; it counts as planned and is never sent."""
        async with self._database.writing() as session:
            await drop_plans(session, PlanRow.key == key, self._now())


async def add_plan(
    session: AsyncSession, key: str, chat: str, parts: Sequence[dict[str, Any]], now: datetime
) -> bool:
    """Store a plan within a transaction of the caller's."""
    if not await insert_if_absent(session, PlanRow, key=key, chat=chat, planned=now):
        return False
    session.add_all(
        PartRow(key=key, number=number, part=part) for number, part in enumerate(parts, 1)
    )
    return True


async def drop_plans(session: AsyncSession, which: Any, now: datetime) -> None:
    """Give up the plans of a condition within a transaction of the caller's."""
    await session.execute(
        update(PlanRow).where(which, PlanRow.dropped.is_(None)).values(dropped=now)
    )
