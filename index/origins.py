"""Origins: which source each field of a paper came from."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

FIELDS = (
    "title", "abstract", "authors", "published", "updated", "venue", "categories", "links", "status",
)  # fmt: skip


def put(connection: sqlite3.Connection, row: int, fields: Mapping[str, str]) -> None:
    """Write down where fields came from; those that are not named keep what they have."""
    connection.executemany(
        "INSERT INTO origins VALUES (?, ?, ?)"
        " ON CONFLICT (row, field) DO UPDATE SET source = excluded.source",
        [(row, field, source) for field, source in fields.items()],
    )


def of(connection: sqlite3.Connection, row: int) -> dict[str, str]:
    """Field -> source."""
    found = connection.execute("SELECT field, source FROM origins WHERE row = ?", (row,))
    return {str(field): str(source) for field, source in found}
