"""`/sync`: whoever runs the bot has the sources read now, and sees what became of each."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

from telegram import Message, Update
from telegram.constants import ChatAction
from telegram.error import TelegramError
from telegram.ext import Application, ContextTypes, MessageHandler, filters

from bot.chats.store import Chats, update_key
from bot.digests.following import Following
from bot.telegram.groups import command_of
from bot.telegram.inbox import chat_name
from bot.telegram.render import Part, line

ADMINS_ONLY = (
    "Only those who run this bot may have the sources read: ADMIN_USERS names them. "
    "They are read by themselves every few hours, and before each digest."
)


@dataclass(frozen=True, slots=True)
class SyncCommand:
    """The handler of `/sync`."""

    following: Following
    chats: Chats
    admins: frozenset[int]

    def register(self, application: Application[Any, Any, Any, Any, Any, Any]) -> None:
        """Add it before the handlers that take every message."""
        application.add_handler(MessageHandler(filters.UpdateType.MESSAGE & IsSync(), self.on_sync))

    async def on_sync(self, update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        """Read the sources for an admin; tell others who may."""
        message = update.message
        assert message is not None  # noqa: S101 - by the filter
        user = message.from_user
        if user is None or user.id not in self.admins:
            said = ADMINS_ONLY
        else:
            topic = message.message_thread_id if message.is_topic_message else None
            with contextlib.suppress(TelegramError):
                await context.bot.send_chat_action(
                    message.chat.id, ChatAction.TYPING, message_thread_id=topic
                )
            said = "\n".join(await self.following.report())
        await self.chats.plan(
            update_key(update.update_id), chat_name(update), placed(message, said)
        )


def placed(message: Message, said: str) -> list[Part]:
    """The reply, in the topic the message came from."""
    made = line(said)
    if message.is_topic_message and message.message_thread_id:
        return [{**part, "message_thread_id": message.message_thread_id} for part in made]
    return made


class IsSync(filters.MessageFilter):
    """Messages that begin with `/sync`, and are for this bot."""

    def filter(self, message: Message) -> bool:
        """Whether the message is the command."""
        written = command_of(message, message.get_bot().username)
        return written is not None and written[0] == "sync"
