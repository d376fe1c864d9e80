"""While a reply is made a person sees that, and has a way out when it takes long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from bot.answer import Answer, Notice, Sentence
from bot.assistant.assistant import Written
from bot.telegram.drafts import Drafts
from bot.telegram.talk import Talk
from bot.telegram.working import PATIENCE_SECONDS, TYPING_SECONDS, working
from tests.bot.telegram.world import ADA, World


class Clock:
    """Time that passes only when told to."""

    def __init__(self) -> None:
        self.now = 0.0
        self._asleep = 0
        self._changed = asyncio.Condition()

    async def sleep(self, seconds: float) -> None:
        """Sleep until so much time has passed."""
        until = self.now + seconds
        async with self._changed:
            self._asleep += 1
            self._changed.notify_all()
            try:
                await self._changed.wait_for(lambda: self.now >= until)
            finally:
                self._asleep -= 1

    async def pass_(self, seconds: float, asleep: int) -> None:
        """Let time pass once so many are asleep."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._asleep == asleep)
            self.now += seconds
            self._changed.notify_all()


async def test_typing_is_shown_again_before_it_fades_and_not_after_the_reply(world: World) -> None:
    clock = Clock()

    def shown() -> int:
        return len(world.peer.calls("sendChatAction", ADA))

    async with working(world.bot, ADA, sleep=clock.sleep):
        for times in (1, 2, 3):
            await world.peer.wait_until(lambda times=times: shown() == times)
            await clock.pass_(TYPING_SECONDS, asleep=2)
        await world.peer.wait_until(lambda: shown() == 4)
    await clock.pass_(60, asleep=0)
    assert shown() == 4
    assert world.peer.replies(ADA) == []


async def test_long_work_offers_a_way_out_that_goes_with_it(world: World) -> None:
    clock = Clock()
    async with working(world.bot, ADA, sleep=clock.sleep):
        await clock.pass_(PATIENCE_SECONDS, asleep=2)
        offer = await world.peer.reply(ADA)
        assert [button["text"] for button in offer.buttons[0]] == ["Cancel"]
    (gone,) = world.peer.calls("deleteMessage", ADA)
    assert gone.fields["message_id"] == str(offer.result["message_id"])


async def test_a_server_that_shows_no_typing_does_not_stop_the_work(world: World) -> None:
    world.peer.fail("sendChatAction", 500, "Internal Server Error", times=9)
    async with working(world.bot, ADA):
        await world.peer.wait_until(lambda: world.peer.calls("sendChatAction"))


@dataclass
class Scripted:
    """An assistant that says one thing, and notes what it was asked."""

    answer: Answer = field(default_factory=lambda: Answer((Notice("Yes."),), tokens=60))
    asked: list[Any] = field(default_factory=list)
    running: bool = False
    written: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)

    async def stream(self, _chat: str, text: str, *, call: Any = None) -> AsyncIterator[Any]:
        self.asked.append((text, call))
        for sentence in self.written:
            yield Written((Sentence(sentence),))
        yield self.answer

    def cancel(self, _chat: str) -> bool:
        return self.running

    async def forget(self, chat: str) -> None:
        self.forgotten.append(chat)


def talk(world: World, assistant: Scripted) -> Talk:
    """The verbs over a scripted assistant."""
    return Talk(
        library=None,  # type: ignore[arg-type]
        assistant=assistant,  # type: ignore[arg-type]
        chats=world.chats,
        digests=None,  # type: ignore[arg-type]
    )


async def test_forgetting_asks_first_and_then_erases(world: World) -> None:
    assistant = Scripted()
    verbs = talk(world, assistant)
    (asked,) = await verbs.command("101", "forget", "")
    assert "/forget everything" in asked["text"]
    assert not assistant.forgotten
    (done,) = await verbs.command("101", "forget", "everything")
    assert "erased" in done["text"]
    assert assistant.forgotten == ["101"]


async def test_a_stopped_turn_says_so_itself(world: World) -> None:
    assistant = Scripted(running=True)
    assert await talk(world, assistant).command("101", "cancel", "") == []
    assistant.running = False
    (part,) = await talk(world, assistant).command("101", "cancel", "")
    assert "Nothing is running" in part["text"]


async def test_a_tap_decides_on_the_tool(world: World) -> None:
    assistant = Scripted()
    verbs = talk(world, assistant)
    await verbs.tap("101", {"verb": "summary", "paper": "lora"})
    await verbs.tap("101", {"verb": "compare", "papers": ["lora", "adam"]})
    assert [call for _, call in assistant.asked] == [
        ("summarise", {"paper": "lora"}),
        ("compare", {"papers": ["lora", "adam"]}),
    ]
    (part,) = await verbs.tap("101", None)
    assert "too old" in part["text"]


async def test_a_person_sees_the_reply_while_it_is_written(world: World) -> None:
    clock = iter([0.0, 0.0, 0.5, 2.0, 2.0])  # two looks where it is shown, one where it is not
    show = Drafts(world.bot, ADA, 7, clock=lambda: next(clock)).show
    verbs = talk(world, Scripted(written=["One.", "Not so soon.", "Two."]))
    (part,) = await verbs.say(str(ADA), "why?", show)
    assert "Yes" in part["text"]
    drafts = [call.fields for call in world.peer.calls("sendMessageDraft")]
    assert [draft["text"] for draft in drafts] == ["One.", "Two."]
    assert {draft["draft_id"] for draft in drafts} == {drafts[0]["draft_id"]}


async def test_a_server_without_drafts_is_asked_once(world: World) -> None:
    world.peer.fail("sendMessageDraft", 404, "Not Found")
    show = Drafts(world.bot, ADA, 7, clock=lambda: 0.0).show
    verbs = talk(world, Scripted(written=["One.", "Two."]))
    (part,) = await verbs.say(str(ADA), "why?", show)
    assert "Yes" in part["text"]
