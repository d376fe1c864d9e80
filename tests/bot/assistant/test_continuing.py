"""An answer keeps to its budget of tokens, and "more" says what was left out."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from bot.answer import Answer, PaperList
from bot.assistant.assistant import Assistant
from bot.assistant.budget import count
from bot.assistant.continuing import NOTHING
from bot.settings import Settings
from index.library import Library
from tests.bot.assistant.conftest import notices, quotes
from tests.bot.assistant.scripted import Scripted, calls

WRITTEN = (
    "TideNet stays within 6.2 cm in storms [tidenet:4]. "
    "It is trained on 14 years of data from 31 gauges [tidenet:3]. "
    "It does not cover rivers with locks [tidenet:5]."
)


@pytest.fixture
def brief(settings: Settings, library: Library) -> Any:
    """Open an assistant with so many tokens an answer."""

    def opened(
        tokens: int, model: Any = None, checkpoints: Path | None = None
    ) -> AbstractAsyncContextManager[Assistant]:
        short = settings.model_copy(update={"answer_tokens": tokens})
        return Assistant.open(short, library, model=model, checkpoints=checkpoints)

    return opened


def writer() -> Scripted:
    """A model that answers one question in three sentences."""
    return Scripted(calls("summarise", paper="tidenet"), WRITTEN)


def texts(answer: Answer) -> list[str]:
    return [sentence.text for sentence in answer.sentences]


async def test_the_whole_is_said_sentence_by_sentence_with_its_footnotes(brief: Any) -> None:
    async with brief(0) as assistant:
        whole = await assistant.ask("a", "summarise TideNet")
    async with brief(35) as assistant:
        parts = [await assistant.ask("a", "summarise TideNet")]
        while "say “more”" in notices(parts[-1]):
            parts.append(await assistant.ask("a", "more"))
            assert len(parts) <= len(texts(whole))
    assert len(parts) >= 3
    assert [t for part in parts for t in texts(part)] == texts(whole)
    assert [c for part in parts for c in part.citations] == list(whole.citations)
    assert all(sum(map(count, texts(p))) <= 35 or len(texts(p)) == 1 for p in parts)
    assert all(sentence.citations for part in parts for sentence in part.sentences)


async def test_a_models_words_go_on_too_without_asking_it_again(brief: Any) -> None:
    model = writer()
    async with brief(14, model) as assistant:
        first = await assistant.ask("a", "Tell me about TideNet")
        asked = len(model.seen)
        second = await assistant.ask("a", "Tell me more.")
        third = await assistant.ask("a", "continue")
    assert texts(first) == ["TideNet stays within 6.2 cm in storms."]
    assert "2 sentences are left: say “more”." in notices(first)
    assert texts(second) == ["It is trained on 14 years of data from 31 gauges."]
    assert "31 gauges" in quotes(second)
    assert texts(third) == ["It does not cover rivers with locks."]
    assert "left" not in notices(third)
    assert second.model == first.model
    assert len(model.seen) == asked


@pytest.mark.parametrize("written", [True, False], ids=["written", "quoted"])
async def test_more_goes_on_after_a_restart(brief: Any, tmp_path: Path, *, written: bool) -> None:
    kept = tmp_path / "history.sqlite"
    async with brief(14, writer() if written else None, kept) as assistant:
        first = await assistant.ask("a", "summarise TideNet")
    async with brief(14, writer() if written else None, kept) as assistant:
        second = await assistant.ask("a", "go on")
    assert second.citations
    assert not set(texts(first)) & set(texts(second))


async def test_another_question_puts_what_was_left_away(brief: Any) -> None:
    async with brief(14) as assistant:
        await assistant.ask("a", "summarise TideNet")
        await assistant.ask("a", "What F1 does NightEar reach?")
        assert notices(await assistant.ask("a", "go on")) == NOTHING


async def test_where_nothing_is_left_a_line_says_so(brief: Any) -> None:
    async with brief(400) as assistant:
        assert notices(await assistant.ask("new", "continue")) == NOTHING
        await assistant.ask("a", "How many gauges was TideNet trained on?")
        assert notices(await assistant.ask("a", "more")) == NOTHING


async def test_more_after_a_list_still_shows_further_papers(brief: Any) -> None:
    async with brief(14) as assistant:
        await assistant.ask("a", "papers about language models on phones")
        more = await assistant.ask("a", "more")
    assert any(isinstance(block, PaperList) for block in more.blocks)
    assert more.tools == ("search",)


async def test_words_over_a_list_go_on_by_other_words_than_the_list(brief: Any) -> None:
    model = Scripted(calls("search", query="harbour water levels"), WRITTEN)
    async with brief(14, model) as assistant:
        first = await assistant.ask("a", "papers about harbour water levels")
        rest = await assistant.ask("a", "go on")
    assert "say “go on”" in notices(first)
    assert texts(rest) == ["It is trained on 14 years of data from 31 gauges."]


async def test_pointing_at_it_still_works_after_more(brief: Any) -> None:
    async with brief(14) as assistant:
        await assistant.ask("a", "summarise TideNet")
        await assistant.ask("a", "more")
        answer = await assistant.ask("a", "How many gauges was it trained on?")
    assert "31 gauges" in quotes(answer)


async def test_chats_have_each_their_own_rest(brief: Any) -> None:
    async with brief(14) as assistant:
        await assistant.ask("a", "summarise TideNet")
        await assistant.ask("b", "summarise NightEar")
        assert "tidenet" in {c.handle for c in (await assistant.ask("a", "more")).citations}
        await assistant.new("b")
        assert notices(await assistant.ask("b", "more")) == NOTHING


async def test_more_after_a_comparison_is_not_more_of_an_earlier_list(brief: Any) -> None:
    async with brief(400) as assistant:
        await assistant.ask("a", "papers about counting birds")
        await assistant.ask("a", "compare QLoRA-7 and QLoRA-8")
        assert notices(await assistant.ask("a", "more")) == NOTHING
