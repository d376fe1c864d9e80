"""Integrity: whether the files of a library agree with each other."""

from __future__ import annotations

import sqlite3

from index.papers import Papers
from index.vectors import Vectors


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
