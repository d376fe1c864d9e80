"""What a person sees while a reply is being made."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup
from telegram.constants import ChatAction
from telegram.error import TelegramError

from bot.telegram.processor import CANCEL

TYPING_SECONDS = 4.0
"""Telegram shows "typing" for five."""
PATIENCE_SECONDS = 15.0
"""After so long a button is offered that stops the work."""
STILL = "Still working on it…"

log = logging.getLogger(__name__)

Sleep = Callable[[float], Awaitable[None]]


@asynccontextmanager
async def working(
    bot: Bot, chat: int, topic: int | None = None, sleep: Sleep = asyncio.sleep
) -> AsyncIterator[None]:
    """Show "typing" as long as the work lasts, and a way out of it when it lasts long."""
    tasks = [
        asyncio.create_task(_typing(bot, chat, topic, sleep)),
        asyncio.create_task(_offer_cancel(bot, chat, topic, sleep)),
    ]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _typing(bot: Bot, chat: int, topic: int | None, sleep: Sleep) -> None:
    while True:
        try:
            await bot.send_chat_action(chat, ChatAction.TYPING, message_thread_id=topic)
        except TelegramError as error:
            log.debug("typing is not shown: %s", error)
        await sleep(TYPING_SECONDS)


async def _offer_cancel(bot: Bot, chat: int, topic: int | None, sleep: Sleep) -> None:
    await sleep(PATIENCE_SECONDS)
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Cancel", callback_data=CANCEL)]])
    sending = asyncio.ensure_future(
        bot.send_message(
            chat, STILL, reply_markup=keyboard, message_thread_id=topic, disable_notification=True
        )
    )
    try:
        await asyncio.shield(sending)
        await asyncio.Event().wait()  # until the work is done
    except TelegramError as error:
        log.debug("the way out is not offered: %s", error)
    finally:
        # Also where the work was done while it was on its way: no offer outlives its work.
        with contextlib.suppress(TelegramError):
            await bot.delete_message(chat, (await sending).message_id)
