"""The server of the tests refuses what Telegram refuses, in its words."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    Forbidden,
    InvalidToken,
    TelegramError,
)

from tests.peer import Peer, running_peer

ADA = 101


@pytest.fixture(name="peer")
async def _peer() -> AsyncIterator[Peer]:
    async with running_peer() as peer:
        await peer.message(ADA, "hello")
        yield peer


@pytest.fixture(name="bot")
async def _bot(peer: Peer) -> AsyncIterator[Bot]:
    async with Bot(peer.token, base_url=f"{peer.url}/bot") as bot:
        yield bot
        assert peer.violations == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<b>", "Can't parse entities: can't find end tag corresponding to start tag \"b\""),
        ("<x>y</x>", 'Can\'t parse entities: unsupported start tag "x" at byte offset 0'),
        (" \n ", "Message text is empty"),
        ("x" * 4097, "Message is too long"),
    ],
)
async def test_a_bad_text_is_refused_in_the_words_of_the_parser(
    bot: Bot, text: str, said: str
) -> None:
    with pytest.raises(BadRequest, match=f"^{said}".replace("(", r"\(")):
        await bot.send_message(ADA, text, parse_mode="HTML")


async def test_lengths_are_counted_in_code_points_after_parsing(bot: Bot) -> None:
    message = await bot.send_message(ADA, f"<b>{'👍' * 4096}</b>", parse_mode="HTML")
    assert message.entities[0].length == 8192


async def test_data_of_a_button_has_64_bytes(bot: Bot) -> None:
    for size, accepted in ((64, True), (65, False)):
        keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("a", callback_data="x" * size)]])
        if accepted:
            assert (await bot.send_message(ADA, "a", reply_markup=keyboard)).reply_markup
        else:
            with pytest.raises(BadRequest, match="Button_data_invalid"):
                await bot.send_message(ADA, "a", reply_markup=keyboard)


async def test_an_edit_that_changes_nothing_is_an_error_and_one_that_does_is_kept(
    bot: Bot,
) -> None:
    message = await bot.send_message(ADA, "one")
    with pytest.raises(BadRequest, match="Message is not modified"):
        await bot.edit_message_text("one", ADA, message.message_id)
    edited = await bot.edit_message_text("two", ADA, message.message_id)
    assert getattr(edited, "text", "") == "two"


async def test_a_second_poller_ends_the_first(bot: Bot, peer: Peer) -> None:
    await bot.get_updates(offset=2, timeout=0)
    first = asyncio.create_task(bot.get_updates(offset=2, timeout=20))
    await peer.wait_until(lambda: True)
    async with Bot(peer.token, base_url=f"{peer.url}/bot") as other:
        second = asyncio.create_task(other.get_updates(offset=2, timeout=20))
        done, _ = await asyncio.wait([first, second], return_when=asyncio.FIRST_COMPLETED)
        (loser,) = done
        with pytest.raises(Conflict, match="terminated by other getUpdates request"):
            loser.result()
        (winner,) = {first, second} - done
        await peer.message(ADA, "more")
        assert len(await winner) == 1


async def test_who_may_be_written_to(bot: Bot, peer: Peer) -> None:
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.send_message(202, "you have never written to me")
    peer.block(ADA)
    with pytest.raises(Forbidden, match="bot was blocked by the user"):
        await bot.send_message(ADA, "one")
    await peer.message(-5, "hello", user=ADA)
    peer.upgrade(-5, -1005)
    with pytest.raises(ChatMigrated):
        await bot.send_message(-5, "one")


async def test_a_fault_fails_so_many_calls_of_one_chat(bot: Bot, peer: Peer) -> None:
    peer.fail("sendMessage", 500, "Internal Server Error", chat_id=ADA, times=1, after=1)
    await bot.send_message(ADA, "one")
    with pytest.raises(TelegramError, match="Internal Server Error"):
        await bot.send_message(ADA, "two")
    await bot.send_message(ADA, "three")
    assert [call.text for call in peer.replies(ADA)] == ["one", "three"]


async def test_a_request_that_breaks_the_schema_is_noted(peer: Peer) -> None:
    async with Bot(peer.token, base_url=f"{peer.url}/bot") as bot:
        await bot.send_chat_action(ADA, "typing", api_kwargs={"mood": "good"})
    assert peer.violations == [{"method": "sendChatAction", "unknown": ["mood"], "missing": []}]


async def test_an_unknown_token_is_refused(peer: Peer) -> None:
    peer.server.tokens = {peer.token}
    with pytest.raises(InvalidToken):
        await Bot("1:another", base_url=f"{peer.url}/bot").get_me()
