"""Passages: the sentences of papers that answer a question."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

from index.embed import EmbeddingModel, Matrix
from index.lexical import coverage
from index.paper import Paper
from index.search import Searcher
from index.text.sentences import split

CACHED = 20_000
"""Sentence vectors kept in memory, about 30 MB."""
COSINE_WEIGHT = 0.6

Only = Mapping[str, Collection[int]]
"""Numbers of sentences by the id of their paper."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence of a paper, verbatim."""

    paper_id: str
    sentence: int
    """1 for the first sentence of the abstract; 0 is the title."""
    text: str
    start: int
    """Offset in the abstract; -1 for the title."""
    end: int
    score: float
    """0..1, comparable between questions."""
    cosine: float
    coverage: float


class Passages:
    """Ranks sentences; their vectors are made when first asked for, and kept."""

    def __init__(self, model: EmbeddingModel, searcher: Searcher) -> None:
        self._model = model
        self._searcher = searcher
        self._cache: OrderedDict[str, Matrix] = OrderedDict()
        self._lock = Lock()

    def best(
        self, question: str, papers: Sequence[Paper], k: int, only: Only | None = None
    ) -> list[Passage]:
        """The k sentences nearest to the question, best first; of those in `only`, where given."""
        sentences = [
            (paper, number, span.text, span.start, span.end)
            for paper in papers
            for number, span in enumerate(split(paper.abstract), 1)
            if only is None or number in only[paper.id]
        ]
        if not sentences or not question.strip():
            return []
        query = self._model.encode_query(question)
        vectors = self._vectors([text for _, _, text, _, _ in sentences])
        weights = self._searcher.weights(question)
        found = []
        for (paper, number, text, start, end), vector in zip(sentences, vectors, strict=True):
            cosine = float(vector @ query)
            share = coverage(weights, text)
            score = COSINE_WEIGHT * max(0.0, cosine) + (1 - COSINE_WEIGHT) * share
            found.append(Passage(paper.id, number, text, start, end, score, cosine, share))
        found.sort(key=lambda passage: (-passage.score, passage.paper_id, passage.sentence))
        return found[:k]

    def _vectors(self, texts: list[str]) -> list[Matrix]:
        with self._lock:
            missing = [text for text in dict.fromkeys(texts) if text not in self._cache]
            if missing:
                made = self._model.encode_documents(missing)
                self._cache.update(zip(missing, made, strict=True))
            out = [self._cache[text] for text in texts]
            for text in texts:
                self._cache.move_to_end(text)
            while len(self._cache) > CACHED:
                self._cache.popitem(last=False)
        return out
