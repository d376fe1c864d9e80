"""What each kind of update leads to; a handler finds out what is asked and plans the reply."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Any

from telegram import Message, Update
from telegram.constants import ChatMemberStatus
from telegram.ext import (
    Application,
    CallbackQueryHandler,
    ChatMemberHandler,
    ContextTypes,
    MessageHandler,
    filters,
)

from bot.assistant.models import ModelError
from bot.chats.store import Chats, ChatsError, update_key
from bot.commands import command
from bot.telegram.drafts import Drafts, nobody
from bot.telegram.groups import command_of, words_for
from bot.telegram.inbox import chat_name
from bot.telegram.processor import CANCEL
from bot.telegram.render import Part, line
from bot.telegram.talk import TEXT_ONLY, Talk
from bot.telegram.working import working
from index.library import LibraryError

WENT_WRONG = "Something went wrong on my side, and your message has no answer. Try again."
KNOWN = (LibraryError, ChatsError, ModelError)
"""Errors whose message is meant for a person."""

Context = ContextTypes.DEFAULT_TYPE

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Handlers:
    """The handlers of one bot."""

    talk: Talk
    chats: Chats

    def register(self, application: Application[Any, Any, Any, Any, Any, Any]) -> None:
        """Add them to an application. An edited message passes no filter, so it runs nothing."""
        new = filters.UpdateType.MESSAGE
        application.add_handlers(
            [
                MessageHandler(new & filters.StatusUpdate.MIGRATE, self.on_move),
                MessageHandler(new & filters.TEXT, self.on_text),
                MessageHandler(new & ~filters.StatusUpdate.ALL, self.on_other),
                CallbackQueryHandler(self.on_tap),
                ChatMemberHandler(self.on_membership, ChatMemberHandler.MY_CHAT_MEMBER),
            ]
        )
        application.add_error_handler(self.on_error)

    async def on_text(self, update: Update, context: Context) -> None:
        """A command, or words."""
        message = update.message
        assert message is not None  # noqa: S101 - by the filter
        chat, bot = chat_name(update), context.bot
        await self.chats.activate(chat)
        if written := command_of(message, bot.username):
            name, arguments = written
            # Without a name it is for another bot; unknown ones in a group may be, too.
            if name and (message.chat.type == "private" or self._is_ours(message, name)):
                await self._answer(update, context, self.talk.command(chat, name, arguments))
            return
        words = words_for(message, bot)
        if words is None:
            return
        if not words:
            await self._answer(update, context, self.talk.command(chat, "help", ""))
            return
        # Telegram shows drafts in private chats alone.
        private = message.chat.type == "private"
        show = Drafts(bot, message.chat.id, update.update_id).show if private else nobody
        await self._answer(update, context, self.talk.say(chat, words, show))

    async def on_other(self, update: Update, _context: Context) -> None:
        """A photo, a file, a sticker, a voice."""
        message = update.message
        assert message is not None  # noqa: S101 - by the filter
        if message.chat.type == "private":
            await self._plan(update, line(TEXT_ONLY))

    async def on_tap(self, update: Update, context: Context) -> None:
        """A button; the tap itself was acknowledged before its turn came."""
        query = update.callback_query
        assert query is not None  # noqa: S101 - by the handler
        chat = chat_name(update)
        if query.data == CANCEL:
            await self._plan(update, await self.talk.command(chat, "cancel", ""))
            return
        tap = await self.chats.tapped(query.data or "", chat)
        await self._answer(update, context, self.talk.tap(chat, tap))

    async def on_membership(self, update: Update, _context: Context) -> None:
        """The bot was blocked or let in again."""
        change = update.my_chat_member
        assert change is not None  # noqa: S101 - by the handler
        gone = change.new_chat_member.status in {ChatMemberStatus.BANNED, ChatMemberStatus.LEFT}
        await (self.chats.deactivate if gone else self.chats.activate)(chat_name(update))

    async def on_move(self, update: Update, _context: Context) -> None:
        """A group became a supergroup; both tell of it."""
        message = update.message
        assert message is not None  # noqa: S101 - by the filter
        if message.migrate_to_chat_id:
            old, new = str(message.chat.id), str(message.migrate_to_chat_id)
        elif message.migrate_from_chat_id:
            old, new = str(message.migrate_from_chat_id), str(message.chat.id)
        else:
            return
        await self.chats.migrate(old, new)
        await self.talk.assistant.move(old, new)

    async def on_error(self, update: object, context: Context) -> None:
        """Whatever a handler raises: a line for the person, the rest for the log."""
        error = context.error
        known = isinstance(error, KNOWN)
        log.error("an update was not answered: %s", error, exc_info=None if known else error)
        if isinstance(update, Update) and (update.message or update.callback_query):
            await self._plan(update, line(str(error) if known else WENT_WRONG))

    async def _answer(
        self, update: Update, context: Context, reply: Awaitable[Sequence[Part]]
    ) -> None:
        """Show that work is done while it is, then plan the reply."""
        message = update.effective_message
        chat = update.effective_chat
        assert chat is not None  # noqa: S101 - messages and taps have one
        topic = _topic(message) if isinstance(message, Message) else None
        async with working(context.bot, chat.id, topic):
            made = await reply
        await self._plan(update, made)

    async def _plan(self, update: Update, made: Sequence[Part]) -> None:
        """Decide on the reply; the processor sends it and closes the update."""
        if not made:
            return
        message = update.effective_message
        placed = [dict(part) for part in made]
        if isinstance(message, Message):
            if topic := _topic(message):
                placed = [{**part, "message_thread_id": topic} for part in placed]
            if message.chat.type != "private" and update.message:
                placed[0]["reply_parameters"] = {
                    "message_id": message.message_id,
                    "allow_sending_without_reply": True,
                }
        await self.chats.plan(update_key(update.update_id), chat_name(update), placed)

    @staticmethod
    def _is_ours(message: Message, name: str) -> bool:
        addressed = "@" in (message.text or "").split(maxsplit=1)[0]
        return addressed or command(name) is not None


def _topic(message: Message) -> int | None:
    return message.message_thread_id if message.is_topic_message else None


def is_cancel(update: Update, username: str) -> bool:
    """True for what must not wait for the turn it is to stop."""
    if update.callback_query:
        return update.callback_query.data == CANCEL
    if update.message is None:
        return False
    written = command_of(update.message, username)
    return written is not None and written[0] == "cancel"
