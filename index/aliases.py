"""Aliases: the other ids by which a paper is known, and the digest of its abstract."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from index.identity import text_id


def put(
    connection: sqlite3.Connection, row: int, paper_id: str, known: Iterable[str], abstract: str
) -> None:
    """Write down by which ids a paper goes; an alias another paper has stays with that one."""
    connection.execute("DELETE FROM aliases WHERE row = ?", (row,))
    names = [*known, *([text_id(abstract)] if abstract else [])]
    connection.executemany(
        "INSERT INTO aliases VALUES (?, ?) ON CONFLICT DO NOTHING",
        [(name, row) for name in dict.fromkeys(names) if name != paper_id],
    )


def rows(connection: sqlite3.Connection, names: Iterable[str]) -> list[int]:
    """Rows of the papers that go by these ids, as id or alias, in the order of the ids."""
    found: dict[int, None] = {}
    for name in names:
        for (row,) in connection.execute(
            "SELECT row FROM papers WHERE id = ? UNION SELECT row FROM aliases WHERE alias = ?",
            (name, name),
        ):
            found[int(row)] = None
    return list(found)
