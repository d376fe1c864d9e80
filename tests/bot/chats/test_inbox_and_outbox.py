"""A message is answered once, whole, whenever the bot is killed."""

from __future__ import annotations

from datetime import timedelta

from bot.chats.store import Chats, update_key
from tests.bot.clock import Clock

PARTS = [{"text": "one"}, {"text": "two"}, {"text": "three"}]


async def test_an_update_that_comes_twice_is_stored_once(chats: Chats) -> None:
    assert await chats.receive(11, "7", {"text": "hello"})
    assert not await chats.receive(11, "7", {"text": "hello"})
    assert [update.update_id for update in await chats.unanswered()] == [11]


async def test_updates_wait_in_the_order_they_came_until_they_are_answered(chats: Chats) -> None:
    for number in (12, 11, 13):
        await chats.receive(number, "7", {"text": str(number)})
    await chats.answered(12)
    waiting = await chats.unanswered()
    assert [(update.update_id, update.payload) for update in waiting] == [
        (11, {"text": "11"}),
        (13, {"text": "13"}),
    ]


async def test_an_answered_update_that_comes_again_is_not_answered_again(chats: Chats) -> None:
    await chats.receive(11, "7", {"text": "hello"})
    await chats.answered(11)
    assert not await chats.receive(11, "7", {"text": "hello"})
    assert await chats.unanswered() == []


async def test_after_a_kill_the_reply_goes_on_from_its_first_unconfirmed_part(
    url: str, chats: Chats
) -> None:
    await chats.receive(11, "7", {"text": "hello"})
    await chats.plan(update_key(11), "7", PARTS)
    await chats.part_sent(update_key(11), 1, 501)

    after = await Chats.open(url)  # the first store is never closed, as after a kill
    [update] = await after.unanswered()
    assert update.planned
    assert not update.stale
    assert await after.outstanding(update_key(11)) == [(2, {"text": "two"}), (3, {"text": "three"})]
    await after.close()


async def test_a_reply_once_planned_is_never_replaced_by_another(chats: Chats) -> None:
    assert await chats.plan(update_key(11), "7", PARTS)
    assert not await chats.plan(update_key(11), "7", [{"text": "another answer"}])
    assert [part for _, part in await chats.outstanding(update_key(11))] == PARTS


async def test_an_update_received_but_not_planned_is_to_be_asked(chats: Chats) -> None:
    await chats.receive(11, "7", {"text": "hello"})
    [update] = await chats.unanswered()
    assert not update.planned
    assert not await chats.planned(update_key(11))


async def test_a_message_older_than_a_day_is_known_to_be_stale(chats: Chats, clock: Clock) -> None:
    await chats.receive(11, "7", {"text": "old"})
    clock.forward(timedelta(hours=23))
    await chats.receive(12, "7", {"text": "new"})
    clock.forward(timedelta(hours=2))
    old, new = await chats.unanswered()
    assert (old.age, old.stale) == (timedelta(hours=25), True)
    assert (new.age, new.stale) == (timedelta(hours=2), False)


async def test_a_planned_reply_is_finished_however_old_it_is(chats: Chats, clock: Clock) -> None:
    await chats.receive(11, "7", {"text": "old"})
    await chats.plan(update_key(11), "7", PARTS)
    clock.forward(timedelta(hours=30))
    [update] = await chats.unanswered()
    assert not update.stale


async def test_only_unfinished_plans_of_a_kind_are_listed(chats: Chats) -> None:
    await chats.plan("digest:1:a", "7", PARTS[:1])
    await chats.plan("digest:2:a", "8", PARTS[:1])
    await chats.plan("digest:3:a", "9", PARTS[:1])
    await chats.plan("update:1", "7", PARTS[:1])
    await chats.part_sent("digest:1:a", 1, 3)
    await chats.drop("digest:3:a")
    assert await chats.unfinished("digest:") == [("digest:2:a", "8")]
    assert await chats.outstanding("digest:3:a") == []
    assert await chats.planned("digest:3:a")


async def test_tidying_forgets_the_finished_and_keeps_the_unfinished(
    chats: Chats, clock: Clock
) -> None:
    for number in (1, 2):
        await chats.receive(number, "7", {"text": "x"})
        await chats.plan(update_key(number), "7", PARTS[:1])
    await chats.part_sent(update_key(1), 1, 5)
    await chats.answered(1)
    clock.forward(timedelta(days=8))

    await chats.tidy()

    assert not await chats.planned(update_key(1))
    assert [update.update_id for update in await chats.unanswered()] == [2]
    assert await chats.outstanding(update_key(2)) == [(1, {"text": "one"})]
