"""Conversations with the assistant that needs no key: what it finds, quotes, resolves and refuses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.answer import Actions, Answer, Comparison, PaperCard, PaperList, Prose
from bot.assistant.assistant import Assistant, Working
from index.library import Library
from tests.bot.assistant.conftest import Open, notices, quotes
from tests.bot.assistant.scripted import Scripted, calls

SEVEN, EIGHT = "chen2022qlora7", "obi2023qlora8"


def listed(answer: Answer) -> list[str]:
    return [p.handle for b in answer.blocks if isinstance(b, PaperList) for p in b.items]


def compared(answer: Answer) -> list[str]:
    return [p.handle for b in answer.blocks if isinstance(b, Comparison) for p in b.papers]


def carded(answer: Answer) -> str:
    return next((b.item.handle for b in answer.blocks if isinstance(b, PaperCard)), "")


@pytest.mark.parametrize(
    ("question", "handle"),
    [
        ("papers on counting birds", "nightear"),
        ("which paper is about crops seen from satellites?", "fieldpick"),
        ("robot grasping", "safegrip"),
        ("TideNet", "tidenet"),
        ("I'm looking for work on harbour water levels", "tidenet"),
        ("do you have anything about gradient noise", "kops2020theory"),
    ],
)
async def test_a_topic_or_a_name_finds_its_paper_first(
    assistant: Assistant, question: str, handle: str
) -> None:
    answer = await assistant.ask("a", question)
    assert answer.tools == ("search",)
    assert listed(answer)[0] == handle
    assert not answer.abstained


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How many gauges was TideNet trained on?", "31 gauges"),
        ("What F1 does NightEar reach?", "F1 of 0.81"),
        ("On how many nights was NightEar tested?", "212 nights"),
        ("How long does it take to adapt a model with QLoRA-8?", "47 minutes"),
        ("In which countries was FieldPick tried?", "Kenya and France"),
        ("What does SafeGrip learn first?", "critic of slippage"),
        ("how many objects did SafeGrip break?", "broke two objects"),
    ],
)
async def test_a_question_is_answered_by_the_sentence_that_says_it(
    assistant: Assistant, question: str, words: str
) -> None:
    answer = await assistant.ask("a", question)
    assert words in quotes(answer)
    assert not answer.abstained


@pytest.mark.parametrize(
    "question",
    [
        "What is the boiling point of ethanol?",
        "What batch size did TideNet use?",
        "How many GPUs does NightEar need?",
        "Which optimizer does SafeGrip use?",
        "Which of these papers studies protein folding?",
        "papers about medieval poetry",
        "What is the BLEU score of FieldPick?",
        "Who invented the telephone?",
        "How does the ZXQ-41 protocol work?",
        "What does SafeGrip cost in dollars?",
    ],
)
async def test_what_no_paper_says_is_not_answered(assistant: Assistant, question: str) -> None:
    answer = await assistant.ask("a", question)
    assert answer.abstained
    assert not answer.citations


async def test_a_near_paper_that_does_not_say_is_named_as_nearest(assistant: Assistant) -> None:
    answer = await assistant.ask("a", "What batch size did TideNet use?")
    assert "does not say" in notices(answer)
    assert listed(answer) == ["tidenet"]


async def test_a_summary_quotes_problem_method_and_the_figures(assistant: Assistant) -> None:
    answer = await assistant.ask("a", "Give me the gist of TideNet")
    assert carded(answer) == "tidenet"
    assert "gated convolutional network" in quotes(answer)
    assert "38%" in quotes(answer)
    assert 3 <= len(answer.citations) <= 5


async def test_a_comparison_has_a_row_a_facet_and_cites_both(assistant: Assistant) -> None:
    answer = await assistant.ask("a", "How does TideNet differ from NightEar?")
    assert compared(answer) == ["tidenet", "nightear"]
    assert {c.handle for c in answer.citations} == {"tidenet", "nightear"}


async def test_similar_papers_never_hold_the_paper_itself(assistant: Assistant) -> None:
    answer = await assistant.ask("a", "papers like QLoRA-7")
    assert SEVEN not in listed(answer)
    assert listed(answer)[0] == EIGHT


async def test_who_wrote_it_is_answered_from_the_record(assistant: Assistant) -> None:
    await assistant.ask("a", "summarise NightEar")
    answer = await assistant.ask("a", "who wrote it?")
    (card,) = (b for b in answer.blocks if isinstance(b, PaperCard))
    assert card.item.authors == ("Maria José Lévy",)


async def test_a_withdrawn_paper_is_flagged_before_any_claim(assistant: Assistant) -> None:
    answer = await assistant.ask("a", "How accurate is the waste sorter with one camera?")
    assert "was withdrawn" in notices(answer)
    first = answer.blocks[0]
    assert not isinstance(first, Prose)


async def test_ten_turns_keep_their_thread(assistant: Assistant) -> None:
    async def ask(text: str) -> Answer:
        return await assistant.ask("a", text)

    first = await ask("language models on phones")
    assert listed(first)[:2] in ([SEVEN, EIGHT], [EIGHT, SEVEN])
    second = listed(first)[1]
    assert carded(await ask("summarise the second one")) == second
    minutes = await ask("how many minutes does it take?")
    assert "minutes" in quotes(minutes)
    assert {c.handle for c in minutes.citations} == {second}
    assert set(compared(await ask("compare the first and last"))) == {SEVEN, EIGHT}
    assert carded(await ask("2")) == second
    assert second not in listed(await ask("more like this"))
    assert (await ask("thanks!")).tools == ()
    assert carded(await ask("what is the TideNet paper about?")) == "tidenet"
    assert "31 gauges" in quotes(await ask("and how many gauges did they use?"))


async def test_it_can_be_compared_with_another(assistant: Assistant) -> None:
    await assistant.ask("a", "summarise TideNet")
    assert compared(await assistant.ask("a", "compare it with NightEar")) == ["tidenet", "nightear"]


async def test_what_about_asks_the_same_of_another_paper(assistant: Assistant) -> None:
    await assistant.ask("a", "On how many phones was QLoRA-7 tried?")
    answer = await assistant.ask("a", "what about QLoRA-8?")
    assert {c.handle for c in answer.citations} == {EIGHT}


async def test_a_list_can_be_narrowed(assistant: Assistant) -> None:
    await assistant.ask("a", "language models on phones")
    answer = await assistant.ask("a", "only 2023")
    assert listed(answer) == [EIGHT]


@pytest.mark.parametrize("text", ["summarise the second one", "compare both", "what is it about?"])
async def test_what_points_nowhere_is_asked_back(assistant: Assistant, text: str) -> None:
    answer = await assistant.ask("a", text)
    assert answer.tools == ()
    assert "?" in notices(answer)


async def test_after_new_nothing_is_on_the_screen(assistant: Assistant) -> None:
    await assistant.ask("a", "language models on phones")
    await assistant.new("a")
    assert "Which paper" in notices(await assistant.ask("a", "summarise the second one"))


@pytest.mark.parametrize(
    "text", ["hello", "thanks a lot!", "what can you do?", "who are you?", "👍", "ok great"]
)
async def test_small_talk_gets_one_line(assistant: Assistant, text: str) -> None:
    answer = await assistant.ask("a", text)
    assert answer.tools == ()
    assert notices(answer)
    assert not answer.abstained


@pytest.mark.parametrize(
    "text",
    [
        "Какие статьи о приливах?",
        "潮位の論文",
        "Welche Artikel gibt es über das Wetter?",
        "¿Qué artículos hay sobre las mareas?",
    ],
)
async def test_another_language_is_not_guessed_at(assistant: Assistant, text: str) -> None:
    answer = await assistant.ask("a", text)
    assert answer.tools == ()
    assert "English" in notices(answer)


async def test_that_it_only_quotes_is_said_once_a_conversation(assistant: Assistant) -> None:
    first = await assistant.ask("a", "summarise TideNet")
    second = await assistant.ask("a", "summarise NightEar")
    assert "CHAT_MODEL" in notices(first)
    assert "CHAT_MODEL" not in notices(second)


async def test_every_quotation_is_verbatim(assistant: Assistant, library: Library) -> None:
    for text in (
        "summarise QLoRA-7",
        "compare TideNet and SafeGrip",
        "What F1 does NightEar reach?",
    ):
        for citation in (await assistant.ask("a", text)).citations:
            paper = library.get(citation.paper_id)
            assert paper is not None
            assert citation.quote in paper.abstract
            assert paper.abstract[citation.start :].startswith(citation.quote)


async def test_a_command_decides_the_tool(assistant: Assistant) -> None:
    answer = await assistant.ask(
        "a", "summarise safegrip", call=("summarise", {"paper": "safegrip"})
    )
    assert carded(answer) == "safegrip"


async def test_lists_offer_what_to_do_next(assistant: Assistant) -> None:
    answer = await assistant.ask("a", "TideNet")
    (actions,) = (b for b in answer.blocks if isinstance(b, Actions))
    assert {a.verb for a in actions.items} >= {"summary"}


async def test_an_empty_library_says_how_to_fill_it(open_assistant: Open, tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as empty:
        async with open_assistant(library=empty) as assistant:
            answer = await assistant.ask("a", "tides")
    assert "index add" in notices(answer)


async def test_a_conversation_survives_a_restart(open_assistant: Open, tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    async with open_assistant(checkpoints=path) as assistant:
        first = await assistant.ask("a", "language models on phones")
    async with open_assistant(checkpoints=path) as assistant:
        answer = await assistant.ask("a", "summarise the second one")
    assert carded(answer) == listed(first)[1]
    assert "CHAT_MODEL" not in notices(answer)


async def test_a_conversation_killed_inside_a_tool_goes_on(
    open_assistant: Open, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "history.sqlite"
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()

    def hangs(*_: Any, **__: Any) -> None:
        loop.call_soon_threadsafe(begun.set)
        raise asyncio.CancelledError

    with monkeypatch.context() as patched:
        patched.setattr(library, "search", hangs)
        async with open_assistant(checkpoints=path) as assistant:
            await assistant.ask("a", "tides")
    assert begun.is_set()
    model = Scripted(calls("search", query="harbour water levels"), "See the list.")
    async with open_assistant(model, checkpoints=path) as assistant:
        answer = await assistant.ask("a", "harbour water levels")
    assert listed(answer) == ["tidenet"]
    history = model.seen[0]
    called = {c["id"] for m in history for c in getattr(m, "tool_calls", ())}
    results = {getattr(m, "tool_call_id", None) for m in history} - {None}
    assert called == results


async def test_a_turn_can_be_cancelled_and_the_next_one_works(
    open_assistant: Open, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    inside, leave = threading.Event(), threading.Event()
    search = library.search

    def slow(*args: Any, **more: Any) -> Any:
        inside.set()
        leave.wait(20)
        return search(*args, **more)

    monkeypatch.setattr(library, "search", slow)
    async with open_assistant() as assistant:
        assert not assistant.cancel("a")
        turn = asyncio.create_task(assistant.ask("a", "harbour water levels"))
        await asyncio.to_thread(inside.wait, 20)
        assert assistant.cancel("a")
        assert notices(await turn) == "Stopped."
        leave.set()
        assert listed(await assistant.ask("a", "harbour water levels")) == ["tidenet"]


async def test_chats_run_side_by_side_and_each_in_its_order(assistant: Assistant) -> None:
    answers = await asyncio.gather(
        assistant.ask("a", "summarise TideNet"),
        assistant.ask("a", "who wrote it?"),
        assistant.ask("b", "summarise NightEar"),
        assistant.ask("b", "who wrote it?"),
    )
    assert [carded(a) for a in answers] == ["tidenet", "tidenet", "nightear", "nightear"]


async def test_a_turn_ends_in_time(
    open_assistant: Open, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    leave = threading.Event()
    monkeypatch.setattr(library, "search", lambda *_, **__: leave.wait(20) and [])
    async with open_assistant(seconds=0.2) as assistant:
        answer = await assistant.ask("a", "harbour water levels")
        leave.set()
    assert "longer than" in notices(answer)


async def test_the_stream_says_what_is_done_and_ends_with_the_answer(
    assistant: Assistant,
) -> None:
    stream: AsyncIterator[Any] = assistant.stream("a", "summarise TideNet")
    events = [event async for event in stream]
    assert events[0] == Working("Reading")
    assert isinstance(events[-1], Answer)
    assert tuple(events[1:-1]) == events[-1].blocks


async def test_the_file_of_the_history_does_not_grow_by_a_checkpoint_a_step(
    open_assistant: Open, tmp_path: Path
) -> None:
    import sqlite3

    path = tmp_path / "history.sqlite"
    async with open_assistant(checkpoints=path) as assistant:
        for _ in range(4):
            await assistant.ask("a", "summarise TideNet")
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM checkpoints").fetchone() == (1,)


async def test_a_long_message_and_strange_signs_are_answered(assistant: Assistant) -> None:
    for text in (
        "tide " * 1500,
        "<|endoftext|>",
        "'; DROP TABLE papers; --",
        "[[[",
        "\\frac{a}{b}",
    ):
        assert (await assistant.ask("a", text)).blocks
