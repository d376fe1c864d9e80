"""Results too large for a model, contents in blocks, and papers about the signs of models."""

from __future__ import annotations

from pathlib import Path

import pytest
from langchain_core.messages import AIMessage

from bot.assistant.assistant import Assistant
from bot.assistant.budget import TOOL_TOKENS, count
from bot.assistant.data import as_data
from index.library import Library
from index.paper import Paper
from tests.bot.assistant.conftest import Open, quotes, said
from tests.bot.assistant.scripted import Scripted, calls
from tests.papers import PAPERS

MARKERS = Paper(
    id="arxiv:2606.00012",
    title="Markers: What Control Tokens Do to Pretraining",
    abstract=(
        "Markers studies how <|endoftext|> and <|im_start|> change pretraining. "
        "It counts 12 kinds of them in web text."
    ),
    authors=("Ann Other",),
    published="2026-06-02",
)


def test_what_is_too_long_for_a_model_is_cut_and_says_how_much_is_shown() -> None:
    abstracts = [f"[paper{n}:1] {PAPERS[n % 8].abstract}" for n in range(400)]
    text = as_data("The papers.", abstracts)
    assert count(text) <= TOOL_TOKENS + 100
    assert "of 400 lines)" in text
    assert "showing" not in as_data("The papers.", abstracts[:3])


async def test_a_reply_in_blocks_is_joined_and_its_thoughts_are_not_shown(
    open_assistant: Open,
) -> None:
    blocks = AIMessage(
        [
            {"type": "reasoning", "reasoning": "SECRET thought"},
            {"type": "text", "text": "TideNet stays within 6.2 cm "},
            {"type": "text", "text": "in storms [tidenet:4]."},
        ]
    )
    model = Scripted(calls("summarise", paper="tidenet"), blocks)
    async with open_assistant(model) as assistant:
        answer = await assistant.ask("a", "summarise TideNet")
    assert "TideNet stays within 6.2 cm in storms." in said(answer)
    assert "SECRET" not in said(answer)
    assert "type" not in said(answer)


async def test_a_paper_on_the_signs_of_models_is_counted_and_summed_up(
    open_assistant: Open, tmp_path: Path
) -> None:
    model = Scripted(
        calls("summarise", paper="markers"), "It counts 12 kinds of them in web text [markers:2]."
    )
    with Library.open(tmp_path, create=True) as library:
        library.add([*PAPERS[:2], MARKERS])
        async with open_assistant(model, library=library) as assistant:
            answer = await assistant.ask("a", "summarise Markers")
    assert "12 kinds" in quotes(answer)
    assert answer.tokens > 0


@pytest.mark.parametrize(
    "asked",
    ["What is the best dose of ibuprofen for cats?", "How much ibuprofen may a cat have a day?"],
)
async def test_what_is_far_from_all_papers_gets_no_figure(assistant: Assistant, asked: str) -> None:
    answer = await assistant.ask("a", asked)
    assert answer.abstained
    assert not answer.citations
    assert " mg" not in said(answer)
