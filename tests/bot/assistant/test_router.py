"""What each kind of message asks for, in many phrasings."""

from __future__ import annotations

from typing import Any

import pytest

from bot.assistant.artifacts import FoundPaper
from bot.assistant.router import route
from bot.assistant.screen import Screen

A, B, C = (FoundPaper(id=f"arxiv:{n}", handle=n, title=t) for n, t in (
    ("tidenet", "TideNet: Forecasting Harbour Water Levels"),
    ("nightear", "Counting Birds by Night"),
    ("fieldpick", "Fewer Labels for Crop Maps"),
))  # fmt: skip
LIST = Screen(
    listed=(A, B, C), earlier=(A, B, C), tool="search", query="maps", search="maps", scope={}
)
ONE = Screen(focus=(B,), listed=(A, B, C), earlier=(B, A, C), tool="summarise", query="nightear")
NAMES = {
    "tidenet": "tidenet",
    "TideNet": "tidenet",
    "NightEar": "nightear",
    "FieldPick": "fieldpick",
}


def known(name: str) -> str:
    return NAMES.get(name.strip(), "")


def asked(text: str, screen: Screen = Screen()) -> tuple[str, dict[str, Any]]:  # noqa: B008
    found = route(text, screen, known)
    return found.tool, found.args


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("papers on diffusion policies", "diffusion policies"),
        ("Find me some work about tide forecasting", "tide forecasting"),
        ("which paper is about counting birds?", "counting birds"),
        ("Which of these papers studies crop yield prediction?", "crop yield prediction"),
        ("is there anything on watermarking?", "watermarking"),
        ("do you have papers about GPS data", "GPS data"),
        ("I'm looking for literature on robot grasping", "robot grasping"),
        ("could you please find papers about tides", "tides"),
        ("theory of softmax versus linear attention", "theory of softmax versus linear attention"),
        ("TideNet", "TideNet"),
        ("what papers deal with label noise?", "label noise"),
        ("who works on bird song?", "bird song"),
        ("how tides shape harbours", "how tides shape harbours"),
    ],
)
def test_a_topic_is_searched_for_without_the_words_around_it(text: str, query: str) -> None:
    assert asked(text) == ("search", {"query": query})


@pytest.mark.parametrize(
    ("text", "paper"),
    [
        ("summarise TideNet", "TideNet"),
        ("Summarize the MUSE paper", "the MUSE paper"),
        ("Give me the gist of the law of tides", "the law of tides"),
        ("tl;dr of TideNet", "TideNet"),
        ("what is TideNet about?", "TideNet"),
        ("tell me about TideNet", "TideNet"),
        ("What is TideNet?", "TideNet"),
        ("key points of TideNet please", "TideNet"),
    ],
)
def test_a_summary_is_asked_for_in_many_words(text: str, paper: str) -> None:
    assert asked(text) == ("summarise", {"paper": paper})


@pytest.mark.parametrize(
    ("text", "papers"),
    [
        ("Compare TideNet with NightEar", ["TideNet", "NightEar"]),
        ("compare TideNet and NightEar", ["TideNet", "NightEar"]),
        ("How does TideNet differ from NightEar?", ["TideNet", "NightEar"]),
        ("what's the difference between TideNet and NightEar", ["TideNet", "NightEar"]),
        ("TideNet vs NightEar", ["TideNet", "NightEar"]),
        ("compare TideNet, NightEar and FieldPick", ["TideNet", "NightEar", "FieldPick"]),
    ],
)
def test_a_comparison_is_asked_for_in_many_words(text: str, papers: list[str]) -> None:
    assert asked(text) == ("compare", {"papers": papers})


@pytest.mark.parametrize(
    "text",
    [
        "How does TideNet differ from harmonic tables?",
        "How does TideNet compare with tide tables?",
        "How many gauges does TideNet use in its comparison with tables?",
    ],
)
def test_a_question_that_compares_with_no_paper_stays_a_question(text: str) -> None:
    assert asked(text) == ("answer", {"question": text})


@pytest.mark.parametrize(
    ("text", "paper"),
    [
        ("papers like TideNet", "TideNet"),
        ("more like TideNet", "TideNet"),
        ("find papers similar to TideNet", "TideNet"),
        ("what else is similar to TideNet?", "TideNet"),
        ("which papers resemble TideNet?", "TideNet"),
        ("Papers like the one on concise reasoning", "the one on concise reasoning"),
        ("recommend something like TideNet", "TideNet"),
    ],
)
def test_similar_papers_are_asked_for_in_many_words(text: str, paper: str) -> None:
    assert asked(text) == ("similar", {"paper": paper})


@pytest.mark.parametrize(
    ("text", "tool", "args"),
    [
        ("summarise the second one", "summarise", {"paper": "nightear"}),
        ("2", "summarise", {"paper": "nightear"}),
        ("the last one", "summarise", {"paper": "fieldpick"}),
        ("more like the first", "similar", {"paper": "tidenet"}),
        ("compare the first and last", "compare", {"papers": ["tidenet", "fieldpick"]}),
        ("compare the first two", "compare", {"papers": ["tidenet", "nightear"]}),
        ("compare 1 and 3", "compare", {"papers": ["tidenet", "fieldpick"]}),
        ("compare all of them", "compare", {"papers": ["tidenet", "nightear", "fieldpick"]}),
        ("compare the second with TideNet", "compare", {"papers": ["nightear", "TideNet"]}),
        ("summarise the TideNet one", "summarise", {"paper": "tidenet"}),
        ("the paper on crop maps", "summarise", {"paper": "fieldpick"}),
        ("who wrote the third paper?", "show", {"paper": "fieldpick"}),
        ("what does the second one use?", "answer",
         {"question": "what does the second one use?", "papers": ["nightear"]}),
        ("only 2025", "search", {"query": "maps", "year": "2025"}),
        ("just the ICLR ones", "search", {"query": "maps", "venue": "ICLR"}),
        ("only since 2023", "search", {"query": "maps", "year": "since 2023"}),
        ("more", "search", {"query": "maps", "k": 10}),
        ("without surveys", "search", {"query": "maps without surveys"}),
        ("no surveys please", "search", {"query": "maps no surveys"}),
        ("not on satellites", "search", {"query": "maps not on satellites"}),
        ("exclude wheat and maize", "search", {"query": "maps exclude wheat and maize"}),
        ("since March", "search", {"query": "maps since March"}),
        ("only from last month", "search", {"query": "maps only from last month"}),
        ("just the last two weeks", "search", {"query": "maps just the last two weeks"}),
        ("newest first", "search", {"query": "maps newest first"}),
        ("only by Yu Chen", "search", {"query": "maps", "author": "Yu Chen"}),
        ("papers by Yu Chen", "search", {"query": "by Yu Chen"}),
    ],
)  # fmt: skip
def test_places_in_the_list_are_resolved(text: str, tool: str, args: dict[str, Any]) -> None:
    assert asked(text, LIST) == (tool, args)


@pytest.mark.parametrize(
    ("search", "text", "query"),
    [
        ("maps without surveys", "include surveys", "maps"),
        ("maps without surveys since 2024", "with surveys too", "maps since 2024"),
        ("maps without surveys or wheat", "include them again", "maps"),
        ("maps since 2024", "any year", "maps"),
        ("maps without surveys", "only since 2023", "maps without surveys"),
    ],
)
def test_what_was_left_out_can_be_taken_back(search: str, text: str, query: str) -> None:
    screen = Screen(listed=(A, B), earlier=(A, B), tool="search", query=search, search=search)
    tool, args = asked(text, screen)
    assert (tool, args["query"]) == ("search", query)


@pytest.mark.parametrize(
    ("text", "tool", "args"),
    [
        ("who wrote it?", "show", {"paper": "nightear"}),
        ("link", "show", {"paper": "nightear"}),
        ("when was it published?", "show", {"paper": "nightear"}),
        ("more like this", "similar", {"paper": "nightear"}),
        ("compare it with TideNet", "compare", {"papers": ["nightear", "TideNet"]}),
        ("what about the first?", "summarise", {"paper": "tidenet"}),
        ("and FieldPick?", "summarise", {"paper": "FieldPick"}),
        ("how many nights did they record?", "answer",
         {"question": "how many nights did they record?", "papers": ["nightear"]}),
    ],
)  # fmt: skip
def test_it_is_what_the_last_reply_was_about(text: str, tool: str, args: dict[str, Any]) -> None:
    assert asked(text, ONE) == (tool, args)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("what's new?", ""),
        ("latest papers on tides", "tides"),
        ("anything new", ""),
        ("what's new this week", "this week"),
        ("what's new on tides since March?", "tides since March"),
        ("latest papers on tides without surveys", "tides without surveys"),
    ],
)
def test_what_is_new_is_listed_by_date(text: str, query: str) -> None:
    assert asked(text) == ("search", {"query": query, "newest": True})


@pytest.mark.parametrize("text", ["summarise the fifth one", "compare 1 and 9"])
def test_a_place_beyond_the_list_is_asked_back(text: str) -> None:
    found = route(text, LIST, known)
    assert found.asks
    assert "3 papers" in found.say


@pytest.mark.parametrize(
    ("year", "first", "last"),
    [
        ("2025", 2025, 2025),
        ("2023..2025", 2023, 2025),
        ("2024..", 2024, None),
        ("since 2024", 2024, None),
        ("before 2020", None, 2019),
        ("newer than 2022", 2023, None),
        ("..2020", None, 2020),
    ],
)
def test_years_are_read_as_people_write_them(
    year: str, first: int | None, last: int | None
) -> None:
    from bot.assistant.searching import years_of

    assert years_of(year) == (first, last)
