"""Integrity: whether the files of a library agree with each other."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from index.papers import Papers
from index.vectors import Vectors


def begun(path: Path) -> bool:
    """Whether a file holds a library, or something else that must not be overlooked.

    A process that was killed while it made the file leaves one without tables: nothing is in it.
    """
    if not path.exists():
        return False
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file:
            return file.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None
    except sqlite3.DatabaseError:
        return True


def problems(papers: Papers, vectors: Vectors, dimension: int) -> list[str]:
    """One line a problem; an empty list is a healthy library."""
    found: list[str] = []
    connection = papers.connection
    verdict = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    if verdict != "ok":
        found.append(f"papers.sqlite is damaged ({verdict}); restore a copy of it")
    try:
        # Compares the full-text index with the table it was made from (SQLite, FTS5, section 6.4).
        connection.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    except sqlite3.OperationalError:
        found.append("the full-text index could not be read, since another process is adding")
    except sqlite3.DatabaseError:
        found.append("the full-text index disagrees with the papers; run `python -m index rebuild`")
    odd = connection.execute(
        "SELECT count(*) FROM papers WHERE length(embedding) != ?", (2 * dimension,)
    ).fetchone()[0]
    if odd:
        found.append(f"{odd} papers have no proper vector; run `python -m index rebuild`")
    if len(vectors) != len(papers):
        found.append(
            f"{len(vectors)} vectors for {len(papers)} papers; run `python -m index rebuild`"
        )
    return found
