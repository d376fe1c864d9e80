"""Search: words and meaning, fused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from index import feedback
from index.embed import EmbeddingModel, Matrix, normalised
from index.facets import Facet, facet_text
from index.filters import Filters
from index.isotropy import Isotropy
from index.lexical import coverage, inverse_frequency, stems
from index.paper import Paper
from index.papers import Papers
from index.postings import Postings, query_terms
from index.vectors import Vectors

POOL = 1000
"""Candidates of each kind before fusion, or as many as are asked for."""
AGAIN = 50
"""The best of them, which are ranked again by what the first among them say."""
DENSE_WEIGHT = 0.55
"""Share of meaning in the fused score."""
DENSE_WEIGHT_AGAIN = 0.6
"""The same where the query's meaning has been drawn towards the papers found."""
COVERAGE_WEIGHT = 0.2
"""What the share of the query's telling words that a paper has counts beside both."""
SAMPLE = 2048
"""Papers that tell what the library's vectors have in common."""
LENGTHS = 256
"""Papers that tell how long a paper is."""


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


Scored = Sequence[tuple[int, float]]
"""Rows with their scores, best first."""


def fused(lexical: Scored, dense: Scored, k: int) -> list[tuple[int, float]]:
    """The best k by min-max normalised scores of the two lists, summed with their weights (0..1).

    Fox and Shaw's CombSUM after min-max scaling; a paper missing in one list gets nothing from it.
    """
    rows, shares = [np.empty(0, np.int64)], [np.empty(0, np.float64)]
    for scores, weight in ((lexical, 1 - DENSE_WEIGHT), (dense, DENSE_WEIGHT)):
        if not scores:
            continue
        low, high = scores[-1][1], scores[0][1]
        values = np.array([score for _, score in scores])
        rows.append(np.array([row for row, _ in scores], np.int64))
        shares.append(weight * ((values - low) / (high - low) if high > low else values**0))
    found, places = np.unique(np.concatenate(rows), return_inverse=True)
    sums = np.bincount(places, np.concatenate(shares), len(found))
    best = np.argsort(-sums, kind="stable")[:k]
    return list(zip(found[best].tolist(), sums[best].tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Habits:
    """What is usual in a library; it changes little with each paper, and is found by samples."""

    count: int
    isotropy: Isotropy
    length: float
    """Stems of a paper's title and abstract, on average."""


class Searcher:
    """Ranks papers for a query or for another paper."""

    def __init__(
        self, papers: Papers, vectors: Vectors, postings: Postings, model: EmbeddingModel
    ) -> None:
        self._papers = papers
        self._vectors = vectors
        self._postings = postings
        self._model = model
        self._aside = ThreadPoolExecutor(2, thread_name_prefix="query")
        self._habits: Habits | None = None

    def weights(self, query: str) -> dict[str, float]:
        """How much each stem of the query tells in this library."""
        return self._tells(stems(query))

    def search(self, query: str, k: int, filters: Filters) -> list[Hit]:
        """The best k papers, best first."""
        # The model runs outside the interpreter: on two cores the words are looked up while the
        # query is embedded.
        vector = self._aside.submit(self._model.encode_query, query)
        among = filters.rows(self._papers)
        lexical = self._lexical(query, max(POOL, k), among)
        return self._rank(query, vector.result, lexical, k, among)

    def similar(
        self, row: int, paper: Paper, k: int, among: Any, facet: Facet | None = None
    ) -> list[Hit]:
        """The papers nearest to a paper by meaning and words, what it says of a facet counted twice."""
        vector = self._vectors_of([row])[0]
        words = f"{paper.title} {paper.abstract}"
        if facet and (said := facet_text(paper, facet)):
            words = f"{words} {said}"
            side = self._model.encode_documents([f"{paper.title}. {said}"])
            vector = normalised(vector + side)[0]
        lexical = self._lexical(words, max(POOL, k + 1), among)
        return self._rank(words, lambda: vector, lexical, k + 1, among, without=row)[:k]

    def _rank(
        self,
        query: str,
        embedded: Callable[[], Matrix],
        lexical: list[tuple[int, float]],
        k: int,
        among: Any,
        without: int | None = None,
    ) -> list[Hit]:
        habits = self._usual()
        tells = self.weights(query)
        vector = embedded()
        turned = habits.isotropy.turned(vector)
        dense = self._vectors.search(turned, max(POOL, k), among, self._papers.vectors)
        if without is not None:
            lexical = [(row, score) for row, score in lexical if row != without]
            dense = [(row, score) for row, score in dense if row != without]
        scores = dict(fused(lexical, dense, max(k, AGAIN)))
        best = list(scores)
        papers = self._papers.at(best)
        best = [row for row in best if row in papers]
        if not best:
            return []
        vectors = self._vectors_of(best)
        first = min(AGAIN, len(best))
        ranked = _again(
            stems(query), tells, turned, [papers[row] for row in best[:first]], vectors[:first],
            (_floor(lexical), _floor(dense)), habits.length, self._tells,
        )  # fmt: skip
        least = ranked[-1][1]
        for place in range(first, min(k, len(best))):
            # What was not ranked again stays behind, in its order.
            text = f"{papers[best[place]].title} {papers[best[place]].abstract}"
            ranked.append((place, min(least, scores[best[place]]), coverage(tells, text)))
        cosines = (vectors @ vector).tolist()
        return [
            Hit(paper=papers[best[place]], score=score, cosine=cosines[place], coverage=share)
            for place, score, share in ranked[:k]
        ]

    def _vectors_of(self, rows: Sequence[int]) -> Matrix:
        """Vectors in the order of the rows."""
        found, vectors = self._papers.vectors(rows)
        places = {int(row): place for place, row in enumerate(found)}
        return vectors[[places[row] for row in rows]]

    def _tells(self, words: Sequence[str]) -> dict[str, float]:
        return inverse_frequency(
            words, self._postings.document_frequency, max(1, len(self._postings))
        )

    def _usual(self) -> Habits:
        """The habits of the library, found again when it has changed by a tenth."""
        count = len(self._vectors)
        if self._habits is None or abs(count - self._habits.count) > self._habits.count // 10:
            rows = self._papers.rows()
            every = [int(row) for row in rows[:: max(1, -(-len(rows) // SAMPLE))]]
            _, sample = self._papers.vectors(every)
            texts = self._papers.at(every[:: max(1, len(every) // LENGTHS)]).values()
            lengths = [len(stems(f"{paper.title} {paper.abstract}")) for paper in texts]
            self._habits = Habits(
                count,
                Isotropy.of(sample, count) if len(sample) else Isotropy.none(self._model.dimension),
                sum(lengths) / max(1, len(lengths)),
            )
        return self._habits

    def _lexical(self, query: str, pool: int, among: Any) -> list[tuple[int, float]]:
        return self._postings.search(query_terms(query), pool, among)


def _again(
    query: Sequence[str],
    tells: Mapping[str, float],
    vector: Matrix,
    papers: Sequence[Paper],
    vectors: Matrix,
    floors: tuple[float, float],
    length: float,
    find_tells: Callable[[Sequence[str]], dict[str, float]],
) -> list[tuple[int, float, float]]:
    """(place, score 0..1, coverage) of the papers in their new order.

    `floors` are the scores of words and of meaning that count nothing.
    """
    wanted = feedback.pairs_of(query)
    words = [
        feedback.words_of("" if paper.title_derived else paper.title, paper.abstract, wanted)
        for paper in papers
    ]
    terms: dict[str, float] = dict(Counter(query))
    shares = feedback.covered(words, tells)

    def scored(
        terms: Mapping[str, float], tells: Mapping[str, float], query: Matrix, weight: float
    ) -> Matrix:
        lexical = _scaled(feedback.rank_by_words(words, terms, tells, length), floors[0])
        meant = _scaled(vectors @ query, floors[1])
        both = (1 - weight) * lexical + weight * meant
        out: Matrix = (both + COVERAGE_WEIGHT * shares) / (1 + COVERAGE_WEIGHT)
        return out

    scores = scored(terms, tells, vector, DENSE_WEIGHT)
    trusted = np.argsort(-scores, kind="stable")[: feedback.TRUSTED]
    trust = feedback.trust(scores[trusted])
    more = feedback.more_terms(terms, [words[i] for i in trusted], trust)
    known = {**find_tells([term for term in more if term not in tells]), **tells}
    drawn = feedback.pulled(vector, vectors[trusted], trust)
    scores = scored(more, known, drawn, DENSE_WEIGHT_AGAIN)
    order = np.argsort(-scores, kind="stable").tolist()
    return [(place, float(scores[place]), float(shares[place])) for place in order]


def _floor(scores: Sequence[tuple[int, float]]) -> float:
    """The last score of a list, which counts nothing."""
    return scores[-1][1] if scores else 0.0


def _scaled(scores: Matrix, least: float) -> Matrix:
    """Scores as shares of the way from `least` to the best."""
    high = float(scores.max())
    if high <= least:
        return ((scores >= high) & (scores > 0)).astype(np.float32)
    out: Matrix = np.maximum(0.0, (scores - least) / (high - least)).astype(np.float32)
    return out
