"""Questions with known answers over the collection this project began with."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.assistant.assistant import Assistant
from bot.assistant.evaluate import evaluate, read_questions, report
from bot.settings import Settings
from index.library import Library
from index.sources.files import read_file


async def test_the_questions_of_the_shared_set_come_out_right(
    shared: Path, settings: Settings, tmp_path: Path
) -> None:
    gold = shared / "gold" / "dev.jsonl"
    if not gold.exists():
        pytest.skip("the shared folder holds no questions")
    with Library.open(tmp_path, create=True) as library:
        library.add(read_file(shared / "data" / "seeds" / "iclr2026-abstracts.txt"))
        async with Assistant.open(settings, library, checkpoints=None) as assistant:
            rows = await evaluate(assistant, library, read_questions(gold))
    found = report(rows)
    wrong = [row.question for row in rows if not row.right]
    assert found["verbatim"]
    assert found["right"] >= 17, wrong
