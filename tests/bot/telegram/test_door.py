"""Who comes in, what is kept of it, and what no log holds."""

from __future__ import annotations

import io
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from telegram import Update

from bot.chats.store import Chats
from bot.settings import Settings
from bot.telegram.access import Access
from bot.telegram.inbox import TOO_LATE, Inbox
from bot.telegram.redaction import Redaction
from tests.bot.telegram.world import ADA, BOB, World

STRANGER = 666


def access(**settings: str) -> Access:
    return Access(Settings(_env_file=None, **settings))  # type: ignore[call-arg,arg-type]


def update(user: int, chat: int = 0, **content: Any) -> Update:
    """A message, as Telegram tells of it."""
    chat = chat or user
    message = {
        "message_id": 1,
        "date": 1,
        "chat": {"id": chat, "type": "private" if chat > 0 else "group"},
        "from": {"id": user, "is_bot": False, "first_name": "A"},
        "text": "hello",
    }
    made = Update.de_json({"update_id": 1, **(content or {"message": message})}, None)
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("settings", "user", "chat", "let_in"),
    [
        ({}, ADA, ADA, False),
        ({"allowed_users": str(ADA)}, ADA, ADA, True),
        ({"allowed_users": str(ADA)}, STRANGER, STRANGER, False),
        ({"admin_users": str(ADA)}, ADA, ADA, True),
        ({"allowed_users": "*"}, STRANGER, STRANGER, True),
        ({"allowed_users": str(ADA)}, ADA, -5, True),
        ({"allowed_users": str(ADA)}, STRANGER, -5, False),
        ({"allowed_users": "-5"}, STRANGER, -5, True),
    ],
)
def test_only_people_who_are_named_are_let_in(
    settings: dict[str, str], user: int, chat: int, let_in: bool
) -> None:
    assert access(**settings).admits(update(user, chat)) is let_in


def test_a_tap_and_an_inline_query_of_a_stranger_are_not_let_in_either() -> None:
    person = {"id": STRANGER, "is_bot": False, "first_name": "S"}
    tap = {"id": "1", "from": person, "chat_instance": "1", "data": "x"}
    inline = {"id": "1", "from": person, "query": "x", "offset": ""}
    door = access(allowed_users=str(ADA))
    assert not door.admits(update(STRANGER, callback_query=tap))
    assert not door.admits(update(STRANGER, inline_query=inline))


def test_a_stranger_is_told_their_own_id_once_an_hour_and_never_in_a_group() -> None:
    now = [0.0]
    door = Access(Settings(_env_file=None), clock=lambda: now[0])  # type: ignore[call-arg]
    words = door.line_for_stranger(update(STRANGER))
    assert words is not None
    assert "add 666 to ALLOWED_USERS" in words
    assert door.line_for_stranger(update(STRANGER)) is None
    assert door.line_for_stranger(update(STRANGER, -5)) is None
    now[0] = 3700
    assert door.line_for_stranger(update(STRANGER)) is not None


async def test_an_update_is_stored_before_it_is_queued_and_queued_once(world: World) -> None:
    async def nobody(_update: Update, _words: str) -> None:
        raise AssertionError("nobody is turned away")

    inbox = Inbox(world.chats, access(allowed_users=str(ADA)), nobody)
    await world.peer.message(ADA, "hello")
    (fetched,) = await world.fetched()
    for _ in range(2):  # as after a kill between storing and confirming
        await inbox.put(fetched)
    assert inbox.qsize() == 1
    (stored,) = await world.chats.unanswered()
    assert stored.payload["message"]["text"] == "hello"


async def test_a_strangers_words_are_not_kept(world: World) -> None:
    told = []

    async def turn_away(_update: Update, words: str) -> None:
        told.append(words)

    inbox = Inbox(world.chats, access(allowed_users=str(ADA)), turn_away)
    await inbox.put(update(STRANGER))
    assert inbox.empty()
    assert await world.chats.unanswered() == []


async def test_what_is_left_from_the_last_run_comes_first_and_in_order(world: World) -> None:
    async def nobody(_update: Update, _words: str) -> None:
        raise AssertionError("nobody is turned away")

    everyone = access(allowed_users="*")
    first = Inbox(world.chats, everyone, nobody)
    for chat, text in ((ADA, "one"), (BOB, "two"), (ADA, "three")):
        await world.peer.message(chat, text)
    for fetched in await world.fetched():
        await first.put(fetched)
    second = Inbox(world.chats, everyone, nobody)
    assert await second.restore(world.bot) == 3
    texts = [(await second.get()).message.text for _ in range(3)]  # type: ignore[attr-defined]
    assert texts == ["one", "two", "three"]


async def test_messages_of_days_ago_get_one_short_note(world: World, tmp_path: Path) -> None:
    async def nobody(_update: Update, _words: str) -> None:
        raise AssertionError("nobody is turned away")

    everyone = access(allowed_users="*")
    before = Inbox(world.chats, everyone, nobody)
    for text in ("one", "two", "three"):
        await world.peer.message(ADA, text)
    for fetched in await world.fetched():
        await before.put(fetched)
    later = await Chats.open(
        f"sqlite:///{tmp_path}/chats.sqlite", clock=lambda: datetime.now(UTC) + timedelta(days=2)
    )
    inbox = Inbox(later, everyone, nobody)
    assert await inbox.restore(world.bot) == 1
    restored = await inbox.get()
    assert isinstance(restored, Update)
    ((_, part),) = await later.outstanding(f"update:{restored.update_id}")
    await later.close()
    assert part["text"] == TOO_LATE


TOKEN = "123456:TESTTOKEN_abcdefghijklmnop"


@pytest.mark.parametrize(
    "spelling",
    [TOKEN, TOKEN.replace(":", "%3A"), "987654321:another-token_that-is-not-ours-12345"],
)
def test_no_log_holds_a_token(spelling: str) -> None:
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.addFilter(Redaction(TOKEN))
    log = logging.getLogger("tests.redaction")
    log.setLevel(logging.DEBUG)
    log.addHandler(handler)
    log.debug("GET https://api.telegram.org/bot%s/getMe", spelling)
    try:
        Path(f"/bot{spelling}/getMe").read_text(encoding="utf-8")
    except OSError:
        log.exception("failed", stack_info=True)
    log.removeHandler(handler)
    assert spelling not in written.getvalue()
    assert written.getvalue().count("<token>") >= 2
    assert "FileNotFoundError" in written.getvalue()
