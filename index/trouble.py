"""What SQLite can refuse, and what a person can do about it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from index.errors import LibraryError

BEGINNERS = 20
"""How many processes may begin one library in the same moment."""
_NO_ROOM = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}
"""What SQLite tells of a full disk, or one whose files may grow no more."""


def _code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def no_room(error: sqlite3.Error) -> bool:
    """Whether it is the disk that took no more."""
    return _code(error) in _NO_ROOM


def _busy(error: sqlite3.Error) -> bool:
    return _code(error) == sqlite3.SQLITE_BUSY


def unusable(path: Path, error: sqlite3.Error) -> LibraryError:
    """What a person can do about a file that does not take what is asked of it."""
    if _busy(error):
        return LibraryError(
            f"{path} is being written by another process; try again when it has ended"
        )
    if no_room(error):
        return LibraryError(
            f"{path} could not be written ({error}); make room on its disk and begin again: what "
            "was reported as added is kept"
        )
    return LibraryError(
        f"{path} is damaged or no library ({error}); move it away or restore a copy"
    )


def write_ahead(connection: sqlite3.Connection) -> None:
    """Turn on WAL mode (https://www.sqlite.org/wal.html), which the file keeps from then on."""
    for _ in range(BEGINNERS):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.Error as error:
            if not _busy(error):
                raise
        else:
            return
        # Two processes that begin one library at once: SQLite refuses the second at once here
        # and has it wait only for a write, so it waits for one.
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
    connection.execute("PRAGMA journal_mode=WAL")
