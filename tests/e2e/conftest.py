"""A server and a bot for the tests of a module."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.e2e.harness import BotProcess, running_bot
from tests.peer import Peer, running_peer


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def peer() -> AsyncIterator[Peer]:
    """A Bot API server on loopback."""
    async with running_peer() as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bot(peer: Peer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[BotProcess]:
    """The bot over the bundled library, shared by a module."""
    folder: Path = tmp_path_factory.mktemp("bot")
    async with running_bot(peer, folder) as running:
        yield running
