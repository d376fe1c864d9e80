"""The history's file, while another process writes to it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.assistant import history
from bot.assistant.turn import UNSAVED
from tests.bot.assistant.conftest import Open, notices, quotes

ASKED = "How many gauges was TideNet trained on?"


@contextmanager
def held(path: Path) -> Iterator[sqlite3.Connection]:
    """Another writer that has begun and does not end."""
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    with closing(other):
        other.execute("BEGIN IMMEDIATE")
        yield other


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for the other writer."""
    monkeypatch.setattr(history, "BUSY_SECONDS", 0.1)


async def test_a_turn_waits_for_another_writer(open_assistant: Open, tmp_path: Path) -> None:
    kept = tmp_path / "history.sqlite"
    async with open_assistant(checkpoints=kept) as assistant:
        await assistant.ask("a", "hello")
        with held(kept) as other:
            release = threading.Timer(0.5, other.rollback)
            release.start()
            answer = await assistant.ask("a", ASKED)
            release.join()
        assert "31 gauges" in quotes(answer)
        assert "6.2 cm" in quotes(await assistant.ask("a", "How far off is it in storms?"))


@pytest.mark.usefixtures("impatient")
async def test_a_file_that_stays_locked_costs_the_memory_of_a_turn_and_not_its_answer(
    open_assistant: Open, tmp_path: Path
) -> None:
    kept = tmp_path / "history.sqlite"
    async with open_assistant(checkpoints=kept) as assistant:
        await assistant.ask("a", "summarise NightEar")
        with held(kept):
            answer = await assistant.ask("a", ASKED)
        assert "31 gauges" in quotes(answer)
        assert UNSAVED in notices(answer)
        assert "locked" not in notices(answer)
        # What was said before is still there, and the next turn is remembered again.
        assert "0.81" in quotes(await assistant.ask("a", "What F1 does it reach?"))
        assert UNSAVED not in notices(await assistant.ask("a", ASKED))


@pytest.mark.usefixtures("impatient")
async def test_what_was_left_of_an_answer_is_said_even_while_the_file_is_locked(
    open_assistant: Open, tmp_path: Path
) -> None:
    kept = tmp_path / "history.sqlite"
    async with open_assistant(checkpoints=kept) as assistant:
        await assistant.ask("a", ASKED)
        with held(kept):
            answer = await assistant.ask("a", "go on")
        assert notices(answer)
        assert "locked" not in notices(answer)
