"""A bot over a real server and a real database, for tests of one room at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from telegram import Update
from telegram.ext import ExtBot

from bot.chats.store import Chats
from bot.telegram.sender import Sender
from tests.peer import Peer, running_peer

ADA = 101
BOB = 102


class Naps:
    """A sleep that only notes how long it was to be."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@dataclass
class World:
    """Telegram, a bot, its chats and its sender."""

    peer: Peer
    bot: ExtBot[None]
    chats: Chats
    sender: Sender
    naps: Naps

    async def fetched(self) -> list[Update]:
        """What people wrote since the last time."""
        updates = await self.bot.get_updates(timeout=0)
        if updates:
            await self.bot.get_updates(offset=updates[-1].update_id + 1, timeout=0)
        return list(updates)

    async def deliver(self, *parts: dict[str, Any], key: str = "update:1", chat: int = ADA) -> bool:
        """Plan parts and send them."""
        await self.chats.plan(key, str(chat), parts)
        return await self.sender.deliver(key, str(chat))


@asynccontextmanager
async def world(folder: Path) -> AsyncIterator[World]:
    """Everything open; Ada and Bob have written to the bot before."""
    async with running_peer() as peer:
        chats = await Chats.open(f"sqlite:///{folder}/chats.sqlite")
        bot: ExtBot[None] = ExtBot(peer.token, base_url=f"{peer.url}/bot")
        async with bot:
            naps = Naps()
            made = World(peer, bot, chats, Sender(bot, chats, naps), naps)
            for chat in (ADA, BOB):
                await peer.message(chat, "hello")
            await made.fetched()
            yield made
        await chats.close()
        assert peer.violations == []
