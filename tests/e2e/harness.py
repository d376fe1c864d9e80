"""The real bot as a process, talking to a Bot API server of this one."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from pathlib import Path

from tests.peer import Peer

ROOT = Path(__file__).parents[2]
ADA = 101
"""A person who may talk to the bot."""
BOB = 102
STRANGER = 666
GROUP = -1001
OWNER = 7


class BotProcess:
    """`python -m bot` in a folder of its own."""

    def __init__(self, peer: Peer, folder: Path, **settings: str) -> None:
        self.peer = peer
        self.folder = folder
        self.log = folder / "bot.log"
        self._settings = settings
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it; what people wrote meanwhile is answered once it is up."""
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "PYTHONPATH": str(ROOT),
            "TELEGRAM_TOKEN": self.peer.token,
            "TELEGRAM_API_URL": self.peer.url,
            "ALLOWED_USERS": f"{ADA} {BOB}",
            "ADMIN_USERS": str(OWNER),
            "LIBRARY_DIR": str(self.folder / "library"),
            "DATABASE_URL": f"sqlite:///{self.database}",
            "LOG_LEVEL": "DEBUG",
            **self._settings,
        }
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", cwd=self.folder, env=environment, stderr=log
            )

    @property
    def database(self) -> Path:
        """The file of the chats."""
        return self.folder / "chats.sqlite"

    @property
    def process(self) -> asyncio.subprocess.Process:
        """The process, once started."""
        assert self._process is not None
        return self._process

    async def kill(self) -> None:
        """SIGKILL: nothing can be put in order."""
        self.process.kill()
        await self.process.wait()

    async def stop(self) -> int:
        """SIGTERM, and the exit code."""
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        return await asyncio.wait_for(self.process.wait(), 20)

    async def exit_code(self, seconds: float = 30) -> int:
        """Wait until it ends by itself."""
        return await asyncio.wait_for(self.process.wait(), seconds)

    def logged(self) -> str:
        """Everything it wrote to its standard error."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    async def confirmed(self) -> None:
        """Wait until the bot knows that everything it sent has arrived.

        Between the server's word and its own note of it lies a moment in which no sender can know
        better; a kill in it would be answered by sending again.
        """
        async with asyncio.timeout(20):
            while self._unconfirmed():  # noqa: ASYNC110 - it is another process's note
                await asyncio.sleep(0.02)

    def _unconfirmed(self) -> int:
        with closing(sqlite3.connect(self.database)) as connection:
            (count,) = connection.execute(
                "SELECT count(*) FROM parts WHERE sent IS NULL"
            ).fetchone()
        return int(count)

    def make_due(self) -> None:
        """Every subscription was due a minute ago."""
        with closing(sqlite3.connect(self.database)) as connection, connection:
            moment = datetime.fromtimestamp(datetime.now(UTC).timestamp() - 60, UTC)
            connection.execute(
                "UPDATE subscriptions SET next_due = ?", (moment.strftime("%Y-%m-%d %H:%M:%S.%f"),)
            )


@asynccontextmanager
async def running_bot(peer: Peer, folder: Path, **settings: str) -> AsyncIterator[BotProcess]:
    """A bot for as long as a test needs it; its log never holds the token."""
    bot = BotProcess(peer, folder, **settings)
    await bot.start()
    try:
        yield bot
        assert peer.violations == []
        assert peer.token not in bot.logged()
        assert "Traceback" not in bot.logged()
    finally:
        if bot.process.returncode is None:
            await bot.kill()
