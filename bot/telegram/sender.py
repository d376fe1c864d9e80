"""Replies on their way out: what the server says to each decides what is done."""

from __future__ import annotations

import asyncio
import copy
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

from telegram import Bot, InlineKeyboardMarkup, InputFile, LinkPreviewOptions, ReplyParameters
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    NetworkError,
    RetryAfter,
    TelegramError,
)

from bot.chats.store import Chats
from bot.digests.service import Blocked, Moved, Refused
from bot.telegram.render import Part
from bot.telegram.rich import strip_html

NETWORK_TRIES = 4
FLOOD_TRIES = 6
LONGEST_WAIT = 120.0
"""Seconds a chat's turn is held for a 429; a longer one is left to the next round."""
SHORT_WAIT = 5.0
"""Seconds a digest waits for a 429 before the digests of others go first."""
_GONE = ("chat not found", "user is deactivated", "peer_id_invalid", "bot was kicked")

log = logging.getLogger(__name__)

Sleep = Callable[[float], Awaitable[None]]


class Sender:
    """Sends parts as they were planned, each confirmed on its own."""

    def __init__(self, bot: Bot, chats: Chats, sleep: Sleep = asyncio.sleep) -> None:
        self._bot = bot
        self._chats = chats
        self._sleep = sleep
        self.hurry = asyncio.Event()
        """Once set, nothing is waited for; what is not sent stays in the outbox."""

    async def deliver(self, key: str, chat: str) -> bool:
        """Send what is left of a plan, in order; False where some of it has to wait."""
        while outstanding := await self._chats.outstanding(key):
            number, part = outstanding[0]
            message_id: int | None = None
            try:
                message_id = await self.send(chat, part)
            except Blocked:
                log.info("chat %s has blocked the bot; nothing more is sent there", chat)
                await self._chats.deactivate(chat)
                await self._chats.drop(key)
                return True
            except Moved as moved:
                log.info("chat %s has become %s", chat, moved.chat)
                await self._chats.migrate(chat, moved.chat)
                chat = moved.chat
                continue
            except Refused as refused:
                log.error("part %s of %s is refused for good: %s", number, key, refused)  # noqa: TRY400
            except TelegramError as error:
                log.warning("part %s of %s is not sent yet: %s", number, key, error)
                return False
            await self._chats.part_sent(key, number, message_id)
        return True

    async def send_soon(self, chat: str, part: Part) -> int | None:
        """Send one part, or raise `RetryAfter` at once where the wait would hold up others."""
        return await self.send(chat, part, patience=SHORT_WAIT)

    async def send(self, chat: str, part: Part, *, patience: float = LONGEST_WAIT) -> int | None:
        """Send one part and give the id of its message; a 429 is waited out, up to a point.

        Raises:
            Blocked: the person is gone for now.
            Moved: the group has another id.
            Refused: the server will never take it.
            TelegramError: it could not be sent yet.
        """
        part = await self._with_tokens(chat, part)
        floods = faults = 0
        while True:
            try:
                return await self._post(chat, part)
            except RetryAfter as error:
                floods += 1
                wait = _seconds(error.retry_after) + 0.1
                if floods > FLOOD_TRIES or wait > patience:
                    raise
                log.info("chat %s: told to wait %.1f s", chat, wait)
                await self._pause(wait, error)
            except ChatMigrated as error:
                raise Moved(str(error.new_chat_id)) from error
            except Forbidden as error:
                raise Blocked(str(error)) from error
            except BadRequest as error:
                part = _mended(part, error)
            except NetworkError as error:
                faults += 1
                if faults >= NETWORK_TRIES:
                    raise
                await self._pause(2.0 ** (faults - 1), error)

    async def _pause(self, seconds: float, error: TelegramError) -> None:
        """Wait before the next try; in a hurry there is none, and the error stands."""
        tasks = [
            asyncio.ensure_future(self._sleep(seconds)),
            asyncio.create_task(self.hurry.wait()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
        if self.hurry.is_set():
            raise error

    async def _with_tokens(self, chat: str, part: Part) -> Part:
        """The part with a token on every button, kept so that a tap on it can be understood."""
        if "reply_markup" not in part:
            return part
        part = copy.deepcopy(part)
        for row in part["reply_markup"]["inline_keyboard"]:
            for button in row:
                if "tap" in button:
                    button["callback_data"] = await self._chats.tap(chat, button.pop("tap"))
        return part

    async def _post(self, chat: str, part: Part) -> int:
        common: dict[str, Any] = {"chat_id": int(chat)}
        if "message_thread_id" in part:
            common["message_thread_id"] = part["message_thread_id"]
        if reply := part.get("reply_parameters"):
            common["reply_parameters"] = ReplyParameters(**reply)
        if markup := part.get("reply_markup"):
            common["reply_markup"] = InlineKeyboardMarkup.de_json(markup, self._bot)
        if document := part.get("document"):
            file = InputFile(document["text"].encode(), filename=document["filename"])
            message = await self._bot.send_document(
                document=file, caption=part.get("caption"), **common
            )
        else:
            preview = part.get("link_preview_options")
            message = await self._bot.send_message(
                text=part["text"],
                parse_mode=part.get("parse_mode"),
                link_preview_options=LinkPreviewOptions(**preview) if preview else None,
                **common,
            )
        return message.message_id


def _mended(part: Part, error: BadRequest) -> Part:
    """The part as the server may take it after this error.

    Raises:
        Blocked: nobody is there any more.
        Refused: nothing can be done about it.
    """
    said = error.message.lower()
    if "parse entities" in said and "parse_mode" in part:
        log.error("markup refused, sent as plain text: %s", error)
        return {**_without(part, "parse_mode"), "text": strip_html(part["text"])}
    if "repl" in said and "not found" in said and "reply_parameters" in part:
        return _without(part, "reply_parameters")
    if "thread not found" in said and "message_thread_id" in part:
        return _without(part, "message_thread_id")
    if any(words in said for words in _GONE):
        raise Blocked(str(error)) from error
    raise Refused(str(error)) from error


def _without(part: Part, name: str) -> Part:
    return {key: value for key, value in part.items() if key != name}


def _seconds(period: int | timedelta) -> float:
    return period.total_seconds() if isinstance(period, timedelta) else float(period)
