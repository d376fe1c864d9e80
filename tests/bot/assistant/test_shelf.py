"""What a person saves is saved by their own words, and stays."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.answer import PaperList
from bot.assistant.allowance import Allowance
from bot.chats.store import Chats
from bot.commands import command
from tests.bot.assistant.conftest import Open, notices
from tests.bot.assistant.scripted import Scripted, calls


@pytest.fixture
async def chats(tmp_path: Path) -> AsyncIterator[Chats]:
    opened = await Chats.open(f"sqlite:///{tmp_path / 'chats.sqlite'}")
    yield opened
    await opened.close()


async def _listed(allowed: Allowance, chat: str = "7") -> list[str]:
    answer = await allowed.ask(chat, "what did I save?")
    return [i.handle for b in answer.blocks if isinstance(b, PaperList) for i in b.items]


async def test_a_paper_on_the_screen_is_saved_listed_and_dropped(
    open_assistant: Open, chats: Chats
) -> None:
    async with open_assistant() as assistant:
        allowed = Allowance(assistant, chats)
        await allowed.ask("7", "find papers about language models on phones")
        said = await allowed.ask("7", "save the second one please")
        assert "Saved: “QLoRA-" in notices(said)
        await allowed.ask("7", "save TideNet")
        shelf = await _listed(allowed)
        assert shelf[0] == "tidenet"
        assert len(shelf) == 2
        assert await _listed(allowed, "8") == []
        gone = await allowed.ask("7", "remove TideNet from my list")
        assert "No longer saved" in notices(gone)
        assert await _listed(allowed) == shelf[1:]


async def test_the_list_is_on_the_screen_for_what_comes_next(
    open_assistant: Open, chats: Chats
) -> None:
    async with open_assistant() as assistant:
        allowed = Allowance(assistant, chats)
        await allowed.ask("7", "save TideNet")
        await allowed.ask("7", "save nightear")
        await allowed.ask("7", "my reading list")
        answer = await allowed.ask("7", "summarise the second one")
    assert {c.handle for c in answer.citations} == {"tidenet"}


async def test_saving_twice_keeps_one_and_says_so(open_assistant: Open, chats: Chats) -> None:
    async with open_assistant() as assistant:
        allowed = Allowance(assistant, chats)
        await allowed.ask("7", "save TideNet")
        again = await allowed.ask("7", "bookmark tidenet")
        assert "Saved before" in notices(again)
        assert await _listed(allowed) == ["tidenet"]


@pytest.mark.parametrize(
    "said", ["how do I save memory?", "papers that save energy", "keep going", "save the whales"]
)
async def test_other_words_save_nothing(open_assistant: Open, chats: Chats, said: str) -> None:
    async with open_assistant() as assistant:
        await Allowance(assistant, chats).ask("7", said)
    assert await chats.saved("7") == []


async def test_a_model_cannot_save_anything(open_assistant: Open, chats: Chats) -> None:
    model = Scripted(calls("save", paper="tidenet"), "I saved it.")
    async with open_assistant(model) as assistant:
        await Allowance(assistant, chats).ask("7", "tell me about TideNet")
    assert await chats.saved("7") == []


async def test_forgetting_empties_the_list_and_moving_takes_it_along(chats: Chats) -> None:
    await chats.save("-5", ["arxiv:1", "arxiv:2"])
    await chats.migrate("-5", "-1005")
    assert set(await chats.saved("-1005")) == {"arxiv:1", "arxiv:2"}
    await chats.forget("-1005")
    assert await chats.saved("-1005") == []


def test_the_commands_say_the_same_as_the_words() -> None:
    for name, words, text in (
        ("save", "tidenet", "save tidenet"),
        ("saved", "", "my reading list"),
    ):
        known = command(name)
        assert known
        assert known.turn
        assert known.turn(words).text == text
