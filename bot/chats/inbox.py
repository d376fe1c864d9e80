"""Updates: stored on receipt, answered once, also after a kill."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import String, cast, delete, exists, literal, select, update

from bot.chats.database import insert_if_absent
from bot.chats.models import PartRow, PlanRow, UpdateRow
from bot.chats.room import Room

ANSWERABLE = timedelta(hours=24)
"""An older message gets one short note in place of an answer nobody waits for any more."""


def update_key(update_id: int) -> str:
    """Key of the plan that answers an update."""
    return f"update:{update_id}"


@dataclass(frozen=True, slots=True)
class StoredUpdate:
    """An update that waits for its answer."""

    update_id: int
    chat: str
    payload: dict[str, Any]
    received: datetime
    planned: bool = False
    """True where the answer is already in the outbox: send the rest of it, never ask again."""
    age: timedelta = timedelta()
    """Time since it was received, when it was read."""

    @property
    def stale(self) -> bool:
        """True where it is too old to be answered as if it had just been asked."""
        return self.age > ANSWERABLE and not self.planned


class Inbox(Room):
    """received -> planned (`Outbox.plan`) -> each part confirmed -> answered."""

    async def receive(self, update_id: int, chat: str, payload: dict[str, Any]) -> bool:
        """Store an update before anything else is done with it; False if it is stored already."""
        async with self._database.writing() as session:
            return await insert_if_absent(
                session,
                UpdateRow,
                update_id=update_id,
                chat=chat,
                payload=payload,
                received=self._now(),
            )

    async def unanswered(self) -> list[StoredUpdate]:
        """Updates without their whole answer, in the order they came."""
        now = self._now()
        key = literal("update:") + cast(UpdateRow.update_id, String)
        planned = exists().where(PlanRow.key == key)
        async with self._database.reading() as session:
            rows = await session.execute(
                select(UpdateRow, planned)
                .where(UpdateRow.answered.is_(None))
                .order_by(UpdateRow.update_id)
            )
            return [
                StoredUpdate(
                    row.update_id,
                    row.chat,
                    row.payload,
                    row.received,
                    is_planned,
                    now - row.received,
                )
                for row, is_planned in rows
            ]

    async def answered(self, update_id: int) -> None:
        """Close an update; the person's words are not kept."""
        async with self._database.writing() as session:
            await session.execute(
                update(UpdateRow)
                .where(UpdateRow.update_id == update_id, UpdateRow.answered.is_(None))
                .values(answered=self._now(), payload={})
            )

    async def tidy(self, older_than: timedelta = timedelta(days=7)) -> None:
        """Forget answered updates and finished plans; Telegram repeats nothing after 24 hours."""
        before = self._now() - older_than
        unsent = exists().where(PartRow.key == PlanRow.key, PartRow.sent.is_(None))
        async with self._database.writing() as session:
            await session.execute(delete(UpdateRow).where(UpdateRow.answered < before))
            await session.execute(
                delete(PlanRow).where(
                    PlanRow.planned < before, PlanRow.dropped.is_not(None) | ~unsent
                )
            )
