"""What each kind of update leads to; a handler calls a verb of another room and plans the reply."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
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

from bot.assistant.assistant import Assistant
from bot.chats.store import Chats, update_key
from bot.digests.verbs import Digests
from bot.telegram.digest import render_digest
from bot.telegram.errors import for_a_person
from bot.telegram.groups import command_of, words_for
from bot.telegram.inbox import chat_name
from bot.telegram.processor import CANCEL
from bot.telegram.render import Part, choice, line, render
from bot.telegram.working import working
from index.library import Library

MAX_QUESTION = 8000
TOO_LONG = (
    "That message has {:,} characters, and I read at most {:,} at a time. "
    "Ask about one thing, or send the title or id of a paper in place of its text."
)
TEXT_ONLY = "I read text only: write a question, a topic, or the title, id or link of a paper."
OLD_BUTTON = "That button is too old for me to remember. Ask for the list again, then tap there."
NOTHING_ELSE = "I have nothing to compare it with yet. Find a few papers first, as in /find {}."
NOTHING_RUNS = "Nothing is running, so there is nothing to cancel."
STOPPED = "Stopped."

Context = ContextTypes.DEFAULT_TYPE

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Handlers:
    """The handlers of one bot, over the rooms they call."""

    library: Library
    assistant: Assistant
    chats: Chats
    digests: Digests

    def register(self, application: Application[Any, Any, Any, Any, Any, Any]) -> None:
        """Add them to an application. Edited messages are in no filter, so they run nothing."""
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
