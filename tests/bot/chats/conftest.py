"""A real SQLite database for each test, and a clock that is moved by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.chats.store import Chats
from tests.bot.clock import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime(2026, 12, 1, 7, 0, tzinfo=UTC))


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/data/chats.sqlite"


@pytest.fixture
async def chats(url: str, clock: Clock) -> AsyncIterator[Chats]:
    store = await Chats.open(url, clock=clock)
    yield store
    await store.close()
