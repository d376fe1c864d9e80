"""The database behind the chats: where it is, how it is opened, how it is written to."""

from __future__ import annotations

import asyncio
import importlib.util
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, event, inspect, make_url, text
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError
from sqlalchemy.ext.asyncio import (
    AsyncConnection,
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)

from bot.chats.models import Row

MIGRATIONS = Path(__file__).parent / "migrations"

BUSY_SECONDS = 30.0
"""How long a writer waits for a writer of another process before it gives up."""

_MIGRATION_LOCK = 0x466F6F74
"""Key of the PostgreSQL advisory lock that lets one process migrate at a time."""


class ChatsError(Exception):
    """The chats cannot be opened, read or written; the message is one line that says what to do."""


class Database:
    """An engine with two kinds of transaction.

    On SQLite a transaction that begins with a read and writes later fails at once with "database
    is locked" when another connection wrote in between, whatever the busy time-out
    (https://www.sqlite.org/lang_transaction.html, "upgraded to a write transaction"). Writers
    therefore begin with `BEGIN IMMEDIATE`, and queue within the process, where the busy handler
    would let late-comers overtake.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._reading = async_sessionmaker(engine, expire_on_commit=False)
        self._writing = async_sessionmaker(
            engine.execution_options(immediate=True), expire_on_commit=False
        )
        self._turn = asyncio.Lock() if engine.dialect.name == "sqlite" else None

    @classmethod
    async def open(cls, url: str) -> Database:
        """Create the folder and the tables where they are missing.

        Raises:
            ChatsError: the address, the file or the server cannot be used, or the tables were
                written by a newer version of the product.
        """
        address = resolve(url)
        if address.get_backend_name() == "sqlite":
            _make_folder(address)
        engine = _engine(address)
        try:
            async with engine.execution_options(immediate=True).begin() as connection:
                await _migrate(connection)
        except BaseException as error:
            await engine.dispose()
            if isinstance(error, DBAPIError | OSError | sqlite3.Error):
                raise ChatsError(_unusable(address, error)) from error
            raise
        return cls(engine)

    async def close(self) -> None:
        """Close every connection."""
        await self._engine.dispose()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """A consistent view of the database; what is written in it is lost."""
        async with self._reading() as session:
            yield session

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncSession]:
        """One transaction, committed on leaving, undone whole when anything is raised."""
        if self._turn is None:
            async with self._begin() as session:
                yield session
        else:
            async with self._turn, self._begin() as session:
                yield session

    @asynccontextmanager
    async def _begin(self) -> AsyncIterator[AsyncSession]:
        try:
            async with self._writing.begin() as session:
                yield session
        except OperationalError as error:
            raise ChatsError(
                f"The chats database could not be written ({error.orig}); nothing was changed."
            ) from error


async def insert_if_absent(session: AsyncSession, row: type[Row], **values: Any) -> bool:
    """Insert a row unless its key is taken; True where it was inserted."""
    dialect = session.get_bind().dialect.name
    insert = sqlite_insert if dialect == "sqlite" else postgresql_insert
    result = await session.execute(
        insert(row).values(**values).on_conflict_do_nothing().returning(text("1"))
    )
    return result.first() is not None


def resolve(url: str) -> URL:
    """The SQLAlchemy address of a `DATABASE_URL`, with the asynchronous driver filled in.

    Raises:
        ChatsError: it is no address, of no database we know, or its driver is not installed.
    """
    try:
        address = make_url(url)
        backend = address.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError):
        backend = ""
    if backend == "sqlite":
        return address.set(drivername="sqlite+aiosqlite")
    if backend in {"postgresql", "postgres"}:
        if importlib.util.find_spec("psycopg") is None:
            raise ChatsError(
                "DATABASE_URL names PostgreSQL, which needs one more package: "
                "pip install 'psycopg[binary]'."
            )
        return address.set(drivername="postgresql+psycopg")
    raise ChatsError(
        "DATABASE_URL names no database Footnote knows; "
        "write sqlite:///data/chats.sqlite or postgresql://user@host/name."
    )


def _make_folder(address: URL) -> None:
    if not address.database or address.database == ":memory:":
        return
    folder = Path(address.database).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ChatsError(
            f"{folder} cannot be created for the chats ({error.strerror}); "
            "set DATABASE_URL to a file in a folder you may write to."
        ) from error


def _engine(address: URL) -> AsyncEngine:
    if address.get_backend_name() != "sqlite":
        return create_async_engine(address, pool_pre_ping=True)
    engine = create_async_engine(address, connect_args={"timeout": BUSY_SECONDS})

    @event.listens_for(engine.sync_engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        # Python's sqlite3 begins transactions by itself, too late and never IMMEDIATE.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.execute(f"PRAGMA busy_timeout={int(BUSY_SECONDS * 1000)}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get("immediate", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine


async def _migrate(connection: AsyncConnection) -> None:
    """Bring the tables to this version inside the caller's transaction."""
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if connection.dialect.name == "postgresql":
        await connection.execute(
            text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK}
        )
    there = await connection.run_sync(_revisions)
    if newer := there - known:
        raise ChatsError(
            f"The chats were written by a newer Footnote (revision {min(newer)}); "
            "install that version, or set DATABASE_URL to another database."
        )

    def upgrade(sync: Connection) -> None:
        config.attributes["connection"] = sync
        command.upgrade(config, "head")

    await connection.run_sync(upgrade)


def _revisions(connection: Connection) -> set[str]:
    if not inspect(connection).has_table("alembic_version"):
        return set()
    return set(connection.execute(text("SELECT version_num FROM alembic_version")).scalars())


def _unusable(address: URL, error: BaseException) -> str:
    reason = str(getattr(error, "orig", None) or error).splitlines()[0]
    where = address.database if address.get_backend_name() == "sqlite" else address.host
    return f"The chats in {where} cannot be opened ({reason}); look at DATABASE_URL."
