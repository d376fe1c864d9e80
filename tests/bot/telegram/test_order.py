"""A chat's messages are answered one at a time and in order, and chats side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from telegram import Update

from bot.chats.store import update_key
from bot.telegram.handlers import is_cancel
from bot.telegram.processor import ChatOrder
from bot.telegram.render import line
from tests.bot.telegram.world import ADA, BOB, World

Work = Callable[[Update], Awaitable[None]]


class Answering:
    """Answers with the words of the message, once the chat's gate is open."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.order = ChatOrder(
            world.chats, world.sender, lambda update: is_cancel(update, world.peer.username)
        )
        self.begun: list[str] = []
        self.gates = {ADA: asyncio.Event(), BOB: asyncio.Event()}
        self.tasks: list[asyncio.Task[None]] = []

    async def write(self, chat: int, *texts: str) -> None:
        """People write, and the bot fetches it and begins."""
        for text in texts:
            await self.world.peer.message(chat, text)
        await self.fetch()

    async def fetch(self) -> None:
        """Begin whatever Telegram holds."""
        for update in await self.world.fetched():
            await self.world.chats.receive(update.update_id, str(update.effective_chat.id), {})  # type: ignore[union-attr]
            work = self.order.process_update(update, self._answer(update))
            self.tasks.append(asyncio.create_task(work))

    async def _answer(self, update: Update) -> None:
        query, message = update.callback_query, update.message
        text = str(query.data if query else message.text if message else "")
        chat = update.effective_chat
        assert chat is not None
        self.begun.append(text)
        if text != "/cancel":
            await self.gates[chat.id].wait()
        await self.world.chats.plan(update_key(update.update_id), str(chat.id), line(text))

    async def done(self) -> None:
        """Wait until all of it is answered."""
        await asyncio.wait_for(asyncio.gather(*self.tasks), 20)

    def texts(self, chat: int) -> list[str]:
        """What reached a chat."""
        return [call.text for call in self.world.peer.replies(chat)]


async def test_one_chat_waits_for_itself_and_not_for_another(world: World) -> None:
    bot = Answering(world)
    await bot.write(ADA, "one", "two", "three")
    await bot.write(BOB, "other")
    bot.gates[BOB].set()
    await world.peer.reply(BOB)
    assert bot.begun == ["one", "other"]
    assert bot.texts(ADA) == []
    bot.gates[ADA].set()
    await bot.done()
    assert bot.texts(ADA) == ["one", "two", "three"]
    assert await world.chats.unanswered() == []


async def test_cancel_passes_what_waits(world: World) -> None:
    bot = Answering(world)
    await bot.write(ADA, "one", "two", "/cancel")
    assert (await world.peer.reply(ADA)).text == "/cancel"
    bot.gates[ADA].set()
    await bot.done()
    assert bot.texts(ADA) == ["/cancel", "one", "two"]


async def test_what_was_planned_before_a_restart_is_sent_and_not_asked_again(world: World) -> None:
    bot = Answering(world)
    update_id = await world.peer.message(ADA, "one")
    await world.chats.plan(update_key(update_id), str(ADA), line("decided before"))
    await bot.fetch()
    await bot.done()
    assert bot.begun == []
    assert bot.texts(ADA) == ["decided before"]


async def test_what_runs_when_the_bot_stops_stays_in_the_inbox(world: World) -> None:
    bot = Answering(world)
    await bot.write(ADA, "one", "two")
    await world.peer.wait_until(lambda: True)
    while bot.begun != ["one"]:  # noqa: ASYNC110 - a turn of the loop or two
        await asyncio.sleep(0)
    bot.order.stopping = True
    await bot.order.abandon()
    assert len(await world.chats.unanswered()) == 2
    assert bot.texts(ADA) == []


async def test_two_taps_on_a_button_are_one_wish(world: World) -> None:
    bot = Answering(world)
    await world.sender.send(
        str(ADA),
        {"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "b", "tap": {"verb": "v"}}]]}},
    )
    (message,) = world.peer.replies(ADA)
    for _ in range(2):
        await world.peer.tap(message, "b")
    await bot.fetch()
    await world.peer.wait_until(lambda: len(world.peer.calls("answerCallbackQuery")) == 2)
    bot.gates[ADA].set()
    await bot.done()
    assert len(bot.texts(ADA)) == 2
    assert len(bot.begun) == 1
    assert await world.chats.unanswered() == []


async def test_what_could_not_be_sent_is_tried_again_later(world: World) -> None:
    bot = Answering(world)
    bot.gates[ADA].set()
    world.peer.fail("sendMessage", 502, "Bad Gateway", times=4)
    await bot.write(ADA, "one")
    await bot.done()
    assert bot.texts(ADA) == []
    await bot.order.send_unfinished()
    assert bot.texts(ADA) == ["one"]
    assert await world.chats.unanswered() == []
