"""What the agent adds to a turn, and many chats at once.

    python -m tests.bench.turns [--turns N] [--chats N]

The turns are of one conversation over the bundled notes, each a question that was not asked
before. The chat model is scripted and does what a real one would: it calls the tool that fits and
writes one sentence of what was found, with its key. Its own time, which is next to none, is taken
off; the rest is the product's: reading the history, searching, checking, storing. Search is told
apart. Beside the time that passed stands the processor's, all threads together, which says the
same on a machine that has other work.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage
from pydantic import PrivateAttr

from bot.assistant.assistant import Assistant
from bot.settings import Settings
from index.library import Library
from tests.bench.abstention import QUESTIONS, open_bundled
from tests.bot.assistant.scripted import Reply, Scripted, calls

SEARCHES = ("search", "ask", "like", "similar", "score", "passages")
"""What of a library counts as search."""
AT_ONCE = ("Does LoRA slow down inference?", "Which clipping range worked best for PPO?")


class Time(NamedTuple):
    """Seconds that passed, and seconds of the processor."""

    wall: float = 0.0
    cpu: float = 0.0

    @classmethod
    def now(cls) -> Time:
        """The clocks."""
        return cls(time.perf_counter(), time.process_time())

    def since(self, begun: Time) -> Time:
        """The time between two readings of the clocks."""
        return Time(self.wall - begun.wall, self.cpu - begun.cpu)

    def and_(self, other: Time) -> Time:
        """Both together."""
        return Time(self.wall + other.wall, self.cpu + other.cpu)


class Watch:
    """The time of one part of a turn; a call inside another counts once."""

    def __init__(self) -> None:
        self.took = Time()
        self._inside = threading.local()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count what happens meanwhile."""
        if getattr(self._inside, "already", False):
            yield
            return
        self._inside.already = True
        begun = Time.now()
        try:
            yield
        finally:
            self._inside.already = False
            self.took = self.took.and_(Time.now().since(begun))

    def timed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function whose time is counted."""

        @wraps(function)
        def counted(*args: Any, **kwargs: Any) -> Any:
            with self.running():
                return function(*args, **kwargs)

        return counted

    def read(self) -> Time:
        """What was counted, which begins anew."""
        took, self.took = self.took, Time()
        return took


class Reader(Scripted):
    """Calls a tool for a question, and writes the first sentence that it is given."""

    _watch: Watch = PrivateAttr()

    def __init__(self, watch: Watch) -> None:
        super().__init__("")
        self._watch = watch

    def _reply(self, messages: list[BaseMessage]) -> Reply:
        with self._watch.running():
            return self._written(messages[-1])

    @staticmethod
    def _written(last: BaseMessage) -> Reply:
        if isinstance(last, HumanMessage):
            if re.search(r"\bpapers?\b", last.text):
                return calls("search", query=last.text)
            return calls("answer", question=last.text)
        assert isinstance(last, ToolMessage)
        found = re.search(r"^\[([\w-]+:[1-9]\d*)\] (.+?)[.]?$", last.text, re.MULTILINE)
        return f"{found[2]} [{found[1]}]." if found else "These are the papers."


def questions() -> list[str]:
    """Questions that the bundled notes answer."""
    rows = map(json.loads, QUESTIONS.read_text(encoding="utf-8").splitlines())
    return [row["q"] for row in rows if row["kind"] != "none"]


async def timed(
    assistant: Assistant, asked: Sequence[str], search: Watch, model: Watch
) -> dict[str, list[Time]]:
    """The time of each turn of one conversation by part, after one that warms up."""
    await assistant.ask("timed", AT_ONCE[0])
    parts: dict[str, list[Time]] = {"a turn": [], "of it search": [], "of it the agent": []}
    for text in asked:
        search.read(), model.read()
        begun = Time.now()
        await assistant.ask("timed", text)
        whole = Time.now().since(begun).since(model.read())
        found = search.read()
        for name, took in zip(parts, (whole, found, whole.since(found)), strict=True):
            parts[name].append(took)
    return parts


async def at_once(assistant: Assistant, chats: int) -> tuple[float, int]:
    """(seconds, replies that say something) of two messages in each of many chats at once."""
    begun = time.perf_counter()
    answers = await asyncio.gather(
        *(assistant.ask(f"chat {n}", q) for n in range(chats) for q in AT_ONCE)
    )
    return time.perf_counter() - begun, sum(bool(answer.blocks) for answer in answers)


def line(name: str, took: Sequence[Time]) -> str:
    """Median and 95th percentile of both clocks, in milliseconds."""
    shown = []
    for values in (sorted(t.wall * 1000 for t in took), sorted(t.cpu * 1000 for t in took)):
        shown += [values[len(values) // 2], values[int(0.95 * len(values))]]
    return f"{name:34}{shown[0]:9.0f}{shown[1]:9.0f}{shown[2]:9.0f}{shown[3]:9.0f}"


async def measure(turns: int, chats: int) -> None:
    """Measure and print."""
    settings = Settings(_env_file=None, chat_model="extractive")  # type: ignore[call-arg]
    asked = [q for q in questions() if q not in AT_ONCE][:turns]
    print(
        f"{f'milliseconds, {len(asked)} turns':34}{'p50':>9}{'p95':>9}{'cpu p50':>9}{'cpu p95':>9}"
    )
    search, model = Watch(), Watch()
    for name, chosen in (("with a model", Reader(model)), ("quoting", None)):
        # Opened anew, since the sentences that were read once are remembered.
        with tempfile.TemporaryDirectory() as folder, open_bundled(Path(folder)) as library:
            watched(library, search)
            kept = Path(folder) / "history.sqlite"
            async with Assistant.open(settings, library, model=chosen, checkpoints=kept) as opened:
                for part, took in (await timed(opened, asked, search, model)).items():
                    print(line(f"{name}: {part}", took))
                seconds, said = await at_once(opened, chats)
            print(
                f"{name}: {chats} chats, 2 messages: {seconds:.1f} s, {said} of {2 * chats} answered"
            )


def watched(library: Library, search: Watch) -> None:
    """Count the time of a library's searches."""
    for name in SEARCHES:
        setattr(library, name, search.timed(getattr(library, name)))


def main() -> None:
    """Read the arguments and measure."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--turns", type=int, default=60)
    arguments.add_argument("--chats", type=int, default=50)
    chosen = arguments.parse_args()
    asyncio.run(measure(chosen.turns, chosen.chats))


if __name__ == "__main__":
    main()
