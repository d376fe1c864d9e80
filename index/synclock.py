"""One sync at a time for a library, across processes; a dead process holds nothing."""

from __future__ import annotations

import os
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from index.errors import LibraryError

READ_SECONDS = 1.0


class SyncBusy(LibraryError):
    """Another process, or another part of this one, is bringing the library up to date."""


class SyncLock:
    """A lock held as SQLite holds its own: by the operating system, so that a kill frees it.

    Readers pass a lock of this kind (RESERVED, https://www.sqlite.org/lockingv3.html), so that
    whoever comes second can read who was first.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / "sync.lock"
        self._connection: sqlite3.Connection | None = None

    def __enter__(self) -> Self:
        connection = None
        try:
            connection = sqlite3.connect(
                self._path, timeout=0, isolation_level=None, check_same_thread=False
            )
            connection.execute("BEGIN IMMEDIATE")
            # From here on only readers are in the way, and they are soon done.
            connection.execute(f"PRAGMA busy_timeout = {int(READ_SECONDS * 1000)}")
            connection.execute("CREATE TABLE IF NOT EXISTS holder (process INTEGER, since TEXT)")
            connection.execute("DELETE FROM holder")
            since = datetime.now(UTC).strftime("%H:%M UTC")
            connection.execute("INSERT INTO holder VALUES (?, ?)", (os.getpid(), since))
            connection.execute("COMMIT")
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            if connection:
                connection.close()
            if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
                raise SyncBusy(
                    f"this library is being brought up to date already{self._holder()}; "
                    "wait until that has ended"
                ) from None
            raise LibraryError(
                f"{self._path} cannot be written ({error}); check the folder's owner, or remove "
                "that file"
            ) from None
        self._connection = connection
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None

    def _holder(self) -> str:
        try:
            connection = sqlite3.connect(self._path, timeout=READ_SECONDS)
            row = connection.execute("SELECT process, since FROM holder").fetchone()
            connection.close()
        except sqlite3.Error:
            return ""
        return f" (by process {row[0]}, since {row[1]})" if row else ""
