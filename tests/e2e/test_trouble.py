"""What the server refuses, and what becomes of the reply."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from tests.e2e.harness import ADA, BOB, BotProcess
from tests.peer import Peer

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("bot")]


async def test_markup_the_server_does_not_parse_is_sent_as_plain_text(peer: Peer) -> None:
    peer.fail(
        "sendMessage", 400, "Bad Request: can't parse entities: unsupported start tag", chat_id=ADA
    )
    reply = await peer.ask(ADA, "/find low-rank adaptation", seconds=60)
    assert "parse_mode" not in reply.fields
    assert "LoRA" in reply.text
    assert "<b>" not in reply.text
    assert reply.formatted.of("bold") == []
    assert reply.buttons


async def test_flood_control_is_waited_out_and_costs_no_formatting(peer: Peer) -> None:
    peer.fail("sendMessage", 429, "Too Many Requests: retry after 1", chat_id=ADA, retry_after=1)
    reply = await peer.ask(ADA, "/find low-rank adaptation")
    assert reply.formatted.of("bold")


@pytest.mark.parametrize(
    ("code", "description"), [(502, "Bad Gateway"), (500, "Internal Server Error")]
)
async def test_a_server_in_trouble_is_asked_again(peer: Peer, code: int, description: str) -> None:
    peer.fail("sendMessage", code, description, chat_id=ADA)
    before = len(peer.replies(ADA))
    assert "/find" in (await peer.ask(ADA, "/help")).text
    await peer.ask(ADA, "/stop")
    assert len(peer.replies(ADA)) == before + 2


async def test_a_reply_to_a_deleted_message_is_sent_all_the_same(peer: Peer) -> None:
    await peer.message(-500, f"/help@{peer.username}", user=ADA)
    assert "reply_to_message" in (await peer.reply(-500)).result
    peer.fail("sendMessage", 400, "Bad Request: message to be replied not found", chat_id=-500)
    await peer.message(-500, f"/help@{peer.username}", user=ADA)
    assert "reply_to_message" not in (await peer.reply(-500, 1)).result


async def test_a_group_that_becomes_a_supergroup_gets_its_reply_there(peer: Peer) -> None:
    peer.upgrade(-500, -100500)
    await peer.message(-500, f"/help@{peer.username}", user=ADA)
    assert "/find" in (await peer.reply(-100500)).text
    await peer.ask(ADA, "/help")
    assert len(peer.replies(-100500)) == 1


async def test_a_person_who_blocked_the_bot_is_left_alone_until_they_are_back(
    peer: Peer, bot: BotProcess
) -> None:
    await peer.ask(BOB, "/help")
    peer.block(BOB)
    await peer.message(BOB, "/help")
    await peer.wait_until(lambda: any(c.status == 403 for c in peer.calls("sendMessage", BOB)))
    await peer.ask(ADA, "/help")
    assert not _active(bot)
    peer.unblock(BOB)
    assert "research assistant" in (await peer.ask(BOB, "/start")).text
    assert _active(bot)
    assert len(peer.replies(BOB)) == 2


async def test_more_messages_than_can_wait_are_answered_with_one_line(peer: Peer) -> None:
    before = len(peer.replies(ADA))
    peer.fail("sendMessage", 429, "Too Many Requests: retry after 2", chat_id=ADA, retry_after=2)
    for _ in range(30):
        await peer.message(ADA, "/stop")
    await peer.wait_until(lambda: len(peer.replies(ADA)) >= before + 22)
    await peer.ask(ADA, "/help")
    texts = [call.text for call in peer.replies(ADA)[before:]]
    assert sum("waiting already" in text for text in texts) == 1
    assert sum("no digest" in text for text in texts) == 21


def _active(bot: BotProcess) -> bool:
    with closing(sqlite3.connect(bot.database)) as connection:
        row = connection.execute("SELECT active FROM chats WHERE chat = ?", (str(BOB),)).fetchone()
    return bool(row[0])
