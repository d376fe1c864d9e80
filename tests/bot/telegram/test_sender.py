"""What the server says to a message decides what becomes of it."""

from __future__ import annotations

import asyncio

import pytest
from telegram.error import RetryAfter

from bot.digests.service import Blocked, Moved, Refused
from bot.telegram.render import button, line, parts
from bot.telegram.rich import Span
from bot.telegram.sender import Sender
from tests.bot.telegram.world import ADA, World

MARKED = parts([Span("a < b & c", bold=True)])[0]


async def test_parts_arrive_in_order_and_are_confirmed(world: World) -> None:
    assert await world.deliver(*line("one"), *line("two"))
    assert [call.text for call in world.peer.replies(ADA)] == ["one", "two"]
    assert await world.chats.outstanding("update:1") == []


async def test_what_is_confirmed_is_not_sent_again(world: World) -> None:
    await world.deliver(*line("one"), *line("two"))
    assert await world.deliver(*line("one"), *line("two"))
    assert len(world.peer.replies(ADA)) == 2


async def test_flood_control_is_waited_out_with_the_formatting_kept(world: World) -> None:
    world.peer.fail("sendMessage", 429, "Too Many Requests: retry after 3", retry_after=3)
    assert await world.deliver(MARKED)
    (reply,) = world.peer.replies(ADA)
    assert reply.formatted.of("bold") == ["a < b & c"]
    assert world.naps.seconds == [pytest.approx(3.1)]


async def test_a_very_long_wait_is_left_to_a_later_round(world: World) -> None:
    world.peer.fail("sendMessage", 429, "Too Many Requests: retry after 900", retry_after=900)
    assert not await world.deliver(MARKED)
    assert await world.sender.deliver("update:1", str(ADA))
    assert len(world.peer.replies(ADA)) == 1


async def test_a_digest_does_not_hold_up_those_of_others(world: World) -> None:
    world.peer.fail("sendMessage", 429, "Too Many Requests: retry after 30", retry_after=30)
    with pytest.raises(RetryAfter):
        await world.sender.send_soon(str(ADA), MARKED)
    assert world.naps.seconds == []


async def test_only_a_parse_error_costs_the_formatting(world: World) -> None:
    world.peer.fail("sendMessage", 400, "Bad Request: can't parse entities: unsupported start tag")
    await world.deliver(MARKED)
    (reply,) = world.peer.replies(ADA)
    assert reply.text == "a < b & c"
    assert reply.formatted.entities == ()


async def test_a_server_in_trouble_is_asked_again_and_then_left_for_later(world: World) -> None:
    world.peer.fail("sendMessage", 502, "Bad Gateway", times=5)
    assert not await world.deliver(MARKED)
    assert world.naps.seconds == [1, 2, 4]
    assert await world.sender.deliver("update:1", str(ADA))
    assert len(world.peer.replies(ADA)) == 1


async def test_in_a_hurry_nothing_is_waited_for(world: World) -> None:
    world.peer.fail("sendMessage", 429, "Too Many Requests: retry after 60", retry_after=60)
    patient = Sender(world.bot, world.chats)
    await world.chats.plan("update:1", str(ADA), line("one"))
    sending = asyncio.create_task(patient.deliver("update:1", str(ADA)))
    await world.peer.wait_until(lambda: world.peer.calls("sendMessage"))
    patient.hurry.set()
    assert not await asyncio.wait_for(sending, 5)
    assert len(await world.chats.outstanding("update:1")) == 1


@pytest.mark.parametrize(
    ("code", "description"),
    [
        (403, "Forbidden: bot was blocked by the user"),
        (403, "Forbidden: user is deactivated"),
        (400, "Bad Request: chat not found"),
    ],
)
async def test_a_person_who_is_gone_is_left_alone(
    world: World, code: int, description: str
) -> None:
    world.peer.fail("sendMessage", code, description)
    assert await world.deliver(*line("one"), *line("two"))
    assert world.peer.replies(ADA) == []
    assert not await world.chats.is_active(str(ADA))
    assert await world.chats.outstanding("update:1") == []


async def test_a_group_that_moved_gets_its_parts_in_the_new_place_once(world: World) -> None:
    await world.peer.message(-5, "hello", user=ADA)
    world.peer.upgrade(-5, -1005)
    await world.chats.plan("update:2", "-5", [*line("one"), *line("two")])
    assert await world.sender.deliver("update:2", "-5")
    assert [call.text for call in world.peer.replies(-1005)] == ["one", "two"]
    assert len([c for c in world.peer.calls("sendMessage") if c.status == 400]) == 1


async def test_a_part_nobody_can_mend_does_not_keep_the_others(world: World) -> None:
    world.peer.fail("sendMessage", 400, "Bad Request: something new")
    assert await world.deliver(*line("one"), *line("two"))
    assert [call.text for call in world.peer.replies(ADA)] == ["two"]


async def test_digests_hear_what_happened_in_their_own_words(world: World) -> None:
    world.peer.fail("sendMessage", 403, "Forbidden: bot was blocked by the user")
    with pytest.raises(Blocked):
        await world.sender.send(str(ADA), MARKED)
    world.peer.fail("sendMessage", 400, "Bad Request: something new")
    with pytest.raises(Refused):
        await world.sender.send(str(ADA), MARKED)
    await world.peer.message(-5, "hello", user=ADA)
    world.peer.upgrade(-5, -1005)
    with pytest.raises(Moved) as moved:
        await world.sender.send("-5", MARKED)
    assert moved.value.chat == "-1005"


async def test_a_button_carries_a_token_that_is_understood_later(world: World) -> None:
    tap = {"verb": "summary", "paper": "acc-phys/9601001", "of": "обучение с подкреплением" * 9}
    await world.deliver(parts([Span("one")], [[button("Summary", tap)]])[0])
    (reply,) = world.peer.replies(ADA)
    token = reply.buttons[0][0]["callback_data"]
    assert len(token.encode()) <= 64
    assert await world.chats.tapped(token, str(ADA)) == tap
    assert await world.chats.tapped(token, "999") is None


async def test_a_file_is_sent_with_its_words(world: World) -> None:
    text = "Grüße, 世界"
    await world.deliver({"document": {"filename": "answer.txt", "text": text}, "caption": "all"})
    (reply,) = world.peer.replies(ADA)
    assert reply.result["document"]["file_name"] == "answer.txt"
    assert next(iter(reply.files.values())).decode() == text


async def test_a_reply_to_a_message_that_is_gone_is_sent_without_it(world: World) -> None:
    (part,) = line("one")
    await world.deliver({**part, "reply_parameters": {"message_id": 9999}})
    assert [call.text for call in world.peer.replies(ADA)] == ["one"]
