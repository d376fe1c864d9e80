"""One message at a time in a chat, in order, with chats side by side."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from telegram import CallbackQuery, Update
from telegram.error import TelegramError
from telegram.ext import BaseUpdateProcessor

from bot.chats.store import Chats, update_key
from bot.telegram.inbox import chat_name
from bot.telegram.render import line
from bot.telegram.sender import Sender

BACKLOG = 20
"""Messages of one chat that may wait."""
AT_ONCE = 4096
"""Updates in hand over all chats, waiting ones included."""
CANCEL = "cancel"
"""The data of a button that stops the turn in work."""
FULL = (
    f"{BACKLOG} of your messages are waiting already, so I leave out further ones until I have "
    "caught up. /cancel stops the one I am working on."
)

log = logging.getLogger(__name__)


class _Lane:
    """The queue of one chat."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.inside = 0
        """Updates that wait or run."""
        self.told_full = False
        self.taps: set[str] = set()
        """Buttons whose work waits or runs; a second tap adds nothing."""


class ChatOrder(BaseUpdateProcessor):
    """Runs updates of a chat one after the other; `/cancel` passes them."""

    def __init__(self, chats: Chats, sender: Sender, is_cancel: Callable[[Update], bool]) -> None:
        super().__init__(AT_ONCE)
        self._chats = chats
        self._sender = sender
        self._is_cancel = is_cancel
        self._lanes: dict[str, _Lane] = {}
        self._running: set[asyncio.Task[Any]] = set()
        self.stopping = False
        """Once True, nothing new is begun; what waits stays in the inbox for the next start."""

    async def initialize(self) -> None:
        """Nothing to open."""

    async def shutdown(self) -> None:
        """Nothing to close."""

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        """Run one update in its turn, send its reply, and close it in the inbox."""
        assert isinstance(coroutine, Coroutine)  # noqa: S101 - the application's own
        if not isinstance(update, Update):
            await coroutine
            return
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - the application makes one for each update
        self._running.add(task)
        try:
            await self._in_turn(update, coroutine)
        finally:
            self._running.discard(task)
            coroutine.close()  # without effect once it has run

    async def abandon(self) -> None:
        """Cut off what still runs; it stays in the inbox, unanswered."""
        tasks = list(self._running)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _in_turn(self, update: Update, coroutine: Awaitable[Any]) -> None:
        chat = chat_name(update)
        query = update.callback_query
        if self._is_cancel(update):
            await asyncio.gather(self._acknowledge(query), self._run(update, coroutine))
            return
        lane = self._lanes.setdefault(chat, _Lane())
        data = (query.data or "") if query else ""
        if lane.inside > BACKLOG:
            await asyncio.gather(self._acknowledge(query), self._leave_out(update, lane))
            return
        if data and data in lane.taps:
            await asyncio.gather(self._acknowledge(query), self._chats.answered(update.update_id))
            return
        if data:
            lane.taps.add(data)
        # At once, and not in turn: a button spins until its tap is acknowledged.
        acknowledged = asyncio.create_task(self._acknowledge(query))
        try:
            async with self.turn(chat):
                await self._run(update, coroutine)
        finally:
            lane.taps.discard(data)
            await acknowledged

    @asynccontextmanager
    async def turn(self, chat: str) -> AsyncIterator[None]:
        """Wait for the chat's turn, and hold it."""
        lane = self._lanes.setdefault(chat, _Lane())
        lane.inside += 1
        try:
            async with lane.lock:
                yield
        finally:
            lane.inside -= 1
            if lane.inside == 0:
                lane.told_full = False
                self._lanes.pop(chat, None)

    async def _run(self, update: Update, coroutine: Awaitable[Any]) -> None:
        if self.stopping:
            return
        key = update_key(update.update_id)
        # A plan from before a restart is sent as it stands; asking again could say another thing.
        if not await self._chats.planned(key):
            await coroutine
        await self.finish(key, chat_name(update))

    async def finish(self, key: str, chat: str) -> None:
        """Send what an update's plan still holds, and close the update once all of it is sent."""
        if await self._sender.deliver(key, chat):
            await self._chats.answered(int(key.partition(":")[2]))

    async def send_unfinished(self) -> None:
        """Try again what could not be sent, each chat in its turn."""
        unfinished = await self._chats.unfinished("update:")
        await asyncio.gather(*(self._finish_in_turn(key, chat) for key, chat in unfinished))

    async def _finish_in_turn(self, key: str, chat: str) -> None:
        async with self.turn(chat):
            if not self.stopping:
                await self.finish(key, chat)

    async def _leave_out(self, update: Update, lane: _Lane) -> None:
        key = update_key(update.update_id)
        if not lane.told_full:
            lane.told_full = True
            await self._chats.plan(key, chat_name(update), line(FULL))
        await self.finish(key, chat_name(update))

    async def _acknowledge(self, query: CallbackQuery | None) -> None:
        if query is None:
            return
        try:
            await query.answer()
        except TelegramError as error:
            # Too old, as after a restart: the work is done all the same.
            log.debug("a tap is not acknowledged: %s", error)
