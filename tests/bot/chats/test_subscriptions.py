"""Who wants what when, and that a due is met once."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta, timezone

import pytest

from bot.chats.store import Chats, Subscription, digest_key

DUE = datetime(2026, 12, 2, 7, 0, tzinfo=UTC)
NEXT = DUE + timedelta(days=1)


async def _subscribed(chats: Chats, chat: str = "7", due: datetime = DUE) -> Subscription:
    return await chats.subscribe(chat, "diffusion policies", 8, 0, "Europe/Berlin", 40, due)


async def test_a_subscription_is_read_back_as_it_was_made(chats: Chats) -> None:
    made = await _subscribed(chats)
    assert await chats.subscription("7") == made
    assert (made.topic, made.hour, made.minute, made.zone) == (
        "diffusion policies",
        8,
        0,
        "Europe/Berlin",
    )
    assert (made.seen, made.next_due) == (40, DUE)
    assert await chats.subscription("8") is None


async def test_times_are_kept_in_utc_whatever_zone_they_come_in(chats: Chats) -> None:
    tokyo = DUE.astimezone(timezone(timedelta(hours=9)))
    made = await _subscribed(chats, due=tokyo)
    assert made.next_due == DUE
    stored = await chats.subscription("7")
    assert stored is not None
    assert stored.next_due.utcoffset() == timedelta()


async def test_a_time_without_a_zone_is_refused(chats: Chats) -> None:
    with pytest.raises(Exception, match="says no time zone"):
        await _subscribed(chats, due=datetime(2026, 12, 2, 7, 0))  # noqa: DTZ001
    assert await chats.subscription("7") is None


async def test_subscribing_again_changes_the_one_there_is(chats: Chats) -> None:
    first = await _subscribed(chats)
    second = await chats.subscribe("7", "alignment", 20, 30, "UTC", 50, NEXT)
    assert second.id == first.id
    assert await chats.subscription("7") == second
    assert await chats.due(NEXT) == [second]


async def test_two_taps_at_once_make_one_subscription(chats: Chats) -> None:
    made = await asyncio.gather(*(_subscribed(chats) for _ in range(5)))
    assert len({subscription.id for subscription in made}) == 1


async def test_only_what_is_due_comes_up_the_longest_due_first(chats: Chats) -> None:
    later = await _subscribed(chats, "7", DUE)
    earlier = await _subscribed(chats, "8", DUE - timedelta(hours=1))
    await _subscribed(chats, "9", NEXT)
    assert await chats.due(DUE - timedelta(hours=2)) == []
    assert await chats.due(DUE) == [earlier, later]


async def test_a_chat_that_blocked_the_bot_is_not_due_until_it_is_back(chats: Chats) -> None:
    made = await _subscribed(chats)
    await chats.deactivate("7")
    assert await chats.due(NEXT) == []
    await chats.activate("7")
    assert await chats.due(NEXT) == [made]


async def test_stop_takes_effect_at_once_also_for_a_digest_half_sent(chats: Chats) -> None:
    made = await _subscribed(chats)
    await chats.deliver(
        made,
        papers=["a"],
        outcome="sent",
        parts=[{"text": "1"}, {"text": "2"}],
        next_due=NEXT,
        seen=41,
    )
    await chats.part_sent(digest_key(made.id, DUE), 1, 5)

    assert await chats.unsubscribe("7")

    assert await chats.outstanding(digest_key(made.id, DUE)) == []
    assert await chats.due(NEXT) == []
    assert not await chats.unsubscribe("7")


async def test_a_due_is_recorded_once(chats: Chats) -> None:
    made = await _subscribed(chats)
    assert await chats.record_delivery(made.id, DUE, ["a", "b"], "sent")
    assert not await chats.record_delivery(made.id, DUE, ["c"], "sent")
    assert await chats.delivered("7") == {"a", "b"}
    assert await chats.deliveries("7") == [(DUE, "sent")]


async def test_papers_delivered_are_remembered_beyond_a_stop(chats: Chats) -> None:
    made = await _subscribed(chats)
    await chats.record_delivery(made.id, DUE, ["a"], "sent")
    await chats.unsubscribe("7")
    again = await _subscribed(chats)
    assert again.id != made.id
    assert await chats.delivered("7") == {"a"}


async def test_two_workers_deliver_a_due_once(url: str, chats: Chats) -> None:
    made = await _subscribed(chats)
    other = await Chats.open(url)

    async def deliver(store: Chats, word: str) -> bool:
        return await store.deliver(
            made, papers=[word], outcome="sent", parts=[{"text": word}], next_due=NEXT, seen=50
        )

    done = await asyncio.gather(deliver(chats, "one"), deliver(other, "two"))
    await other.close()

    assert sorted(done) == [False, True]
    assert len(await chats.outstanding(digest_key(made.id, DUE))) == 1
    assert len(await chats.delivered("7")) == 1


async def test_a_digest_composed_for_an_older_wish_is_not_delivered(chats: Chats) -> None:
    made = await _subscribed(chats)
    changed = await chats.subscribe("7", "alignment", 8, 0, "Europe/Berlin", 50, DUE)
    delivered = await chats.deliver(
        made, papers=["a"], outcome="sent", parts=[{"text": "1"}], next_due=NEXT, seen=60
    )
    assert not delivered
    assert await chats.subscription("7") == changed
    assert await chats.unfinished() == []


async def test_moving_on_is_kept(chats: Chats) -> None:
    made = await _subscribed(chats)
    await chats.advance(made.id, NEXT, 77)
    stored = await chats.subscription("7")
    assert stored is not None
    assert (stored.next_due, stored.seen) == (NEXT, 77)
