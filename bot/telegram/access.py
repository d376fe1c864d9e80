"""Who may talk to the bot: decided once, before anything is stored or dispatched."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from telegram import Update

from bot.settings import Settings

QUIET_SECONDS = 3600.0
"""A stranger is told at most so often."""
REMEMBERED = 1000
"""Strangers remembered as told; the oldest are forgotten first."""


class Access:
    """Denied by default: only `ALLOWED_USERS` and `ADMIN_USERS`, or everybody where it says `*`.

    The id of a group in `ALLOWED_USERS` admits whoever writes there.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._everyone = settings.everyone_allowed
        self._admitted = settings.admitted
        self._clock = clock
        self._told: OrderedDict[int, float] = OrderedDict()

    def admits(self, update: Update) -> bool:
        """True where the update comes from somebody who may talk to the bot."""
        if self._everyone:
            return True
        user, chat = update.effective_user, update.effective_chat
        return (user is not None and user.id in self._admitted) or (
            chat is not None and chat.id in self._admitted
        )

    def line_for_stranger(self, update: Update) -> str | None:
        """What a stranger is told, or None where nothing is said: in groups, and for a while."""
        user, chat = update.effective_user, update.effective_chat
        if user is None or user.is_bot or chat is None or chat.type != "private":
            return None
        if update.message is None and update.callback_query is None:
            return None
        now = self._clock()
        if now - self._told.get(user.id, -QUIET_SECONDS) < QUIET_SECONDS:
            return None
        self._told[user.id] = now
        self._told.move_to_end(user.id)
        while len(self._told) > REMEMBERED:
            self._told.popitem(last=False)
        return (
            "Sorry, this assistant is private. "
            f"To be let in, ask the owner to add {user.id} to ALLOWED_USERS."
        )
