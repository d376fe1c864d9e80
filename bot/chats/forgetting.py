"""Forgetting: everything about a chat goes when its person says so."""

from __future__ import annotations

from sqlalchemy import delete, select

from bot.chats.models import (
    ChatRow,
    DeliveredRow,
    DeliveryRow,
    PartRow,
    PlanRow,
    SavedRow,
    SubscriptionRow,
    TapRow,
    UpdateRow,
)
from bot.chats.room import Room


class Forgetting(Room):
    """Erasing what is remembered of a chat."""

    async def forget(self, chat: str) -> None:
        """Erase a chat's settings, subscription, saved papers, buttons, messages and what
        it was sent.

        Kept are the counts of tokens, which hold no word of anyone and without which erasing would
        be a way around the daily limit; and the message that is being answered, until it is.
        """
        async with self._database.writing() as session:
            plans = select(PlanRow.key).where(PlanRow.chat == chat)
            await session.execute(delete(PartRow).where(PartRow.key.in_(plans)))
            subscriptions = select(SubscriptionRow.id).where(SubscriptionRow.chat == chat)
            await session.execute(
                delete(DeliveryRow).where(DeliveryRow.subscription_id.in_(subscriptions))
            )
            for row in (
                PlanRow,
                DeliveryRow,
                DeliveredRow,
                SubscriptionRow,
                SavedRow,
                TapRow,
                ChatRow,
            ):
                await session.execute(delete(row).where(row.chat == chat))
            await session.execute(
                delete(UpdateRow).where(UpdateRow.chat == chat, UpdateRow.answered.is_not(None))
            )
