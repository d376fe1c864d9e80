"""A served script, a clock nobody waits for, and the way out to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from index.sources.web import Web
from tests.index.sources.server import FakeClock, Script, scripted


@pytest.fixture
def clock() -> FakeClock:
    """Wednesday, 4 March 2026, 10:00 in New York."""
    return FakeClock()


@pytest.fixture
def served(clock: FakeClock) -> Iterator[Script]:
    """A server that answers 404 until it is told more."""
    with scripted(clock) as script:
        yield script


@pytest.fixture
def web(clock: FakeClock) -> Iterator[Web]:
    """The way out, with a contact."""
    with Web("someone@example.org", clock) as made:
        yield made
