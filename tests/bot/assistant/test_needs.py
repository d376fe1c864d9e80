"""Which of several papers is for me: told only with the paper's own words."""

from __future__ import annotations

import pytest

from bot.answer import Comparison, Prose
from bot.assistant.assistant import Assistant
from bot.assistant.needs import need_of, reason
from tests.papers import PAPERS


@pytest.mark.parametrize(
    ("said", "need"),
    [
        ("which for a small lab?", "a small lab"),
        ("Which of them would suit a phone", "a phone"),
        ("which one should I use for noisy recordings?", "noisy recordings"),
        ("what would you recommend for real-time use?", "real-time use"),
        ("which papers are about tides?", ""),
        ("what is it good for?", ""),
        ("compare the two", ""),
    ],
)
def test_a_need_is_heard(said: str, need: str) -> None:
    assert need_of(said) == need


def test_a_reason_is_a_sentence_of_the_paper_and_none_is_made_up() -> None:
    qlora, tidenet = PAPERS[1], PAPERS[0]
    found = reason(qlora, "a small lab")
    assert found
    assert found.text in qlora.abstract
    assert reason(tidenet, "many languages") is None


async def test_the_two_on_the_screen_are_weighed_for_a_need(assistant: Assistant) -> None:
    await assistant.ask("a", "compare TideNet and QLoRA-7")
    answer = await assistant.ask("a", "which for a phone?")
    (said,) = [b for b in answer.blocks if isinstance(b, Prose)]
    (sentence,) = said.sentences
    assert "qlora7" in sentence.text.casefold().replace("-", "")
    assert "phone" in sentence.citations[0].quote.casefold()
    (table,) = [b for b in answer.blocks if isinstance(b, Comparison)]
    row = next(row for row in table.rows if row.facet == "for a phone")
    assert row.cells[0] is None, "TideNet says nothing of phones: not stated"


async def test_the_order_of_the_papers_changes_nothing_but_the_columns(
    assistant: Assistant,
) -> None:
    one = await assistant.ask("a", "compare QLoRA-7 and QLoRA-8")
    other = await assistant.ask("b", "compare QLoRA-8 and QLoRA-7")
    (first,) = [b for b in one.blocks if isinstance(b, Comparison)]
    (second,) = [b for b in other.blocks if isinstance(b, Comparison)]
    assert [row.facet for row in first.rows] == [row.facet for row in second.rows]
    for mine, theirs in zip(first.rows, second.rows, strict=True):
        assert mine.cells == tuple(reversed(theirs.cells))
