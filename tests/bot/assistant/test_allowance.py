"""What a chat uses is counted, limited, priced, and told on request."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage
from langchain_core.messages.ai import UsageMetadata

from bot.assistant.allowance import Allowance
from bot.chats.store import Chats
from bot.prices import Price, parse_prices
from tests.bot.assistant.conftest import Open, notices, quotes
from tests.bot.assistant.scripted import Scripted

ASKED = "How near is TideNet in storms?"
NOON = datetime(2026, 12, 2, 12, tzinfo=UTC)
USED = UsageMetadata(
    input_tokens=1000,
    output_tokens=50,
    total_tokens=1050,
    input_token_details={"cache_read": 800},
)


def costly() -> Scripted:
    """A model that answers from memory first, and tells its provider's figures."""
    text = "TideNet stays within 6.2 cm in storms [tidenet:4]."
    return Scripted(AIMessage("From memory."), AIMessage(text, usage_metadata=USED))


@pytest.fixture
async def chats(tmp_path: Path) -> AsyncIterator[Chats]:
    opened = await Chats.open(f"sqlite:///{tmp_path / 'chats.sqlite'}")
    yield opened
    await opened.close()


async def test_past_the_limit_the_person_is_answered_in_quotations(
    open_assistant: Open, chats: Chats
) -> None:
    model = costly()
    async with open_assistant(model) as assistant:
        allowed = Allowance(assistant, chats, 1000, clock=lambda: NOON)
        first = await allowed.ask("7", ASKED)
        assert first.model == "scripted"
        before = len(model.seen)
        second = await allowed.ask("7", ASKED)
        assert len(model.seen) == before
        assert "6.2 cm" in quotes(second)
        assert "begin anew at midnight" in notices(second)
        assert (await allowed.ask("8", ASKED)).model == "scripted"


async def test_the_providers_own_figures_are_counted_and_priced(
    open_assistant: Open, chats: Chats
) -> None:
    prices = parse_prices("openai:scripted=1.00/0.10/10.00")
    async with open_assistant(costly()) as assistant:
        allowed = Allowance(assistant, chats, 0, prices, clock=lambda: NOON)
        for _ in range(11):
            await allowed.ask("7", ASKED)
        today, month = await allowed.usage("7")
        nobody = await allowed.usage("9")
    assert today.startswith("Today: ")
    assert "8,800 of them cached" in today
    assert "553 out" in today
    assert "about $0.01" in today
    assert month.startswith("This month: ")
    assert nobody == ["Today: no tokens of a chat model.", "This month: no tokens of a chat model."]


async def test_a_model_without_figures_is_counted_offline(
    open_assistant: Open, chats: Chats
) -> None:
    model = Scripted("From memory.", "TideNet stays within 6.2 cm in storms [tidenet:4].")
    async with open_assistant(model) as assistant:
        answer = await Allowance(assistant, chats, clock=lambda: NOON).ask("7", ASKED)
    (spent,) = answer.spent
    assert spent.input > 300, "what was sent counts too"
    assert 10 < spent.output < 60
    assert answer.tokens == spent.input + spent.output


async def test_quotations_cost_nothing(open_assistant: Open, chats: Chats) -> None:
    async with open_assistant() as assistant:
        answer = await Allowance(assistant, chats, 1, clock=lambda: NOON).ask("7", ASKED)
    assert answer.tokens == 0
    assert not answer.spent


async def test_forgetting_erases_the_conversation_too(open_assistant: Open, chats: Chats) -> None:
    async with open_assistant() as assistant:
        allowed = Allowance(assistant, chats, clock=lambda: NOON)
        await allowed.ask("7", "find papers about storms")
        await allowed.forget("7")
        answer = await allowed.ask("7", "summarise the second one")
    assert not answer.citations


async def test_a_conversation_moves_with_its_group(open_assistant: Open, tmp_path: Path) -> None:
    async with open_assistant(checkpoints=tmp_path / "history.sqlite") as assistant:
        await assistant.ask("-5", "what is TideNet?")
        await assistant.move("-5", "-1005")
        answer = await assistant.ask("-1005", "how near is it in storms?")
        gone = await assistant.ask("-5", "summarise it")
    assert "6.2 cm" in quotes(answer)
    assert not gone.citations


def test_prices_are_read_with_and_without_a_price_for_what_is_cached() -> None:
    assert parse_prices("openai:a=1/4, b=1/0.5/4") == {
        "a": Price(1.0, 1.0, 4.0),
        "b": Price(1.0, 0.5, 4.0),
    }
    with pytest.raises(ValueError, match="write one like"):
        parse_prices("a=cheap")
