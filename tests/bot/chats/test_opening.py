"""Opening the chats: any address people write, any state the file is in."""

from __future__ import annotations

import asyncio
import importlib.util
import sqlite3
from datetime import date
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from bot.chats.models import Row
from bot.chats.store import Chats, ChatsError


@pytest.mark.parametrize("scheme", ["sqlite", "sqlite+aiosqlite"])
async def test_a_missing_folder_is_made_and_what_is_kept_outlives_the_process(
    tmp_path: Path, scheme: str
) -> None:
    url = f"{scheme}:///{tmp_path}/new/folder/chats.sqlite"
    chats = await Chats.open(url)
    thread = await chats.thread("7")
    await chats.close()

    again = await Chats.open(url)
    assert await again.thread("7") == thread
    await again.close()


async def test_the_migrations_make_exactly_the_tables_of_the_models(
    tmp_path: Path, chats: Chats
) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/data/chats.sqlite")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Row.metadata) == []
    engine.dispose()


async def test_a_database_of_a_newer_version_is_refused_and_left_alone(
    tmp_path: Path, url: str
) -> None:
    await (await Chats.open(url)).close()
    file = sqlite3.connect(tmp_path / "data" / "chats.sqlite")
    file.execute("UPDATE alembic_version SET version_num = '9999'")
    file.commit()

    with pytest.raises(ChatsError, match=r"newer Footnote \(revision 9999\)") as caught:
        await Chats.open(url)

    assert "\n" not in str(caught.value)
    assert file.execute("SELECT version_num FROM alembic_version").fetchall() == [("9999",)]
    file.close()


async def test_a_file_that_is_no_database_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "chats.sqlite"
    file.write_bytes(b"%PDF-1.7 " + bytes(5000))
    with pytest.raises(ChatsError, match="not a database") as caught:
        await Chats.open(f"sqlite:///{file}")
    assert "\n" not in str(caught.value)
    assert file.read_bytes().startswith(b"%PDF")


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ChatsError, match="file/data cannot be created"):
        await Chats.open(f"sqlite:///{tmp_path}/file/data/chats.sqlite")


@pytest.mark.parametrize("url", ["", "chats.sqlite", "mongodb://host/chats", "mysql://host/chats"])
async def test_an_address_of_no_database_we_know_says_what_to_write(url: str) -> None:
    with pytest.raises(ChatsError, match=r"write sqlite:///data/chats\.sqlite or postgresql://"):
        await Chats.open(url)


@pytest.mark.skipif(importlib.util.find_spec("psycopg") is not None, reason="psycopg is installed")
async def test_postgresql_without_its_driver_says_which_package_is_missing() -> None:
    with pytest.raises(ChatsError, match=r"pip install 'psycopg\[binary\]'"):
        await Chats.open("postgresql://footnote@127.0.0.1/footnote")


async def test_several_processes_may_open_a_new_database_at_once(url: str) -> None:
    stores = await asyncio.gather(*(Chats.open(url) for _ in range(4)))
    assert len({await store.thread("1") for store in stores}) == 1
    for store in stores:
        await store.close()


async def test_many_writers_of_two_processes_never_meet_a_locked_database(
    url: str,
) -> None:
    one, two = await Chats.open(url), await Chats.open(url)
    day = date(2026, 12, 1)

    await asyncio.gather(
        *(store.add_usage("1", day, 1) for store in (one, two) for _ in range(60)),
        *(store.tap("1", {"n": n}) for store in (one, two) for n in range(30)),
    )

    assert await one.usage("1", day) == 120
    await one.close()
    await two.close()


async def test_a_writer_waits_for_another_program_that_holds_the_database(
    tmp_path: Path, chats: Chats
) -> None:
    other = sqlite3.connect(tmp_path / "data" / "chats.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(chats.receive(1, "7", {"text": "hello"}))
    await asyncio.wait({waiting}, timeout=0.2)
    assert not waiting.done()

    other.execute("COMMIT")
    other.close()

    assert await waiting


async def test_a_cancelled_writer_leaves_nothing_half_done_and_nobody_waiting(
    chats: Chats,
) -> None:
    for number in range(20):
        task = asyncio.create_task(chats.plan(f"update:{number}", "7", [{"text": "a"}] * 3))
        for _ in range(number):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    assert await chats.plan("update:99", "7", [{"text": "a"}])
    for number in range(20):
        key = f"update:{number}"
        assert len(await chats.outstanding(key)) == (3 if await chats.planned(key) else 0)
