"""Feedback: the best papers of a first ranking tell what a query is about, and a second ranks by it.

Words as in RM3 (Lavrenko and Croft 2001; Abdul-Jaleel et al. 2004), meaning as in Rocchio (1971).
Only papers that were found are ranked again, from their texts and vectors, so that no index is
asked twice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from index.embed import Matrix
from index.lexical import stems

K1, B = 1.2, 0.75
"""BM25's saturation and length normalisation."""
TITLE = 2.0
"""How often a word of the title counts."""
PAIR = 0.25
"""What two words of the query count beside themselves where they stand next to each other."""
TRUSTED = 8
"""Papers that tell what a query is about."""
TEMPERATURE = 0.1
"""How fast trust falls with the score: at this distance from the best to 1/e."""
TERMS = 30
"""Words taken from them."""
KEPT = 0.8
"""The query's own share of the words."""
PULL = 0.5
"""Length of what is added to the query's vector."""


@dataclass(frozen=True, slots=True)
class Words:
    """The stems of one paper."""

    counts: Mapping[str, float]
    """Occurrences, those in the title counted `TITLE` times."""
    pairs: Mapping[tuple[str, str], float]
    """The query's pairs of words that stand next to each other, counted in the same way."""
    title: Sequence[str]
    length: int


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[str, ...]:
    """Stems of a text; the papers of a topic are read for every question on it."""
    return tuple(stems(text))


def words_of(title: str, abstract: str, wanted: frozenset[tuple[str, str]]) -> Words:
    """Read a paper; of its pairs of neighbours only those `wanted`."""
    head, body = _read(title), _read(abstract)
    counts: dict[str, float] = dict(Counter(body))
    for word in head:
        counts[word] = counts.get(word, 0.0) + TITLE
    pairs: dict[tuple[str, str], float] = {}
    for part, weight in ((head, TITLE), (body, 1.0)):
        for pair in filter(wanted.__contains__, pairwise(part)):
            pairs[pair] = pairs.get(pair, 0.0) + weight
    return Words(counts, pairs, head, len(head) + len(body))


def pairs_of(query: Sequence[str]) -> frozenset[tuple[str, str]]:
    """Stems that stand next to each other in a query."""
    return frozenset(pairwise(query))


def rank_by_words(
    papers: Sequence[Words], terms: Mapping[str, float], tells: Mapping[str, float], mean: float
) -> Matrix:
    """BM25 of each paper for weighted stems, shape (n,).

    `tells` are inverse document frequencies, `mean` is the length of papers on average. A pair
    tells as much as its rarer word.
    """
    scores = np.zeros(len(papers), dtype=np.float32)
    for place, paper in enumerate(papers):
        norm = K1 * (1 - B + B * paper.length / max(mean, 1.0))
        score = 0.0
        for term, weight in terms.items():
            if often := paper.counts.get(term):
                score += weight * tells.get(term, 0.0) * often / (often + norm)
        for (one, other), often in paper.pairs.items():
            rarer = max(tells.get(one, 0.0), tells.get(other, 0.0))
            score += PAIR * rarer * often / (often + norm)
        scores[place] = score * (K1 + 1)
    return scores


def trust(scores: Matrix) -> Matrix:
    """How much each of the best papers tells, from their scores, best first; they sum to 1."""
    weights = np.exp((scores - scores[0]) / TEMPERATURE)
    out: Matrix = (weights / weights.sum()).astype(np.float32)
    return out


def more_terms(
    terms: Mapping[str, float], papers: Sequence[Words], weights: Matrix
) -> dict[str, float]:
    """The query's stems with those that stand most in the trusted papers."""
    found: dict[str, float] = {}
    for paper, weight in zip(papers, weights.tolist(), strict=True):
        share = weight / max(1, paper.length)
        for term, often in paper.counts.items():
            found[term] = found.get(term, 0.0) + share * often
        # Here a word of the title is a word like any other.
        for term in paper.title:
            found[term] -= share * (TITLE - 1)
    best = sorted(found, key=lambda term: (-found[term], term))[:TERMS]
    total = sum(found[term] for term in best)
    share = (1 - KEPT) / KEPT * sum(terms.values()) / total if total else 0.0
    out = dict(terms)
    for term in best:
        out[term] = out.get(term, 0.0) + share * found[term]
    return out


def pulled(query: Matrix, vectors: Matrix, weights: Matrix) -> Matrix:
    """The query's vector drawn towards those of the trusted papers, of unit length."""
    out: Matrix = query + PULL * (weights @ vectors)
    return out / np.float32(np.linalg.norm(out))


def covered(papers: Sequence[Words], tells: Mapping[str, float]) -> Matrix:
    """The share of the query's weight whose stems occur in each paper, shape (n,), 0..1."""
    total = math.fsum(tells.values()) or 1.0
    shares = [
        sum(weight for term, weight in tells.items() if term in paper.counts) / total
        for paper in papers
    ]
    return np.array(shares, dtype=np.float32)
