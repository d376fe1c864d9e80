"""Search quality over a collection with judged documents."""

from __future__ import annotations

import json
import math
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from index.errors import LibraryError
from index.library import Library, Progress
from index.paper import Paper
from index.text.tex import clean

DEPTH = 1000


class BadCollection(LibraryError):
    """The folder is no collection."""


def evaluate(directory: Path, embeddings: str, progress: Progress | None = None) -> dict[str, Any]:
    """nDCG@10, recall@100, MAP and MRR of search, and the milliseconds its first ten papers take.

    The folder holds `corpus.jsonl` (id, title, text), `queries.jsonl` (id, text) and `qrels.tsv`
    (query, document, grade). The collection is built into a library of its own, as `add` does.
    """
    judged = _judgements(directory / "qrels.tsv")
    queries = {str(q["id"]): str(q["text"]) for q in _lines(directory / "queries.jsonl")}
    with tempfile.TemporaryDirectory(prefix="footnote-") as folder:
        library = Library.open(Path(folder), embeddings, create=True)
        with library:
            library.add(_papers(directory / "corpus.jsonl"), progress)
            runs: dict[str, list[str]] = {}
            took: list[float] = []
            for name, relevant in judged.items():
                if name not in queries or not any(grade > 0 for grade in relevant.values()):
                    continue
                began = time.perf_counter()
                library.search(queries[name])
                took.append((time.perf_counter() - began) * 1000)
                # Deeper than anybody reads, so that it is no measure of what people wait for.
                hits = library.search(queries[name], DEPTH)
                runs[name] = [hit.paper.id.removeprefix("eval:") for hit in hits]
    if not runs:
        raise BadCollection(f"{directory} has no query with a relevant document")
    took.sort()
    return {
        "name": directory.name,
        "queries": len(runs),
        "ndcg@10": _mean(ndcg(run, judged[q], 10) for q, run in runs.items()),
        "recall@100": _mean(recall(run, judged[q], 100) for q, run in runs.items()),
        "map": _mean(average_precision(run, judged[q]) for q, run in runs.items()),
        "mrr": _mean(reciprocal_rank(run, judged[q]) for q, run in runs.items()),
        "p50_ms": round(took[len(took) // 2], 2),
        "p95_ms": round(took[min(len(took) - 1, int(0.95 * len(took)))], 2),
    }


def ndcg(run: Sequence[str], relevant: Mapping[str, float], depth: int) -> float:
    """Normalised discounted cumulative gain with linear gains, as trec_eval computes it."""
    gains = [max(0.0, relevant.get(document, 0.0)) for document in run[:depth]]
    ideal = sorted((grade for grade in relevant.values() if grade > 0), reverse=True)[:depth]
    best = _discounted(ideal)
    return _discounted(gains) / best if best else 0.0


def _discounted(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains))


def recall(run: Sequence[str], relevant: Mapping[str, float], depth: int) -> float:
    """Share of the relevant documents among the first `depth`."""
    wanted = {document for document, grade in relevant.items() if grade > 0}
    return len(wanted & set(run[:depth])) / len(wanted)


def average_precision(run: Sequence[str], relevant: Mapping[str, float]) -> float:
    """Mean of the precision at each relevant document."""
    wanted = {document for document, grade in relevant.items() if grade > 0}
    found, total = 0, 0.0
    for place, document in enumerate(run, 1):
        if document in wanted:
            found += 1
            total += found / place
    return total / len(wanted)


def reciprocal_rank(run: Sequence[str], relevant: Mapping[str, float]) -> float:
    """One over the place of the first relevant document."""
    for place, document in enumerate(run, 1):
        if relevant.get(document, 0.0) > 0:
            return 1 / place
    return 0.0


def _mean(values: Iterator[float]) -> float:
    listed = list(values)
    return round(sum(listed) / len(listed), 4)


def _papers(path: Path) -> Iterator[Paper]:
    for document in _lines(path):
        title, text = (
            clean(str(document.get("title") or "")),
            clean(str(document.get("text") or "")),
        )
        if title or text:
            yield Paper(id=f"eval:{document['id']}", title=title or text[:80], abstract=text)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as file:
            for line in file:
                if line.strip():
                    yield json.loads(line)
    except OSError:
        raise BadCollection(
            f"{path.parent} is no collection: it needs corpus.jsonl, queries.jsonl and qrels.tsv"
        ) from None
    except json.JSONDecodeError as error:
        raise BadCollection(f"{path}: {error}") from None


def _judgements(path: Path) -> dict[str, dict[str, float]]:
    out: dict[str, dict[str, float]] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        raise BadCollection(
            f"{path.parent} is no collection: it needs corpus.jsonl, queries.jsonl and qrels.tsv"
        ) from None
    for number, line in enumerate(lines, 1):
        parts = line.split("\t")
        if len(parts) < 3 or (number == 1 and not parts[2].replace(".", "").isdigit()):
            continue
        out.setdefault(parts[0], {})[parts[1]] = float(parts[2])
    return out
