"""Schema: the tables of a library, and whether this version can read them."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from index import aliases, origins
from index.errors import LibraryError, ModelMismatch, NewerSchema
from index.identity import canonical_id

VERSION = 2

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE papers (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    handle TEXT NOT NULL UNIQUE,
    sequence INTEGER NOT NULL UNIQUE,
    generation INTEGER NOT NULL,
    title_key TEXT NOT NULL,
    title TEXT NOT NULL,
    abstract TEXT NOT NULL,
    authors TEXT NOT NULL,
    year INTEGER,
    venue TEXT NOT NULL,
    status TEXT NOT NULL,
    source TEXT NOT NULL,
    added TEXT NOT NULL,
    more TEXT NOT NULL,
    embedding BLOB NOT NULL
);
CREATE INDEX papers_title ON papers (title_key);
CREATE INDEX papers_year ON papers (year);
CREATE INDEX papers_generation ON papers (generation);
CREATE VIRTUAL TABLE words USING fts5 (
    title, abstract, authors, content='papers', content_rowid='row',
    tokenize="porter unicode61 remove_diacritics 2"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, 'row');
"""
_SECOND = """
CREATE TABLE aliases (alias TEXT PRIMARY KEY, row INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX aliases_row ON aliases (row);
CREATE TABLE origins (
    row INTEGER NOT NULL, field TEXT NOT NULL, source TEXT NOT NULL, PRIMARY KEY (row, field)
) WITHOUT ROWID;
CREATE TABLE sources (name TEXT PRIMARY KEY, state TEXT NOT NULL, saved TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE announcements (
    source TEXT NOT NULL, batch TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL,
    PRIMARY KEY (source, batch, id)
) WITHOUT ROWID;
CREATE INDEX announcements_id ON announcements (id);
"""
"""What came with version 2: other ids, where fields came from, and what sources announced."""


def create(connection: sqlite3.Connection, fingerprint: dict[str, Any]) -> None:
    """Make the tables in an empty file, within the transaction of the caller."""
    if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        return
    for statement in (_TABLES + _SECOND).strip().split(";\n"):
        connection.execute(statement)
    meta = {
        "schema": VERSION,
        "generation": 0,
        "sequence": 0,
        "embeddings": json.dumps(fingerprint, sort_keys=True),
    }
    connection.executemany("INSERT INTO meta VALUES (?, ?)", [(k, str(v)) for k, v in meta.items()])


def migrate(connection: sqlite3.Connection, written: int) -> None:
    """Bring the tables of an older version up to date, within the transaction of the caller.

    Every paper is known afterwards by the ids in its links and by its text, as new ones are.
    """
    if written != 1:
        return
    for statement in _SECOND.strip().split(";\n"):
        connection.execute(statement)
    taken = {str(row[0]) for row in connection.execute("SELECT id FROM papers")}
    for row, paper_id, abstract, source, stored in connection.execute(
        "SELECT row, id, abstract, source, more FROM papers ORDER BY row"
    ).fetchall():
        more = json.loads(stored)
        known = [key for link in more.get("links", ()) if (key := canonical_id(link))]
        more["aliases"] = [key for key in dict.fromkeys(known) if key not in taken]
        taken.update(more["aliases"])
        connection.execute(
            "UPDATE papers SET more = ? WHERE row = ?", (json.dumps(more, ensure_ascii=False), row)
        )
        aliases.put(connection, row, paper_id, more["aliases"], abstract)
        origins.put(connection, row, dict.fromkeys(origins.FIELDS, source))
    connection.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(VERSION),))


def verify_version(path: Path, written: int) -> None:
    """Refuse a file of a newer version, or one that is no library (0)."""
    if written == 0:
        raise LibraryError(f"{path} is damaged or no library; move it away or restore a copy")
    if written > VERSION:
        raise NewerSchema(f"{path} was written by a newer Footnote; install that version")


def verify_model(stored: str, fingerprint: dict[str, Any]) -> None:
    """Refuse vectors of another embedding model, also where the dimensions agree."""
    made_by = json.loads(stored)
    if made_by != fingerprint:
        raise ModelMismatch(
            f"the library's vectors were made by {made_by.get('name', 'another model')}, and "
            f"EMBEDDINGS names {fingerprint['name']}; set it back, or run `python -m index rebuild`"
        )
