"""Searches that are remembered: never of papers that have come or left since."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.assistant.remembered import Searches
from index.library import Library
from index.paper import Paper
from tests.bot.assistant.conftest import Open, quotes
from tests.bot.assistant.scripted import Scripted, calls
from tests.papers import PAPERS

ASKED = "How many buoys does WaveDesk listen to?"
PAPER = Paper(
    id="arxiv:2605.00009",
    title="WaveDesk: Reading the Sea from Buoys",
    abstract="WaveDesk listens to 44 buoys. It tells the height of waves an hour ahead.",
    authors=("Ann Other",),
    published="2026-05-02",
)


@pytest.fixture
def changing(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "changing", create=True) as library:
        library.add(PAPERS[:3])
        yield library


async def test_a_question_asked_again_is_answered_from_what_came_since(
    open_assistant: Open, changing: Library
) -> None:
    async with open_assistant(library=changing) as assistant:
        assert "44 buoys" not in quotes(await assistant.ask("ada", ASKED))
        changing.add([PAPER])
        assert "44 buoys" in quotes(await assistant.ask("ada", ASKED))
        changing.delete([PAPER.id])
        assert "44 buoys" not in quotes(await assistant.ask("ada", ASKED))


async def test_a_model_reads_a_paper_as_it_is_now(open_assistant: Open, changing: Library) -> None:
    changing.add([PAPER])
    corrected = PAPER.abstract.replace("an hour", "two hours")
    model = Scripted(
        calls("summarise", paper="wavedesk"), "WaveDesk listens to 44 buoys [wavedesk:1]."
    )
    async with open_assistant(model, library=changing) as assistant:
        await assistant.ask("ada", "Summarise WaveDesk")
        assert "an hour ahead" in model.seen[-1][-1].text
        changing.add([replace(PAPER, abstract=corrected, updated="2026-05-09")])
        await assistant.ask("ada", ASKED)
        assert any("two hours ahead" in message.text for message in model.seen[-1])


@pytest.mark.parametrize("query", ["tides", "TideNet", "forecasting from gauges", "NightEar"])
def test_what_is_remembered_is_what_a_search_finds(library: Library, query: str) -> None:
    search = Searches(library)
    for k in (12, 3, 6, 3, 20):
        assert search(query, k) == library.search(query, k)


def test_a_paper_that_was_corrected_is_found_as_it_is_now(changing: Library) -> None:
    changing.add([PAPER])
    search = Searches(changing)
    assert search("buoys", 3)[0].paper.abstract == PAPER.abstract
    corrected = replace(PAPER, abstract=PAPER.abstract.replace("44", "45"), updated="2026-05-09")
    assert changing.add([corrected]).updated == 1
    assert search("buoys", 3)[0].paper.abstract == corrected.abstract
