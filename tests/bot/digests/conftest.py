"""A real library that papers come into, real chats, and a clock that is moved by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.chats.store import Chats
from index.library import Library
from index.paper import Paper, Status
from tests.bot.clock import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime(2026, 12, 1, 12, 0, tzinfo=UTC))


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/chats.sqlite"


@pytest.fixture
async def chats(url: str, clock: Clock) -> AsyncIterator[Chats]:
    store = await Chats.open(url, clock=clock)
    yield store
    await store.close()


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", create=True) as opened:
        opened.add([OLD])
        yield opened


def paper(number: int, title: str, abstract: str, status: Status = Status.ACTIVE) -> Paper:
    """A paper as a source gives it."""
    return Paper(
        id=f"arxiv:2612.{number:05}",
        title=title,
        abstract=abstract,
        authors=("Ada Example",),
        published=f"2026-12-{number % 28 + 1:02}",
        categories=("cs.RO",),
        links=(f"https://arxiv.org/abs/2612.{number:05}",),
        status=status,
        source="test",
    )


OLD = paper(
    1,
    "A diffusion policy from before anybody subscribed",
    "Diffusion policies generate robot actions by denoising. We train a diffusion policy for grasping.",
)

POLICY = paper(
    2,
    "Faster Diffusion Policies for Dexterous Manipulation",
    "Diffusion policies produce robot actions by iterative denoising, which is slow. "
    "We distil a diffusion policy into one step and keep 97% of its success on six manipulation tasks.",
)

VISUOMOTOR = paper(
    3,
    "Denoising Action Chunks for Visuomotor Control",
    "We learn visuomotor policies with a conditional diffusion model over chunks of actions. "
    "The diffusion policy is trained from 200 demonstrations and runs on a real arm at 10 Hz.",
)

SOIL = paper(
    4,
    "Nitrogen Cycling by Soil Microbes Under Drought",
    "Soil microbial communities drive nitrogen cycling. We sequence samples of 40 fields in a dry year. "
    "Drought lowers the abundance of nitrifying bacteria by a third.",
)

TREES = paper(
    5,
    "Counting Spanning Trees of Sparse Graphs",
    "We count the spanning trees of sparse random graphs. A recursion over cuts gives exact numbers "
    "for graphs of up to a million vertices.",
)

WITHDRAWN = paper(
    6,
    "Diffusion Policies Without Demonstrations",
    "A diffusion policy is trained without demonstrations. This paper has been withdrawn by the author.",
    Status.WITHDRAWN,
)
