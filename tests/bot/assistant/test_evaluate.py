"""What is reported of questions whose answers are known."""

from __future__ import annotations

from typing import Any

from bot.assistant.evaluate import evaluate, report
from index.library import Library
from tests.bot.assistant.conftest import Open
from tests.bot.assistant.scripted import Scripted

QUESTIONS: list[dict[str, Any]] = [
    {"kind": "fact", "q": "How many gauges was TideNet trained on?", "seed": [1], "must": ["31"]},
    {"kind": "fact", "q": "What is the boiling point of ethanol?", "seed": [1], "must": ["31"]},
    {"kind": "none", "q": "Who won the football world cup?"},
    {"kind": "none", "q": "How many gauges was TideNet trained on?"},
]


async def test_right_answers_refusals_and_their_time_are_told_by_kind(
    open_assistant: Open, library: Library
) -> None:
    async with open_assistant() as assistant:
        rows = await evaluate(assistant, library, QUESTIONS)
    found = report(rows)
    assert found["kinds"] == {
        "fact": {"right": 1, "of": 2, "accuracy": 0.5},
        "none": {"right": 1, "of": 2, "accuracy": 0.5},
    }
    assert found["abstention"] == {"precision": 0.5, "recall": 0.5}
    assert found["citations"]["of"] == sum(len(row.answer.citations) for row in rows) > 0
    assert found["citations"]["precision"] == 1.0
    times = sorted(row.seconds for row in rows)
    assert found["p95_s"] == round(times[-1], 3)
    assert found["p50_s"] == round(times[2], 3)
    assert found["tokens"] == {"input": 0, "cached": 0, "output": 0}, "quotations cost nothing"


async def test_the_tokens_of_a_chat_model_are_added_up(
    open_assistant: Open, library: Library
) -> None:
    async with open_assistant(Scripted("Nothing to say.")) as assistant:
        rows = await evaluate(assistant, library, QUESTIONS[:2])
    tokens = report(rows)["tokens"]
    assert tokens["input"] == sum(s.input for row in rows for s in row.answer.spent) > 0
    assert tokens["output"] > 0


def test_of_no_questions_nothing_is_claimed() -> None:
    found = report([])
    assert (found["questions"], found["p50_s"], found["p95_s"]) == (0, None, None)
    assert found["citations"] == {"of": 0, "precision": None}
