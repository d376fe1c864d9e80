"""A reply while it is written: Telegram's message drafts, in private chats."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence

from telegram import Bot
from telegram.constants import MessageLimit
from telegram.error import TelegramError

from bot.answer import Sentence
from bot.plain import said

EVERY_SECONDS = 1.0
"""A draft is not sent more often."""

log = logging.getLogger(__name__)


class Drafts:
    """Shows the sentences that stand so far; the reply itself is sent apart and stays."""

    def __init__(
        self, bot: Bot, chat: int, draft: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._bot = bot
        self._chat = chat
        # Zero is no draft.
        self._draft = draft or 1
        self._clock = clock
        self._next = 0.0

    async def show(self, sentences: Sequence[Sentence]) -> None:
        """Show them, unless the last ones were shown a moment ago or drafts are not to be had."""
        if self._clock() < self._next:
            return
        self._next = self._clock() + EVERY_SECONDS
        text = " ".join(said(sentence) for sentence in sentences)
        try:
            await self._bot.send_message_draft(
                self._chat, self._draft, text[: MessageLimit.MAX_TEXT_LENGTH]
            )
        except TelegramError as error:
            log.debug("the draft is not shown: %s", error)
            self._next = float("inf")


async def nobody(_sentences: Sequence[Sentence]) -> None:
    """Where a draft cannot be shown, in groups."""
