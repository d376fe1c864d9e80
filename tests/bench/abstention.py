"""How surely what the library cannot answer is refused, and what it can answer is not.

    python -m tests.bench.abstention [--show first|second]

The questions of `abstention.jsonl` are asked of the bundled notes, without a chat model, each in a
conversation of its own. Those of kind `none` no note answers: near ones ask of a paper what its
note does not say, far ones ask of something else altogether. The set falls into two halves by a
hash of each question: rules are mended by the failures of the first, and the second, which nobody
looks at, says whether that carries over.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bot.assistant.assistant import Assistant
from bot.assistant.evaluate import Asked, evaluate, read_questions
from bot.plain import render
from bot.settings import Settings
from index.library import Library

QUESTIONS = Path(__file__).with_name("abstention.jsonl")


def half(question: str) -> str:
    """The half a question falls into, by its words alone."""
    return "second" if hashlib.sha256(question.encode()).digest()[0] % 2 else "first"


async def ask_all(library: Library, questions: Iterable[Mapping[str, Any]]) -> list[Asked]:
    """Ask the questions without a chat model."""
    settings = Settings(_env_file=None, chat_model="extractive")  # type: ignore[call-arg]
    async with Assistant.open(settings, library) as assistant:
        return await evaluate(assistant, library, questions)


def shares(rows: Iterable[Asked], near: Iterable[str]) -> dict[str, str]:
    """How many were refused, of the near, the far and the answerable ones, as counts and percent."""
    beside = set(near)
    groups: dict[str, list[bool]] = {"near refused": [], "far refused": [], "wrongly refused": []}
    cited = []
    for row in rows:
        if row.kind != "none":
            groups["wrongly refused"].append(row.answer.abstained)
            cited.append(row.right)
        else:
            name = "near refused" if row.question in beside else "far refused"
            groups[name].append(row.answer.abstained)
    refused = groups["near refused"] + groups["far refused"]
    groups = {"refused": refused, **groups, "answered from its paper": cited}
    return {name: _share(found) for name, found in groups.items()}


def open_bundled(folder: Path) -> Library:
    """The bundled notes, which are read while a folder holds no library."""
    return Library.open_or_bundled(folder / "none")


def _share(found: list[bool]) -> str:
    return f"{sum(found)} of {len(found)} ({sum(found) / max(1, len(found)):.1%})"


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--show", choices=["first", "second"], help="print what went wrong")
    chosen = arguments.parse_args()
    questions = read_questions(QUESTIONS)
    near = {question["q"] for question in questions if question.get("near")}
    with tempfile.TemporaryDirectory() as folder, open_bundled(Path(folder)) as library:
        rows = asyncio.run(ask_all(library, questions))
    for row in rows:
        wrong = row.answer.abstained != (row.kind == "none") or not row.right
        if half(row.question) == chosen.show and wrong:
            print(f"- {row.kind}: {row.question}\n    {render(row.answer)[:400]!r}")
    for name in ("first", "second"):
        mine = [row for row in rows if half(row.question) == name]
        print(json.dumps({"half": name, **shares(mine, near)}, indent=1))


if __name__ == "__main__":
    main()
