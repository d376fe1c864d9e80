"""Papers: the SQLite table that holds the truth, and its full-text index (FTS5)."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from index import aliases, origins, schema
from index.embed import Matrix
from index.errors import LibraryError
from index.paper import Paper
from index.rows import COLUMNS, paper_of
from index.rows import values as values_of
from index.trouble import no_room, unusable, write_ahead

BUSY_SECONDS = 30.0
FIELD_WEIGHTS = (2.0, 1.0, 0.5)
"""Of title, abstract and authors in BM25."""


class Papers:
    """One SQLite file in WAL mode; a connection a thread, one writer at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._writing = threading.Lock()

    @classmethod
    def create(cls, path: Path, fingerprint: dict[str, Any]) -> Papers:
        """Open the file, made with its tables where it is missing.

        Raises:
            LibraryError: the folder cannot be written to.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            papers = cls(path)
            with papers.transaction() as connection:
                schema.create(connection, fingerprint)
        except OSError as error:
            raise LibraryError(
                f"{path.parent} cannot be written to ({error.strerror}); set LIBRARY_DIR to a folder you own"
            ) from None
        return papers

    @property
    def connection(self) -> sqlite3.Connection:
        """This thread's connection."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            try:
                connection = sqlite3.connect(
                    self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
                )
                write_ahead(connection)
                # A paper reported as added must be there after a power cut.
                connection.execute("PRAGMA synchronous=FULL")
            except sqlite3.Error as error:
                raise unusable(self.path, error) from None
            connection.row_factory = sqlite3.Row
            self._local.connection = connection
            self._opened.append(connection)
        return connection

    def close(self) -> None:
        """Close every thread's connection."""
        while self._opened:
            self._opened.pop().close()
        self._local = threading.local()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """One write, committed whole or undone whole; a second writer waits its turn.

        Raises:
            LibraryError: another process writes all the while, or the disk is full.
        """
        connection = self.connection
        with self._writing:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if no_room(error):
                    raise unusable(self.path, error) from None
                raise LibraryError(
                    f"the library cannot be written to now ({error}); if another process is adding "
                    "papers, wait until it has ended"
                ) from None
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException as error:
                # After some errors, a full disk among them, SQLite has undone all by itself.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error) and no_room(error):
                    raise unusable(self.path, error) from None
                raise

    def meta(self, key: str) -> str:
        """One fact about the whole library."""
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def verify(self, fingerprint: dict[str, Any]) -> None:
        """Refuse what this version or this embedding model cannot read.

        Raises:
            NewerSchema: a newer version wrote it.
            ModelMismatch: the vectors come from another embedding model.
            LibraryError: it is no library.
        """
        self.verify_schema()
        schema.verify_model(self.meta("embeddings"), fingerprint)

    def verify_schema(self) -> None:
        """Bring an older file up to date; refuse one of a newer version, or one that is no library."""
        try:
            written = int(self.meta("schema") or 0)
        except (sqlite3.DatabaseError, ValueError):
            written = 0
        schema.verify_version(self.path, written)
        if written < schema.VERSION:
            with self.transaction() as connection:
                # Another process may have done it while this one waited.
                schema.migrate(connection, int(self.meta("schema")))

    def set_model(self, fingerprint: dict[str, Any]) -> None:
        """Record which embedding model made the vectors."""
        with self.transaction() as connection:
            connection.execute(
                "UPDATE meta SET value = ? WHERE key = 'embeddings'",
                (json.dumps(fingerprint, sort_keys=True),),
            )

    def reindex(self) -> None:
        """Make the full-text index again from the papers."""
        with self.transaction() as connection:
            connection.execute("INSERT INTO words (words) VALUES ('rebuild')")

    @property
    def generation(self) -> int:
        """Counts the writes; what is derived carries the generation it was derived from."""
        return int(self.meta("generation") or 0)

    @property
    def sequence(self) -> int:
        """The number of the paper stored last."""
        return int(self.meta("sequence") or 0)

    def __len__(self) -> int:
        return int(self.connection.execute("SELECT count(*) FROM papers").fetchone()[0])

    def put(
        self,
        papers: Sequence[tuple[int | None, Paper]],
        vectors: Sequence[Matrix | None],
        fields: Sequence[Mapping[str, str]] = (),
        absorbed: Sequence[tuple[int, str, int]] = (),
    ) -> list[int]:
        """Insert (row None) or replace papers with their vectors in one transaction; their rows.

        A None vector keeps the stored one. `fields` says where those of each came from; `absorbed`
        are papers that turned out to be others: (row, id, place of the other in `papers`).
        `Conflict` is raised where nothing could be stored.
        """
        rows: list[int] = []
        with self.transaction() as connection:
            sequence, generation = self.sequence, self.generation + 1
            for gone, was, place in absorbed:
                remove(connection, gone)
                _renamed(connection, was, papers[place][1].id)
            for (row, paper), vector in zip(papers, vectors, strict=True):
                values = values_of(paper)
                if row is None:
                    sequence += 1
                    cursor = connection.execute(
                        "INSERT INTO papers (id, handle, title, abstract, authors, venue, status, source,"
                        " added, more, title_key, year, generation, sequence, embedding)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                        (*values, generation, sequence, _blob(vector)),
                    )
                    if not cursor.rowcount:
                        raise Conflict
                    row = int(cursor.lastrowid or 0)  # noqa: PLW2901
                else:
                    _unindex(connection, row)
                    (was,) = connection.execute(
                        "SELECT id FROM papers WHERE row = ?", (row,)
                    ).fetchone()
                    if was != paper.id:
                        _renamed(connection, was, paper.id)
                    connection.execute(
                        "UPDATE papers SET id=?, handle=?, title=?, abstract=?, authors=?, venue=?, status=?,"
                        " source=?, added=?, more=?, title_key=?, year=?, generation=? WHERE row=?",
                        (*values, generation, row),
                    )
                    if vector is not None:
                        connection.execute(
                            "UPDATE papers SET embedding=? WHERE row=?", (_blob(vector), row)
                        )
                connection.execute(
                    "INSERT INTO words (rowid, title, abstract, authors) VALUES (?, ?, ?, ?)",
                    (row, paper.title, paper.abstract, "\n".join(paper.authors)),
                )
                aliases.put(connection, row, paper.id, paper.aliases, paper.abstract)
                rows.append(row)
            for row, known in zip(rows, fields, strict=False):
                origins.put(connection, row, known)
            connection.execute("UPDATE meta SET value = ? WHERE key = 'sequence'", (str(sequence),))
            connection.execute(
                "UPDATE meta SET value = ? WHERE key = 'generation'", (str(generation),)
            )
        return rows

    def delete(self, rows: Sequence[int]) -> int:
        """Take papers out, with all that is known of them; how many there were."""
        with self.transaction() as connection:
            gone = 0
            for row in rows:
                found = connection.execute("SELECT id FROM papers WHERE row = ?", (row,)).fetchone()
                if not found:
                    continue
                remove(connection, row)
                connection.execute("DELETE FROM announcements WHERE id = ?", (found[0],))
                gone += 1
            if gone:
                connection.execute(
                    "UPDATE meta SET value = ? WHERE key = 'generation'",
                    (str(self.generation + 1),),
                )
        return gone

    def one(self, where: str, *values: object) -> tuple[int, Paper] | None:
        """The first paper a condition holds for, with its row."""
        found = self.connection.execute(
            f"SELECT {COLUMNS} FROM papers WHERE {where} LIMIT 1", values
        ).fetchone()
        return (int(found["row"]), paper_of(found)) if found else None

    def many(self, where: str, *values: object) -> list[tuple[int, Paper]]:
        """All papers a condition holds for, in the order they were stored unless it says another."""
        order = "" if "ORDER BY" in where else " ORDER BY sequence"
        rows = self.connection.execute(f"SELECT {COLUMNS} FROM papers WHERE {where}{order}", values)
        return [(int(row["row"]), paper_of(row)) for row in rows]

    def at(self, rows: Sequence[int]) -> dict[int, Paper]:
        """The papers of these rows."""
        out: dict[int, Paper] = {}
        for start in range(0, len(rows), 500):
            part = [int(row) for row in rows[start : start + 500]]
            marks = ",".join("?" * len(part))
            out.update(dict(self.many(f"row IN ({marks})", *part)))
        return out

    def since(self, sequence: int) -> list[tuple[int, Paper]]:
        """(sequence, paper) of those stored after that number, oldest first."""
        rows = self.connection.execute(
            f"SELECT {COLUMNS} FROM papers WHERE sequence > ? ORDER BY sequence", (sequence,)
        )
        return [(int(row["sequence"]), paper_of(row)) for row in rows]

    def rows(self, where: str = "1", values: Sequence[object] = ()) -> NDArrayInt:
        """Row numbers for which a condition holds, ascending, int64."""
        # The plus lets SQLite read a narrow index and sort, and not the whole table in order.
        sql = f"SELECT row FROM papers WHERE {where} ORDER BY +row"
        return np.array([row[0] for row in self.connection.execute(sql, values)], dtype=np.int64)

    def distinct(self, column: str) -> list[str]:
        """The different values of a column or expression."""
        return [
            str(row[0]) for row in self.connection.execute(f"SELECT DISTINCT {column} FROM papers")
        ]

    def vectors(self, rows: Sequence[int] | NDArrayInt | None = None) -> tuple[NDArrayInt, Matrix]:
        """(rows int64, vectors float32 (n, dimension)) of these papers, or of all of them."""
        if rows is None:
            cursor = self.connection.execute("SELECT row, embedding FROM papers ORDER BY row")
        else:
            marks = ",".join("?" * len(rows))
            cursor = self.connection.execute(
                f"SELECT row, embedding FROM papers WHERE row IN ({marks}) ORDER BY row",
                [int(r) for r in rows],
            )
        found = [(r, np.frombuffer(blob, dtype=np.float16)) for r, blob in cursor]
        ids = np.array([r for r, _ in found], dtype=np.int64)
        if not found:
            return ids, np.empty((0, 0), dtype=np.float32)
        matrix = np.stack([v for _, v in found]).astype(np.float32)
        matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
        return ids, matrix

    def changed_since(self, generation: int) -> list[int]:
        """Rows written after a generation."""
        found = self.connection.execute(
            "SELECT row FROM papers WHERE generation > ? ORDER BY +row", (generation,)
        )
        return [int(row[0]) for row in found]

    def match(
        self, query: str, limit: int, among: NDArrayInt | None = None
    ) -> list[tuple[int, float]]:
        """(row, BM25) of the papers a FTS5 query matches, best first; higher is better."""
        weights = ", ".join(map(str, FIELD_WEIGHTS))
        # The plus keeps SQLite from asking the index once for each row that is allowed.
        within = "" if among is None else " AND +rowid IN (SELECT value FROM json_each(?))"
        values = [query] if among is None else [query, json.dumps(among.tolist())]
        found = self.connection.execute(
            f"SELECT rowid, -bm25(words, {weights}) AS score FROM words WHERE words MATCH ?{within}"
            " ORDER BY score DESC, rowid LIMIT ?",
            (*values, limit),
        )
        return [(int(row), float(score)) for row, score in found]

    def document_frequency(self, stems: Sequence[str]) -> dict[str, int]:
        """In how many papers each stemmed word occurs."""
        if not stems:
            return {}
        marks = ",".join("?" * len(stems))
        found = self.connection.execute(
            f"SELECT term, doc FROM vocabulary WHERE term IN ({marks})", list(stems)
        )
        return {str(term): int(doc) for term, doc in found}


NDArrayInt = Any


class Conflict(Exception):
    """Another writer stored a paper of the same id or handle in the meantime."""


def _blob(vector: Matrix | None) -> bytes:
    if vector is None:
        raise LibraryError("a new paper needs its vector")
    return vector.astype(np.float16).tobytes()


def _renamed(connection: sqlite3.Connection, was: str, now: str) -> None:
    """What lists said of a paper goes with it to its new id."""
    connection.execute("UPDATE OR IGNORE announcements SET id = ? WHERE id = ?", (now, was))
    connection.execute("DELETE FROM announcements WHERE id = ?", (was,))


def remove(connection: sqlite3.Connection, row: int) -> None:
    """Take one paper out of every table but the announcements, within the caller's transaction."""
    _unindex(connection, row)
    for table in ("papers", "aliases", "origins"):
        connection.execute(f"DELETE FROM {table} WHERE row = ?", (row,))


def _unindex(connection: sqlite3.Connection, row: int) -> None:
    """Take a row out of the full-text index; FTS5 must be told the old words."""
    old = connection.execute(
        "SELECT title, abstract, authors FROM papers WHERE row = ?", (row,)
    ).fetchone()
    connection.execute(
        "INSERT INTO words (words, rowid, title, abstract, authors) VALUES ('delete', ?, ?, ?, ?)",
        (row, *old),
    )
