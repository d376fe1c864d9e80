"""Search: words and meaning, fused."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from index.embed import EmbeddingModel, Matrix
from index.filters import Filters
from index.lexical import coverage, fts_query, inverse_frequency, salient_words, stems
from index.paper import Paper
from index.papers import Papers
from index.vectors import Vectors

POOL = 1000
"""Candidates of each kind before fusion, or as many as are asked for."""
DENSE_WEIGHT = 0.55
"""Share of meaning in the fused score."""
SALIENT = 40
"""Different words of a paper that papers like it are looked for by."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A paper that was found, and why."""

    paper: Paper
    score: float
    """Words and meaning fused, 0..1 within one search."""
    cosine: float
    """Similarity of query and paper, -1..1; comparable between searches."""
    coverage: float
    """Share of the query's telling words that title and abstract contain, 0..1."""
    exact: bool = False
    """True where the query names the paper by id, link, handle or title."""


def fused(
    lexical: Sequence[tuple[int, float]], dense: Sequence[tuple[int, float]]
) -> dict[int, float]:
    """Min-max normalised scores of the two lists, summed with their weights (0..1).

    Fox and Shaw's CombSUM after min-max scaling; a paper missing in one list gets nothing from it.
    """
    out: dict[int, float] = {}
    for scores, weight in ((lexical, 1 - DENSE_WEIGHT), (dense, DENSE_WEIGHT)):
        if not scores:
            continue
        low, high = scores[-1][1], scores[0][1]
        for row, score in scores:
            share = (score - low) / (high - low) if high > low else 1.0
            out[row] = out.get(row, 0.0) + weight * share
    return out


class Searcher:
    """Ranks papers for a query or for another paper."""

    def __init__(self, papers: Papers, vectors: Vectors, model: EmbeddingModel) -> None:
        self._papers = papers
        self._vectors = vectors
        self._model = model
        self._aside = ThreadPoolExecutor(2, thread_name_prefix="query")

    def weights(self, query: str) -> dict[str, float]:
        """How much each stem of the query tells in this library."""
        return inverse_frequency(
            stems(query), self._papers.document_frequency, max(1, len(self._papers))
        )

    def search(self, query: str, k: int, filters: Filters) -> list[Hit]:
        """The best k papers, best first."""
        # The model and SQLite both run outside the interpreter: on two cores the words are looked
        # up while the query is embedded.
        vector = self._aside.submit(self._model.encode_query, query)
        among = filters.rows(self._papers)
        lexical = self._lexical(query, max(POOL, k), among)
        return self._rank(query, vector.result(), lexical, k, among)

    def similar(self, row: int, paper: Paper, k: int, among: Any) -> list[Hit]:
        """The papers nearest to a paper by meaning and by the words that tell it from others."""
        _, vectors = self._papers.vectors([row])
        text = f"{paper.title} {paper.abstract}"
        words = salient_words(text, self.weights(text), SALIENT)
        lexical = self._lexical(" ".join(words), max(POOL, k + 1), among)
        hits = self._rank(paper.title, vectors[0], lexical, k + 1, among)
        return [hit for hit in hits if hit.paper.id != paper.id][:k]

    def _rank(
        self, query: str, vector: Matrix, lexical: list[tuple[int, float]], k: int, among: Any
    ) -> list[Hit]:
        dense = self._vectors.search(vector, max(POOL, k), among)
        scores = fused(lexical, dense)
        cosine = dict(dense)
        best = heapq.nsmallest(k, scores, key=lambda row: (-scores[row], row))
        papers = self._papers.at(best)
        missing = [row for row in best if row not in cosine]
        if missing:
            rows, vectors = self._papers.vectors(missing)
            cosine.update(zip((int(r) for r in rows), (vectors @ vector).tolist(), strict=True))
        weights = self.weights(query)
        return [
            Hit(
                paper=papers[row],
                score=scores[row],
                cosine=cosine.get(row, 0.0),
                coverage=coverage(weights, f"{papers[row].title} {papers[row].abstract}"),
            )
            for row in best
            if row in papers
        ]

    def _lexical(self, query: str, pool: int, among: Any) -> list[tuple[int, float]]:
        wanted = fts_query(query)
        if not wanted:
            return []
        return self._papers.match(wanted, pool, among)
