"""Chats: the one door to what is remembered of each chat."""

from __future__ import annotations

from bot.chats.database import ChatsError, Database
from bot.chats.forgetting import Forgetting
from bot.chats.inbox import ANSWERABLE, Inbox, StoredUpdate, update_key
from bot.chats.outbox import Outbox
from bot.chats.people import People
from bot.chats.room import Clock, utc_now
from bot.chats.saved import Saved
from bot.chats.spending import Spending
from bot.chats.subscriptions import Subscription, Subscriptions, digest_key

__all__ = [
    "ANSWERABLE",
    "Chats",
    "ChatsError",
    "StoredUpdate",
    "Subscription",
    "digest_key",
    "update_key",
]


class Chats(People, Inbox, Outbox, Subscriptions, Spending, Saved, Forgetting):
    """Everything remembered of chats, in SQLite or PostgreSQL.

    Each method is one transaction. A chat is named by `str(chat.id)` on Telegram and is
    "terminal" in the terminal.
    """

    @classmethod
    async def open(cls, url: str, *, clock: Clock = utc_now) -> Chats:
        """Open the database of a `DATABASE_URL`, created and brought up to date where needed.

        Raises:
            ChatsError: it cannot be used, or was written by a newer version.
        """
        return cls(await Database.open(url), clock)

    async def close(self) -> None:
        """Close the database."""
        await self._database.close()
