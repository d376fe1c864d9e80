"""How far answers can be trusted: a chat model's beside the quotations, over many questions.

    python -m tests.bench.answers CORPUS SUMMARIES [--questions N] [--mode cards|text|both|all]
                                  [--without-navigation] [--quotes]

CORPUS is `corpus.jsonl` of a collection (`id`, `title`, `text`), SUMMARIES its `queries.jsonl` with
`qrels.tsv` beside it: one-sentence summaries and the papers they sum up. Questions are made from
both. The chat model is that of the settings (CHAT_MODEL, CHAT_MODEL_URL); `--quotes` asks none.

What is printed of each run: how many come out right by kind, and how many answers hold a citation,
figure or quotation that is not in the paper, checked here and not by the guard.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import tempfile
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.answer import Answer, Sentence
from bot.assistant.assistant import Assistant
from bot.assistant.context import Mode
from bot.assistant.evaluate import evaluate, report
from bot.plain import render
from bot.settings import load_settings
from index.library import Library
from index.paper import Paper
from index.sources.files import read_file
from index.text.tex import clean

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_QUOTED = re.compile(r"“([^”]{4,})”")
_NONE = (
    "What is the boiling point of ethanol?", "Who won the 1998 football world cup?",
    "How do I renew a passport?", "What do the papers say about medieval cathedrals?",
    "Which paper measures the salinity of the Baltic Sea?", "What is the tallest tree on record?",
    "Is there a paper on the taxation of wine imports?", "How long do tortoises live?",
    "What does the library say about Roman aqueducts?", "Which paper studies the mating of owls?",
)  # fmt: skip


def questions(library: Library, summaries: dict[str, str], count: int) -> Iterator[dict[str, Any]]:
    """Questions on papers of the library in the form of a gold file, a fifth of them on none."""
    chance = random.Random(11)
    papers = [paper for paper in library.papers() if len(paper.abstract) > 300]
    chance.shuffle(papers)
    kinds = ("find", "summary", "figure", "method", "none")
    for number in range(count):
        kind = kinds[number % len(kinds)]
        paper = papers[number % len(papers)]
        seed = {"seed": [paper.id], "must": []}
        name = f"“{paper.title}”"
        if kind == "none":
            said = _NONE[(number // len(kinds)) % len(_NONE)]
            yield {
                "kind": "none",
                "q": said + ("" if number < 50 else " Please be brief."),
                "seed": [],
            }
        elif kind == "find" and paper.title in summaries:
            yield {"kind": "find", "q": f"Which paper says this: {summaries[paper.title]}", **seed}
        elif kind == "figure" and (found := _FIGURE.search(paper.abstract)):
            seed["must"] = (
                [re.escape(found[0])] if len(_FIGURE.findall(paper.abstract)) == 1 else []
            )
            yield {"kind": "answer", "q": f"Which figures does {name} report?", **seed}
        elif kind == "method":
            yield {"kind": "answer", "q": f"How does the method of {name} work?", **seed}
        else:
            yield {"kind": "answer", "q": f"Summarise {name}", **seed}


def faults(answer: Answer, library: Library) -> list[str]:
    """What an answer holds that its papers do not."""
    return [fault for sentence in answer.sentences for fault in _faults(sentence, library)]


def _faults(sentence: Sentence, library: Library) -> Iterator[str]:
    texts = []
    for citation in sentence.citations:
        paper = library.get(citation.paper_id)
        if paper is None or citation.quote not in f"{paper.title}\n{paper.abstract}":
            yield f"citation of {citation.paper_id}: {citation.quote[:60]}"
            continue
        texts.append(_plain(f"{paper.title} {paper.abstract} {paper.published} {paper.venue}"))
    if not sentence.citations:
        return
    there = {figure for text in texts for figure in _FIGURE.findall(text)}
    for figure in _FIGURE.findall(_plain(sentence.text)):
        if figure not in there:
            yield f"figure {figure}: {sentence.text[:80]}"
    for quote in _QUOTED.findall(sentence.text):
        if not any(_plain(quote).rstrip(".,") in text for text in texts):
            yield f"quotation: {quote[:80]}"


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).replace("\\%", "%").replace("{,}", ",")
    return " ".join(re.sub(r"[$*{}\\]", "", text).replace("’", "'").split())


async def run(
    library: Library, asked: list[dict[str, Any]], given: dict[str, Any], *, show: bool = False
) -> dict[str, Any]:
    """One run over all questions."""
    settings = load_settings()
    if given.pop("quotes", False):
        settings = settings.model_copy(update={"chat_model": "extractive"})
    begun = time.perf_counter()
    async with Assistant.open(settings, library, **given) as assistant:
        rows = await evaluate(assistant, library, asked)
    for row in rows if show else ():
        if not row.right:
            print(f"- {row.kind}: {row.question[:150]}\n    {render(row.answer)[:300]!r}")
    wrong = [fault for row in rows for fault in faults(row.answer, library)]
    spent = [each for row in rows for each in row.answer.spent]
    tokens = sum(each.input + each.output for each in spent)
    written = sum(row.answer.model != "extractive" for row in rows)
    return {
        **report(rows),
        "written by the model": written,
        "not in the paper": len(wrong),
        "examples": wrong[:5],
        "tokens a question": round(tokens / len(rows)),
        "cached": round(sum(e.cached for e in spent) / max(1, sum(e.input for e in spent)), 3),
        "seconds a question": round((time.perf_counter() - begun) / len(rows), 2),
    }


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("corpus", type=Path)
    arguments.add_argument("summaries", type=Path)
    arguments.add_argument("--questions", type=int, default=200)
    arguments.add_argument("--papers", type=int, default=300)
    arguments.add_argument("--mode", choices=[*Mode, "all"], default="cards")
    arguments.add_argument("--without-navigation", action="store_true")
    arguments.add_argument("--seconds", type=float, default=600, help="a turn's time at most")
    arguments.add_argument("--quotes", action="store_true")
    arguments.add_argument(
        "--show", action="store_true", help="print the questions that went wrong"
    )
    chosen = arguments.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        Library.open(Path(folder), create=True) as library,
    ):
        summaries = _summaries(chosen)
        papers = [record for record in read_file(chosen.corpus) if isinstance(record, Paper)]
        # Those that are summed up first, since questions are made of the summaries.
        papers.sort(key=lambda paper: paper.title not in summaries)
        library.add(papers[: chosen.papers])
        asked = list(questions(library, summaries, chosen.questions))
        modes = list(Mode) if chosen.mode == "all" else [Mode(chosen.mode)]
        for mode in modes:
            given: dict[str, Any] = {
                "mode": mode,
                "navigation": not chosen.without_navigation,
                "seconds": chosen.seconds,
            }
            if chosen.quotes:
                given["quotes"] = True
            result = asyncio.run(run(library, asked, given, show=chosen.show))
            print(json.dumps({"mode": mode, **result}, ensure_ascii=False, indent=1), flush=True)


def _summaries(chosen: argparse.Namespace) -> dict[str, str]:
    """The summary of each paper that has one, by the paper's title."""

    def rows(path: Path) -> Iterator[dict[str, str]]:
        yield from map(json.loads, path.read_text(encoding="utf-8").splitlines())

    titles = {row["id"]: clean(row["title"]) for row in rows(chosen.corpus)}
    said = {row["id"]: row["text"] for row in rows(chosen.summaries)}
    out: dict[str, str] = {}
    for line in chosen.summaries.with_name("qrels.tsv").read_text(encoding="utf-8").splitlines():
        query, paper, *_ = line.split("\t")
        if query in said and paper in titles:
            out.setdefault(titles[paper], said[query])
    return out


if __name__ == "__main__":
    main()
