"""What a chat has chosen stays with it, also when it moves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from bot.chats.store import Chats
from tests.bot.clock import Clock

DAY = date(2026, 12, 1)
DUE = datetime(2026, 12, 2, 7, 0, tzinfo=UTC)


async def test_a_conversation_goes_on_until_a_new_one_is_begun(chats: Chats) -> None:
    first = await chats.thread("7")
    assert await chats.thread("7") == first
    assert await chats.thread("8") != first
    second = await chats.new_thread("7")
    assert second != first
    assert await chats.thread("7") == second


async def test_a_blocked_chat_keeps_what_it_chose(chats: Chats) -> None:
    await chats.set_timezone("7", "Asia/Tokyo")
    assert await chats.is_active("7")
    await chats.deactivate("7")
    assert not await chats.is_active("7")
    await chats.activate("7")
    assert await chats.is_active("7")
    assert await chats.timezone("7") == "Asia/Tokyo"
    assert await chats.timezone("8") is None


async def test_a_button_carries_more_than_64_bytes_in_a_short_token(chats: Chats) -> None:
    data = {"verb": "similar", "paper": "arxiv:acc-phys/9601001", "query": "обучение " * 40}
    token = await chats.tap("7", data)
    assert len(token.encode()) <= 20
    assert await chats.tap("7", dict(reversed(data.items()))) == token
    assert await chats.tapped(token, "7") == data


async def test_a_button_of_another_chat_does_nothing(chats: Chats) -> None:
    token = await chats.tap("7", {"verb": "show"})
    assert await chats.tap("8", {"verb": "show"}) != token
    assert await chats.tapped(token, "8") is None
    assert await chats.tapped("unknown", "7") is None


async def test_tokens_are_counted_by_day(chats: Chats) -> None:
    await chats.add_usage("7", DAY, 100)
    await chats.add_usage("7", DAY, 20)
    assert await chats.usage("7", DAY) == 120
    assert await chats.usage("7", DAY + timedelta(days=1)) == 0
    assert await chats.usage("8", DAY) == 0


async def _fill(chats: Chats, chat: str, topic: str) -> str:
    await chats.thread(chat)
    await chats.add_usage(chat, DAY, 10)
    await chats.receive(abs(int(chat)), chat, {"text": "hello"})
    subscription = await chats.subscribe(chat, topic, 8, 0, "UTC", 0, DUE)
    await chats.record_delivery(subscription.id, DUE - timedelta(days=1), ["a", chat], "sent")
    return await chats.tap(chat, {"verb": "show"})


async def test_a_group_that_becomes_a_supergroup_takes_everything_along(chats: Chats) -> None:
    token = await _fill(chats, "-5", "diffusion")
    await chats.set_timezone("-5", "Asia/Tokyo")
    await chats.plan("update:5", "-5", [{"text": "one"}])
    thread = await chats.thread("-5")

    for _ in range(2):  # Telegram tells it in either chat
        await chats.migrate("-5", "-1005")

    assert await chats.thread("-1005") == thread
    assert await chats.timezone("-1005") == "Asia/Tokyo"
    assert await chats.tapped(token, "-1005") == {"verb": "show"}
    assert await chats.usage("-1005", DAY) == 10
    assert await chats.delivered("-1005") == {"a", "-5"}
    assert await chats.unfinished() == [("update:5", "-1005")]
    assert [update.chat for update in await chats.unanswered()] == ["-1005"]
    moved = await chats.subscription("-1005")
    assert moved is not None
    assert moved.topic == "diffusion"
    assert await chats.subscription("-5") is None
    assert [s.chat for s in await chats.due(DUE)] == ["-1005"]
    assert await chats.usage("-5", DAY) == 0
    assert await chats.delivered("-5") == set()


async def test_a_supergroup_that_has_its_own_rows_keeps_the_last_choices_of_both(
    chats: Chats, clock: Clock
) -> None:
    old_token = await _fill(chats, "-5", "diffusion")
    clock.forward(timedelta(minutes=1))
    new_token = await _fill(chats, "-1005", "alignment")
    await chats.set_timezone("-5", "Asia/Tokyo")
    await chats.set_timezone("-1005", "Europe/Berlin")
    await chats.deactivate("-5")
    thread = await chats.thread("-5")

    await chats.migrate("-5", "-1005")

    assert await chats.thread("-1005") == thread
    assert await chats.timezone("-1005") == "Europe/Berlin"
    assert await chats.is_active("-1005")
    assert await chats.usage("-1005", DAY) == 20
    assert await chats.delivered("-1005") == {"a", "-5", "-1005"}
    assert [s.topic for s in await chats.due(DUE)] == ["alignment"]
    assert await chats.tapped(old_token, "-1005") == {"verb": "show"}
    assert await chats.tapped(new_token, "-1005") == {"verb": "show"}


async def test_a_chat_without_rows_moves_without_a_word(chats: Chats) -> None:
    await chats.migrate("-5", "-1005")
    await chats.migrate("-5", "-5")
    assert await chats.subscription("-1005") is None


@dataclass(frozen=True)
class Used:
    """What a turn used of a model."""

    model: str
    input: int
    cached: int
    output: int


async def test_spending_is_added_up_by_model_and_days(chats: Chats) -> None:
    await chats.spend("7", DAY, [Used("a", 100, 60, 10), Used("b", 5, 0, 1)])
    await chats.spend("7", DAY, [Used("a", 1, 0, 1)])
    await chats.spend("7", DAY - timedelta(days=1), [Used("a", 1000, 0, 0)])
    await chats.spend("8", DAY, [Used("a", 7, 0, 0)])
    assert await chats.spent(DAY, DAY, "7") == [("a", 101, 60, 11), ("b", 5, 0, 1)]
    assert await chats.spent(DAY - timedelta(days=1), DAY, "7") == [
        ("a", 1101, 60, 11),
        ("b", 5, 0, 1),
    ]
    assert await chats.spent(DAY, DAY) == [("a", 108, 60, 11), ("b", 5, 0, 1)]


async def test_a_chat_that_is_forgotten_leaves_only_its_count_of_tokens(chats: Chats) -> None:
    token = await _fill(chats, "7", "diffusion")
    kept = await _fill(chats, "8", "diffusion")
    await chats.set_timezone("7", "Asia/Tokyo")
    await chats.plan("update:7", "7", [{"text": "one"}])
    thread = await chats.thread("7")
    await chats.forget("7")
    assert await chats.timezone("7") is None
    assert await chats.subscription("7") is None
    assert await chats.delivered("7") == set()
    assert await chats.tapped(token, "7") is None
    assert await chats.outstanding("update:7") == []
    assert await chats.thread("7") != thread
    assert await chats.usage("7", DAY) == 10
    assert [update.chat for update in await chats.unanswered()].count("7") == 1
    assert await chats.subscription("8") is not None
    assert await chats.tapped(kept, "8") is not None
