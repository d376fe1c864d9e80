"""An assistant over the eight papers of the tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from bot.answer import Answer, Notice
from bot.assistant.assistant import Assistant
from bot.settings import Settings
from index.library import Library

Open = Callable[..., AbstractAsyncContextManager[Assistant]]


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Settings:
    for name in ("CHAT_MODEL", "CHAT_MODEL_URL", "CHAT_MODEL_FALLBACKS"):
        monkeypatch.delenv(name, raising=False)
    return Settings(_env_file=None)  # type: ignore[call-arg]


@pytest.fixture
def open_assistant(settings: Settings, library: Library) -> Open:
    """Open an assistant: `model`, `checkpoints`, `seconds`, or another `library`."""

    def opened(
        model: Any = None,
        checkpoints: Path | None = None,
        library: Library = library,
        **more: Any,
    ) -> AbstractAsyncContextManager[Assistant]:
        return Assistant.open(settings, library, model=model, checkpoints=checkpoints, **more)

    return opened


@pytest.fixture
async def assistant(open_assistant: Open) -> AsyncIterator[Assistant]:
    """The assistant that quotes."""
    async with open_assistant() as opened:
        yield opened


def notices(answer: Answer) -> str:
    """All notices of a reply."""
    return "\n".join(block.text for block in answer.blocks if isinstance(block, Notice))


def quotes(answer: Answer) -> str:
    """All quotations of a reply."""
    return "\n".join(citation.quote for citation in answer.citations)


def said(answer: Answer) -> str:
    """What a reply says in sentences and notices."""
    return "\n".join([*(s.text for s in answer.sentences), notices(answer)])
