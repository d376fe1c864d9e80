"""Searches by what a person's words ask: narrowed, ordered, and said in a line that can be taken back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import date

import pytest
import time_machine

from bot.answer import Answer, PaperList
from bot.assistant.assistant import Assistant
from bot.assistant.names import Names
from bot.assistant.searching import today_in
from bot.assistant.tools import Tools
from index.library import Library
from index.paper import Paper
from tests.bot.assistant.conftest import Open, notices
from tests.papers import PAPERS

TODAY = date(2025, 7, 3)
AGAIN = Paper(
    id="openreview:TideNet01",
    title="TideNet: Forecasting Harbour Water Levels with Gated Convolutions",
    abstract=PAPERS[0].abstract.replace("some hours", "several hours"),
    authors=("Y. Chen", "J. Müller"),
    published="2022-05-01",
    venue="Harbours 2022",
    links=("https://openreview.net/forum?id=TideNet01",),
)
SURVEY = Paper(
    id="arxiv:2506.00011",
    title="Forecasting Water Levels: A Survey",
    abstract="This survey reviews sixty methods that forecast water levels in harbours and rivers.",
    authors=("Ana Pérez",),
    published="2025-06-20",
)
RIVERS = Paper(
    id="arxiv:2505.00012",
    title="River Levels from Rain Radar with Transformers",
    abstract="A transformer reads rain radar and forecasts water levels of rivers for two days.",
    authors=("Xiaoyu Chen",),
    published="2025-05-02",
)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("shelf"), create=True) as library:
        library.add([*PAPERS, AGAIN, SURVEY, RIVERS])
        yield library


@pytest.fixture
async def talk(open_assistant: Open, shelf: Library) -> AsyncIterator[Assistant]:
    async with open_assistant(library=shelf) as opened:
        yield opened


def listed(answer: Answer) -> list[str]:
    return [p.id for b in answer.blocks if isinstance(b, PaperList) for p in b.items]


async def test_what_is_left_out_is_said_and_does_not_appear(talk: Assistant) -> None:
    first = await talk.ask("a", "papers on forecasting water levels")
    assert {SURVEY.id, RIVERS.id} <= set(listed(first))
    answer = await talk.ask("a", "papers on forecasting water levels without transformers")
    assert RIVERS.id not in listed(answer)
    assert SURVEY.id in listed(answer)
    assert "Leaving out papers on transformers (" in notices(answer)


async def test_a_list_is_narrowed_by_words_and_widened_again(talk: Assistant) -> None:
    await talk.ask("b", "forecasting water levels")
    without = await talk.ask("b", "without surveys")
    assert SURVEY.id not in listed(without)
    assert RIVERS.id in listed(without)
    later = await talk.ask("b", "only since 2025")
    assert listed(later) == [RIVERS.id]
    back = await talk.ask("b", "include surveys again")
    assert set(listed(back)) == {RIVERS.id, SURVEY.id}


async def test_the_newest_are_on_the_topic_and_by_date(talk: Assistant) -> None:
    answer = await talk.ask("c", "latest papers on forecasting water levels")
    assert listed(answer)[:2] == [SURVEY.id, RIVERS.id]
    assert "arxiv:2401.00005" not in listed(answer)
    assert [b.heading for b in answer.blocks if isinstance(b, PaperList)] == ["Newest first"]


async def test_the_papers_of_an_author_are_listed(talk: Assistant) -> None:
    assert listed(await talk.ask("d", "papers by Ana Perez")) == [SURVEY.id]
    assert listed(await talk.ask("d", "papers by xiaoyu chen"))[0] == RIVERS.id
    answer = await talk.ask("d", "papers by Nobody Known")
    assert answer.abstained
    assert "by Nobody Known" in notices(answer)


async def test_two_records_of_a_paper_are_listed_once_with_both_links(talk: Assistant) -> None:
    answer = await talk.ask("e", "harbour water levels by gated convolutions")
    assert len({PAPERS[0].id, AGAIN.id} & set(listed(answer))) == 1
    first = next(b for b in answer.blocks if isinstance(b, PaperList)).items[0]
    both = f"{first.link} {first.reason}"
    assert PAPERS[0].link in both
    assert AGAIN.link in both


async def test_a_misspelt_title_is_offered(talk: Assistant) -> None:
    answer = await talk.ask("f", "Wich Brids Sang: Conting Species from Nigth Recordings")
    assert listed(answer)[0] == "arxiv:2401.00004"
    assert "did you mean “Which Birds Sang" in notices(answer)


def found(shelf: Library, query: str, **more: str | bool) -> set[str]:
    _, artifact = Tools(Names(shelf), lambda: TODAY).search(query, 10, **more)  # type: ignore[arg-type]
    return {paper["id"] for paper in artifact["papers"]}


def test_time_words_count_from_the_day_where_the_person_is(shelf: Library) -> None:
    assert found(shelf, "forecasting water levels last month") == {SURVEY.id}
    assert found(shelf, "forecasting water levels", year="since May") == {SURVEY.id, RIVERS.id}
    assert found(shelf, "this year", newest=True) >= {SURVEY.id, RIVERS.id}
    assert found(shelf, "since June") == {SURVEY.id}


def test_a_list_of_nothing_but_the_newest_is_by_date(shelf: Library) -> None:
    _, artifact = Tools(Names(shelf), lambda: TODAY).search("", 3)
    dates = [paper["published"] for paper in artifact["papers"]]
    assert dates == sorted(dates, reverse=True)
    assert artifact["heading"] == "Newest in the library"


def test_the_day_is_the_day_of_the_time_zone() -> None:
    with time_machine.travel("2025-07-03T20:00:00+00:00", tick=False):
        assert today_in("UTC")() == TODAY
        assert today_in("Asia/Tokyo")() == date(2025, 7, 4)
