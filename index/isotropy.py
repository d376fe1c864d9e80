"""Isotropy: a query's vector turned away from what all papers of a library have in common.

Vectors of one field's papers lie in a narrow cone around their mean, and along a few directions
more than along others; what tells papers apart is in the rest (Mu and Viswanath 2018,
https://arxiv.org/abs/1702.01417; Su et al. 2021, https://arxiv.org/abs/2103.15316). Papers keep
their vectors: the inner product with a query `q + M (q - mean)` is all it takes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from index.embed import Matrix

RANK = 32
"""Directions whose spread is evened out; the rest counts as that of the last of them."""
POWER = 0.5
"""How far it is evened out: 0 leaves the variances as they are, 1 divides by them."""
FEW = 1000
"""Papers from which mean and directions are known half well enough to be trusted."""


@dataclass(frozen=True, slots=True, eq=False)
class Isotropy:
    """What a library's vectors have in common."""

    mean: Matrix
    """Shape (dimension,)."""
    directions: Matrix
    """Shape (rank, dimension): principal directions, the widest first, of unit length."""
    gains: Matrix
    """Shape (rank,): what each direction is multiplied by; the last holds for all others."""
    trust: float
    """0..1: the share of the turned query that is added."""

    @classmethod
    def none(cls, dimension: int) -> Isotropy:
        """Of no papers: a query stays as it is."""
        zero = np.zeros(dimension, dtype=np.float32)
        return cls(zero, zero[None][:0], zero[:0], 0.0)

    @classmethod
    def of(cls, sample: Matrix, count: int) -> Isotropy:
        """From the vectors of some papers, shape (n, dimension), of `count` in all."""
        mean = sample.mean(axis=0)
        centred = sample - mean
        # The smaller of the two square matrices has the same eigenvalues but for zeros.
        tall = len(sample) >= sample.shape[1]
        square = centred.T @ centred if tall else centred @ centred.T
        values, vectors = np.linalg.eigh(square)
        rank = min(RANK, int((values > 1e-6 * max(values[-1], 1e-12)).sum()))
        values, vectors = values[::-1][:rank], vectors[:, ::-1][:, :rank]
        directions = vectors.T if tall else (vectors / np.sqrt(values)).T @ centred
        gains = (values / values[0]) ** -POWER if rank else values
        return cls(
            mean.astype(np.float32),
            np.ascontiguousarray(directions, dtype=np.float32),
            gains.astype(np.float32),
            count / (count + FEW) if rank else 0.0,
        )

    def turned(self, query: Matrix) -> Matrix:
        """The query's vector as papers are to be compared with it, of unit length."""
        if not self.trust:
            return query
        away = query - self.mean
        along = self.directions @ away
        away = self.gains[-1] * away + ((self.gains - self.gains[-1]) * along) @ self.directions
        length = float(np.linalg.norm(away))
        if not length:
            return query
        out: Matrix = query + self.trust / length * away
        return out / np.float32(np.linalg.norm(out))
