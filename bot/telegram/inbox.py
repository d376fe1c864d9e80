"""The door: every update is stored before Telegram may forget it, and strangers stop here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from telegram import Bot, Update

from bot.chats.store import Chats, ChatsError, StoredUpdate, update_key
from bot.telegram.access import Access
from bot.telegram.render import line

RETRY_SECONDS = 2.0
TOO_LATE = (
    "I was away for more than a day when you wrote to me, so I have left that unanswered. "
    "Ask again if it still matters."
)

log = logging.getLogger(__name__)


class Inbox(asyncio.Queue[object]):
    """The application's queue of updates, backed by the database.

    The updater confirms what it fetched with the `getUpdates` after the one that brought it, and
    waits for `put` before that. A kill therefore finds every update either stored here or still
    with Telegram.
    """

    def __init__(
        self, chats: Chats, access: Access, turn_away: Callable[[Update, str], Awaitable[None]]
    ) -> None:
        super().__init__()
        self._chats = chats
        self._access = access
        self._turn_away = turn_away
        self._farewells: set[asyncio.Task[None]] = set()

    async def put(self, item: object) -> None:
        """Store an update, then queue it; one that is stored already was queued already."""
        if not isinstance(item, Update):
            await super().put(item)  # the application's own signal to stop
        elif not self._access.admits(item):
            if words := self._access.line_for_stranger(item):
                # Not awaited: a stranger must not hold up the people of the bot.
                task = asyncio.ensure_future(self._turn_away(item, words))
                self._farewells.add(task)
                task.add_done_callback(self._farewells.discard)
        elif await self._stored(item):
            await super().put(item)

    async def restore(self, bot: Bot) -> int:
        """Queue what was left unanswered by the last run, in order; gives how many."""
        too_late: dict[str, StoredUpdate] = {}
        waiting: dict[int, StoredUpdate] = {}
        for stored in await self._chats.unanswered():
            waiting[stored.update_id] = stored
            if not stored.stale:
                continue
            if earlier := too_late.get(stored.chat):
                await self._chats.answered(waiting.pop(earlier.update_id).update_id)
            too_late[stored.chat] = stored
        for stored in too_late.values():
            # One short note a chat, in place of answers nobody waits for any more.
            await self._chats.plan(update_key(stored.update_id), stored.chat, line(TOO_LATE))
        for stored in waiting.values():
            update = Update.de_json(stored.payload, bot)
            if self._access.admits(update):
                await super().put(update)
            else:
                await self._chats.answered(stored.update_id)
        return self.qsize()

    async def _stored(self, update: Update) -> bool:
        payload: dict[str, Any] = update.to_dict()
        while True:
            try:
                return await self._chats.receive(update.update_id, chat_name(update), payload)
            except ChatsError as error:
                # Nothing more is fetched, and so nothing confirmed, until it can be stored.
                log.error("an update waits to be stored: %s", error)  # noqa: TRY400 - one line
                await asyncio.sleep(RETRY_SECONDS)


def chat_name(update: Update) -> str:
    """The name under which everything of this chat is kept."""
    place = update.effective_chat or update.effective_user
    return str(place.id) if place else ""
