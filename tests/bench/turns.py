"""What the agent adds to a turn, and many chats at once.

    python -m tests.bench.turns [--turns N] [--chats N]

The chat model is scripted and answers at once, so what is timed is the product's own: reading the
history, searching, checking and storing. The library is the bundled notes.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from bot.assistant.assistant import Assistant
from bot.settings import Settings
from tests.bench.abstention import open_bundled
from tests.bot.assistant.scripted import Scripted

QUESTIONS = (
    "Does LoRA slow down inference?",
    "Which clipping range worked best for PPO?",
    "papers about object detection",
    "How long does it take to fit a NeRF to one scene?",
)


async def timed(assistant: Assistant, turns: int) -> list[float]:
    """Seconds of each of so many turns of one conversation, after one that warms up."""
    await assistant.ask("timed", QUESTIONS[0])
    took = []
    for number in range(turns):
        begun = time.perf_counter()
        await assistant.ask("timed", QUESTIONS[number % len(QUESTIONS)])
        took.append(time.perf_counter() - begun)
    return sorted(took)


async def at_once(assistant: Assistant, chats: int) -> tuple[float, int]:
    """(seconds, replies that say something) of two messages in each of many chats at once."""
    begun = time.perf_counter()
    answers = await asyncio.gather(
        *(assistant.ask(f"chat {n}", q) for n in range(chats) for q in QUESTIONS[:2])
    )
    return time.perf_counter() - begun, sum(bool(answer.blocks) for answer in answers)


async def measure(turns: int, chats: int) -> None:
    """Measure and print."""
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    with tempfile.TemporaryDirectory() as folder, open_bundled(Path(folder)) as library:
        for name, model in (("scripted model", Scripted("Nothing to say.")), ("quoting", None)):
            kept = Path(folder) / f"{name}.sqlite"
            chosen = settings if model else settings.model_copy(update={"chat_model": "extractive"})
            async with Assistant.open(chosen, library, model=model, checkpoints=kept) as assistant:
                took = await timed(assistant, turns)
                seconds, said = await at_once(assistant, chats)
            print(f"{name}: a turn, p50          {statistics.median(took) * 1000:.0f} ms")
            print(f"{name}: a turn, p95          {took[int(0.95 * len(took))] * 1000:.0f} ms")
            print(
                f"{name}: {chats} chats, 2 messages  {seconds:.1f} s, {said} of {2 * chats} answered"
            )


def main() -> None:
    """Read the arguments and measure."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--turns", type=int, default=60)
    arguments.add_argument("--chats", type=int, default=50)
    chosen = arguments.parse_args()
    asyncio.run(measure(chosen.turns, chosen.chats))


if __name__ == "__main__":
    main()
