"""The world of the tests of this room."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.telegram.world import World, world


@pytest.fixture(name="world")
async def _world(tmp_path: Path) -> AsyncIterator[World]:
    async with world(tmp_path) as made:
        yield made
