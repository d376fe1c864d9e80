"""What every part of the store is built on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from bot.chats.database import Database

Clock = Callable[[], datetime]
"""The present moment, aware."""


def utc_now() -> datetime:
    """The present moment in UTC."""
    return datetime.now(UTC)


class Room:
    """A subject of the store: the database and the clock it shares with the others."""

    def __init__(self, database: Database, clock: Clock = utc_now) -> None:
        self._database = database
        self._now = clock
