"""How many questions with known answers come out right, by kind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.answer import Answer
from bot.assistant.assistant import Assistant
from bot.settings import Settings
from index.library import Library


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and what became of it."""

    kind: str
    question: str
    right: bool
    verbatim: bool
    """Whether every quotation is a part of its paper's abstract or title."""
    cited: int
    """Citations whose quotation is."""
    seconds: float
    answer: Answer


def read_questions(path: Path) -> list[dict[str, Any]]:
    """Questions in JSON Lines: `kind`, `q`, and as needed `seed` (papers) and `must` (patterns)."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def numbered(library: Library) -> dict[Any, str]:
    """Ids by their place in the library from 1, and by themselves and their handle."""
    names: dict[Any, str] = {}
    for number, paper in enumerate(library.papers(), 1):
        names[number] = names[paper.id] = names[paper.handle] = paper.id
    return names


async def evaluate(
    assistant: Assistant, library: Library, questions: Iterable[Mapping[str, Any]]
) -> list[Asked]:
    """Ask each question in a conversation of its own."""
    names = numbered(library)
    asked = []
    for number, question in enumerate(questions):
        answer = await assistant.ask(f"question {number}", question["q"])
        seeds = {names.get(seed, str(seed)) for seed in question.get("seed", ())}
        cited = sum(_is_verbatim(library, c.paper_id, c.quote) for c in answer.citations)
        verbatim = cited == len(answer.citations)
        right = verbatim and is_right(question["kind"], answer, seeds, question.get("must", ()))
        asked.append(
            Asked(question["kind"], question["q"], right, verbatim, cited, answer.seconds, answer)
        )
    return asked


def is_right(kind: str, answer: Answer, seeds: set[str], must: Iterable[str]) -> bool:
    """Whether an answer is right by the rules of its kind."""
    if kind == "none":
        return answer.abstained
    if answer.abstained:
        return False
    quotes = "\n".join(c.quote for c in answer.citations if c.paper_id in seeds)
    match kind:
        case "find":
            return bool(answer.papers) and answer.papers[0] in seeds
        case "compare":
            return seeds <= {c.paper_id for c in answer.citations}
        case "similar":
            return bool(seeds & set(answer.papers))
        case _:
            return bool(quotes) and all(re.search(m, quotes, re.IGNORECASE) for m in must)


def _is_verbatim(library: Library, paper_id: str, quote: str) -> bool:
    paper = library.get(paper_id)
    return paper is not None and (quote in paper.abstract or quote in paper.title)


async def evaluate_file(path: Path, library: Library, settings: Settings) -> dict[str, Any]:
    """What `report` says of the questions in a file, asked with the chat model of the settings."""
    async with Assistant.open(settings, library, checkpoints=None) as assistant:
        return report(await evaluate(assistant, library, read_questions(path)))


def report(asked: Iterable[Asked]) -> dict[str, Any]:
    """Accuracy by kind, precision of citations, how surely it abstains, seconds and tokens."""
    rows = list(asked)
    kinds: dict[str, Any] = {}
    for kind in dict.fromkeys(row.kind for row in rows):
        mine = [row for row in rows if row.kind == kind]
        right = sum(row.right for row in mine)
        kinds[kind] = {"right": right, "of": len(mine), "accuracy": round(right / len(mine), 3)}
    abstained = [row for row in rows if row.answer.abstained]
    none = [row for row in rows if row.kind == "none"]
    rightly = sum(row.kind == "none" for row in abstained)
    seconds = sorted(row.seconds for row in rows)
    citations = sum(len(row.answer.citations) for row in rows)
    spent = [each for row in rows for each in row.answer.spent]
    return {
        "questions": len(rows),
        "right": sum(row.right for row in rows),
        "kinds": kinds,
        "abstention": {
            "precision": round(rightly / len(abstained), 3) if abstained else None,
            "recall": round(rightly / len(none), 3) if none else None,
        },
        "verbatim": all(row.verbatim for row in rows),
        "citations": {
            "of": citations,
            "precision": round(sum(row.cited for row in rows) / citations, 3)
            if citations
            else None,
        },
        "p50_s": _rank(seconds, 50),
        "p95_s": _rank(seconds, 95),
        "tokens": {
            "input": sum(each.input for each in spent),
            "cached": sum(each.cached for each in spent),
            "output": sum(each.output for each in spent),
        },
    }


def _rank(ordered: list[float], percent: int) -> float | None:
    """The value at a percentile of values in order; None where there are none."""
    if not ordered:
        return None
    return round(ordered[min(len(ordered) - 1, len(ordered) * percent // 100)], 3)
