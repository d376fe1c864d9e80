"""The agent's history on disk: LangGraph's SQLite checkpointer over one connection."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

log = logging.getLogger(__name__)

BUSY_SECONDS = 10.0
"""How long another process may write before a turn goes on without being remembered."""


@asynccontextmanager
async def open_saver(path: Path | None) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    """A checkpointer in a file of its own, or in memory where `path` is None."""
    if path is None:
        from langgraph.checkpoint.memory import InMemorySaver

        yield InMemorySaver()
        return
    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    path.parent.mkdir(parents=True, exist_ok=True)
    async with aiosqlite.connect(path) as connection:
        await connection.execute("PRAGMA journal_mode=WAL")
        await connection.execute(f"PRAGMA busy_timeout={int(BUSY_SECONDS * 1000)}")
        saver = AsyncSqliteSaver(connection)
        await saver.setup()
        yield saver


async def prune(saver: BaseCheckpointSaver[Any], thread: str) -> None:
    """Delete all but the newest checkpoint of a thread."""
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    if not isinstance(saver, AsyncSqliteSaver):
        return
    newest = (
        "SELECT checkpoint_id FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = '' "
        "ORDER BY checkpoint_id DESC LIMIT 1"
    )
    try:
        async with saver.lock:
            for table in ("checkpoints", "writes"):
                await saver.conn.execute(
                    f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_id <> ({newest})",
                    (thread, thread),
                )
            await saver.conn.commit()
    except sqlite3.OperationalError:
        # Another process writes; the next turn deletes these as well.
        log.warning("older checkpoints were left", exc_info=True)


async def move(saver: BaseCheckpointSaver[Any], old: str, new: str) -> None:
    """Give the checkpoints of one thread to another, whose own are deleted."""
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    if not isinstance(saver, AsyncSqliteSaver) or old == new:
        return
    async with saver.lock:
        there = await saver.conn.execute_fetchall(
            "SELECT 1 FROM checkpoints WHERE thread_id = ? LIMIT 1", (old,)
        )
        for table in ("checkpoints", "writes") if there else ():
            await saver.conn.execute(f"DELETE FROM {table} WHERE thread_id = ?", (new,))
            await saver.conn.execute(
                f"UPDATE {table} SET thread_id = ? WHERE thread_id = ?", (new, old)
            )
        await saver.conn.commit()
