"""Search quality over a collection with judged documents."""

from __future__ import annotations

import hashlib
import json
import math
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from index.errors import LibraryError
from index.facets import Facet
from index.filters import Filters
from index.library import Library, Progress
from index.merge import embedded_text
from index.paper import Paper
from index.text.tex import clean

DEPTH = 1000
PREFIX = "eval:"


class BadCollection(LibraryError):
    """The folder is no collection."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents, queries, and how relevant one is to the other."""

    papers: list[Paper]
    queries: dict[str, dict[str, Any]]
    judged: dict[str, dict[str, float]]
    """Grades by query and document, of the queries that have a relevant document."""
    pools: dict[str, list[str]]
    """Candidates of each query, where they are given."""

    @classmethod
    def read(cls, directory: Path) -> Collection:
        """Read a folder.

        Raises:
            BadCollection: a file is missing or cannot be read.
        """
        judged = _judgements(directory / "qrels.tsv")
        queries = {str(query["id"]): query for query in _lines(directory / "queries.jsonl")}
        return cls(
            papers=list(_papers(directory / "corpus.jsonl")),
            queries=queries,
            judged={
                name: relevant
                for name, relevant in judged.items()
                if name in queries and any(grade > 0 for grade in relevant.values())
            },
            pools=_pools(directory / "pools.json"),
        )

    def fill(
        self, library: Library, cache: Path | None = None, progress: Progress | None = None
    ) -> None:
        """Put the documents into an empty library, with vectors of the cache where there are any."""
        if cache is not None and self.papers:
            _recall_vectors(library, self.papers, cache)
        report = library.add(self.papers, progress)
        self._follow(
            {a.removeprefix(PREFIX): b.removeprefix(PREFIX) for a, b in report.stored.items()}
        )

    def _follow(self, kept: Mapping[str, str]) -> None:
        """Judge a paper by the id the library keeps it by, where it took two for one paper."""
        for relevant in self.judged.values():
            for document in [one for one in relevant if kept.get(one, one) != one]:
                name, grade = kept[document], relevant.pop(document)
                relevant[name] = max(relevant.get(name, 0.0), grade)
        for pool in self.pools.values():
            pool[:] = dict.fromkeys(kept.get(document, document) for document in pool)


def evaluate(
    directory: Path,
    embeddings: str,
    progress: Progress | None = None,
    cache: Path | None = None,
) -> dict[str, Any]:
    """nDCG@10, recall@100, MAP and MRR of search, and the milliseconds its first ten papers take.

    The folder holds `corpus.jsonl` (id, title, text), `queries.jsonl` (id, text) and `qrels.tsv`
    (query, document, grade). The collection is built into a library of its own, as `add` does.
    A query with `paper_id` asks for papers similar to that one, by its `facet` where it has one;
    `pools.json` (query: its candidates) adds nDCG at 20 % of each pool, over all and by facet
    (CSFCube, https://arxiv.org/abs/2103.12906).

    `cache` is a folder where the vectors of a collection are kept for the next time.
    """
    collection = Collection.read(directory)
    judged, queries, pools = collection.judged, collection.queries, collection.pools
    runs: dict[str, list[str]] = {}
    ranked: dict[str, list[str]] = {}
    took: list[float] = []
    with (
        tempfile.TemporaryDirectory(prefix="footnote-") as folder,
        Library.open(Path(folder), embeddings, create=True) as library,
    ):
        collection.fill(library, cache, progress)
        for name in judged:
            began = time.perf_counter()
            asked(library, queries[name], 10)
            took.append((time.perf_counter() - began) * 1000)
            # Deeper than anybody reads, so that it is no measure of what people wait for.
            runs[name] = asked(library, queries[name], DEPTH)
            if pool := pools.get(name):
                ids = frozenset(PREFIX + document for document in pool)
                ranked[name] = asked(library, queries[name], len(pool), Filters(ids=ids))
    if not runs:
        raise BadCollection(f"{directory} has no query with a relevant document")
    took.sort()
    figures: dict[str, Any] = {
        "name": directory.name,
        "queries": len(runs),
        "ndcg@10": _mean(ndcg(run, judged[q], 10) for q, run in runs.items()),
        "recall@100": _mean(recall(run, judged[q], 100) for q, run in runs.items()),
        "map": _mean(average_precision(run, judged[q]) for q, run in runs.items()),
        "mrr": _mean(reciprocal_rank(run, judged[q]) for q, run in runs.items()),
        "p50_ms": round(took[len(took) // 2], 2),
        "p95_ms": round(took[min(len(took) - 1, int(0.95 * len(took)))], 2),
    }
    if ranked:
        values = {q: pool_ndcg(run, judged[q], len(pools[q])) for q, run in ranked.items()}
        figures["pool_ndcg%20"] = _mean(iter(values.values()))
        facets = {q: str(queries[q].get("facet") or "") for q in values}
        for facet in sorted(set(facets.values()) - {""}):
            figures[f"pool_ndcg%20_{facet}"] = _mean(
                value for q, value in values.items() if facets[q] == facet
            )
    return figures


def asked(
    library: Library,
    query: Mapping[str, Any],
    k: int,
    filters: Filters = Filters(),  # noqa: B008
) -> list[str]:
    """The ids a query finds, best first."""
    if paper := query.get("paper_id"):
        side = str(query.get("facet") or "")
        facet = Facet(side) if side in set(Facet) else None
        hits = library.similar(f"{PREFIX}{paper}", k, filters, facet=facet)
    else:
        hits = library.search(str(query["text"]), k, filters)
    return [hit.paper.id.removeprefix(PREFIX) for hit in hits]


def _recall_vectors(library: Library, papers: Sequence[Paper], cache: Path) -> None:
    """Let the library's model know the vectors it made of these papers before."""
    texts = [embedded_text(paper) for paper in papers]
    what = json.dumps([library.model.fingerprint, texts], sort_keys=True)
    path = cache / f"{hashlib.sha256(what.encode('utf-8', 'replace')).hexdigest()}.npy"
    if path.is_file():
        vectors = np.load(path, allow_pickle=False).astype(np.float32)
    else:
        vectors = library.model.encode_documents(texts)
        cache.mkdir(parents=True, exist_ok=True)
        np.save(path, vectors)
    library.model.remember(texts, vectors)


def pool_ndcg(run: Sequence[str], relevant: Mapping[str, float], size: int) -> float:
    """nDCG of the first 20 % of a ranked pool, with the gains of CSFCube's own evaluation.

    The first two places count in full there, the third and later 1 / log2(place).
    """
    depth = size // 5
    gains = [max(0.0, relevant.get(document, 0.0)) for document in run[:depth]]
    ideal = sorted((grade for grade in relevant.values() if grade > 0), reverse=True)[:depth]
    best = _early(ideal)
    return _early(gains) / best if best else 0.0


def _early(gains: Sequence[float]) -> float:
    return sum(gain / max(1.0, math.log2(place)) for place, gain in enumerate(gains, 1))


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
            yield Paper(id=f"{PREFIX}{document['id']}", title=title or text[:80], abstract=text)


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


def _pools(path: Path) -> dict[str, list[str]]:
    """The candidates of each query, where the collection has pools."""
    if not path.is_file():
        return {}
    try:
        return {
            str(name): [str(document) for document in pool]
            for name, pool in json.loads(path.read_text(encoding="utf-8")).items()
        }
    except (json.JSONDecodeError, AttributeError, TypeError):
        raise BadCollection(f"{path} is no object of query: [documents]") from None
