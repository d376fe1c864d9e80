"""Questions about many papers at once, and how a summary is to be told."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.answer import PaperCard, PaperList
from bot.assistant.assistant import Assistant
from bot.assistant.router import route
from bot.assistant.screen import Screen
from index.library import Library
from index.paper import Paper
from tests.bot.assistant.conftest import Open, notices, quotes, said


@pytest.mark.parametrize(
    ("text", "tool", "args"),
    [
        ("summarise TideNet in one line", "summarise", {"paper": "TideNet", "style": "line"}),
        ("explain TideNet to a beginner", "summarise", {"style": "newcomer"}),
        ("in plain words, what is TideNet about?", "summarise", {"style": "newcomer"}),
        ("explain dropout as the papers use it", "explain", {"term": "dropout"}),
        (
            "what is meant by catastrophic forgetting?",
            "explain",
            {"term": "catastrophic forgetting"},
        ),
        ("define self-attention", "explain", {"term": "self-attention"}),
        ("do the papers agree that dropout helps?", "survey", {"topic": "dropout helps"}),
        ("what do the papers say about tides?", "survey", {"topic": "tides"}),
        ("how many papers mention phones?", "survey", {"topic": "phones"}),
        ("is there a consensus on pruning?", "survey", {"topic": "pruning"}),
        ("which papers contrast with TideNet?", "contrast", {"paper": "TideNet"}),
        ("alternatives to TideNet", "contrast", {"paper": "TideNet"}),
        ("papers that take a different approach than TideNet", "contrast", {"paper": "TideNet"}),
    ],
)
def test_what_is_asked_is_understood(text: str, tool: str, args: dict[str, str]) -> None:
    found = route(text, Screen(), lambda name: "tidenet" if name == "TideNet" else "")
    assert found.tool == tool
    assert args.items() <= found.args.items()


async def test_one_line_is_one_sentence(assistant: Assistant) -> None:
    answer = await assistant.ask("a", "summarise TideNet in one sentence")
    (card,) = [block for block in answer.blocks if isinstance(block, PaperCard)]
    assert len(card.facets) == 1
    assert "TideNet" in card.facets[0][1].text


async def test_a_term_is_told_by_the_paper_that_explains_it_first(assistant: Assistant) -> None:
    answer = await assistant.ask("a", "what is meant by MMLU?")
    assert "papers use “MMLU”" in notices(answer)
    assert "MMLU" in quotes(answer)


async def test_a_term_nobody_uses_is_said_to_be_used_by_nobody(assistant: Assistant) -> None:
    answer = await assistant.ask("a", "what is meant by zeugma?")
    assert answer.abstained
    assert "uses “zeugma”" in notices(answer)


async def test_a_survey_counts_who_speaks_to_it(assistant: Assistant) -> None:
    answer = await assistant.ask("a", "what do the papers say about adapting models on phones?")
    assert "2 papers speak to it" in notices(answer)
    assert {
        c.handle.removeprefix("chen2022").removeprefix("obi2023") for c in answer.citations
    } == {
        "qlora7",
        "qlora8",
    }


async def test_papers_that_say_the_opposite_of_the_same_thing_are_set_against_each_other(
    open_assistant: Open, tmp_path: Path
) -> None:
    def paper(name: str, text: str) -> Paper:
        return Paper(id=f"text:{name}", title=f"Kelp and light, {name}", abstract=text)

    with Library.open(tmp_path / "kelp", create=True) as library:
        library.add(
            [
                paper("north", "Shade increases the growth of kelp forests in cold water."),
                paper("south", "Shade reduces the growth of kelp forests in warm water."),
                paper("east", "Kelp forests hold many fish."),
            ]
        )
        async with open_assistant(library=library) as assistant:
            answer = await assistant.ask("a", "do the papers agree on shade and kelp?")
    assert "“increases” where" in said(answer) or "“reduces” where" in said(answer)
    assert "In one place they plainly differ" in notices(answer)


async def test_what_contrasts_shares_the_problem_and_says_its_own_way(
    assistant: Assistant,
) -> None:
    answer = await assistant.ask("a", "which papers contrast with QLoRA-8?")
    lists = [block for block in answer.blocks if isinstance(block, PaperList)]
    assert lists
    assert all(item.handle != "qlora8" for block in lists for item in block.items)
    if not answer.abstained:
        assert all("another way" in item.reason for item in lists[0].items)


def test_to_contrast_two_papers_is_to_compare_them() -> None:
    found = route(
        "contrast TideNet and QLoRA-7",
        Screen(),
        lambda name: name.casefold() if " " not in name else "",
    )
    assert found.tool == "compare"
    assert found.args["papers"] == ["TideNet", "QLoRA-7"]
