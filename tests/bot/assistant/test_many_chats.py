"""Fifty chats at once: each keeps its order, and nobody is left without an answer."""

from __future__ import annotations

import asyncio

from tests.bot.assistant.conftest import Open, quotes
from tests.bot.assistant.scripted import Scripted

CHATS = 50


async def test_fifty_chats_at_once_all_answer_each_in_its_order(open_assistant: Open) -> None:
    ended: list[tuple[int, str]] = []
    async with open_assistant(Scripted("Nothing to say.")) as assistant:

        async def say(chat: int, text: str) -> str:
            answer = await assistant.ask(f"chat {chat}", text)
            ended.append((chat, text))
            return quotes(answer)

        said = ("How many gauges was TideNet trained on?", "What F1 does NightEar reach?")
        replies = await asyncio.gather(*(say(n, text) for n in range(CHATS) for text in said))
    assert all("31 gauges" in reply for reply in replies[::2])
    assert all("F1 of 0.81" in reply for reply in replies[1::2])
    for chat in range(CHATS):
        assert [text for number, text in ended if number == chat] == list(said)
