"""The trained role model: two linear layers over an abstract, read from one checked file.

The first weighs phrases, cues and places; the second looks again at every sentence with what the
first made of those around it, so that roles follow each other as they do in abstracts (stacked
sequential learning, Cohen and Carvalho 2005).
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from index.errors import LibraryError
from index.text.roles.cues import CUES
from index.text.roles.features import (
    PLACES,
    ROLES,
    SECOND,
    Floats,
    around,
    dense,
    moved,
    phrases,
)

PATH = Path(__file__).with_name("model.npz")
NEIGHBOURS = np.float32(0.5)
"""Weight of a neighbour's words beside the sentence's own."""


class RoleModel:
    """Weights by name: see `SHAPES`; `hashes` holds one phrase a row of `own`."""

    def __init__(self, arrays: dict[str, Floats], hashes: Sequence[int]) -> None:
        self._rows = {phrase: row for row, phrase in enumerate(hashes)}
        self._own, self._before, self._behind = arrays["own"], arrays["before"], arrays["behind"]
        self._dense, self._bias = arrays["dense"], arrays["bias"]
        self._second, self._second_bias = arrays["second"], arrays["second_bias"]

    def likely(self, sentences: Sequence[str]) -> Floats:
        """How likely each role is for each sentence of one abstract, shape (sentences, ROLES)."""
        if not sentences:
            return np.zeros((0, ROLES), dtype=np.float32)
        shared = len(self._before)
        sums = np.zeros((3, len(sentences), ROLES), dtype=np.float32)
        for place, sentence in enumerate(sentences):
            rows = [self._rows[p] for p, _ in phrases(sentence) if p in self._rows]
            near = [row for row in rows if row < shared]
            if rows:
                sums[0, place] = self._own[rows].sum(axis=0) / np.sqrt(len(rows))
            if near:
                sums[1, place] = self._before[near].sum(axis=0) / np.sqrt(len(near))
                sums[2, place] = self._behind[near].sum(axis=0) / np.sqrt(len(near))
        first = sums[0] + NEIGHBOURS * (moved(sums[1], -1) + moved(sums[2], 1))
        first += dense(sentences) @ self._dense + self._bias
        return softmax(around(softmax(first)) @ self._second + self._second_bias)


def softmax(scores: Floats) -> Floats:
    """Rows of scores as likelihoods."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    out: Floats = powers / powers.sum(axis=1, keepdims=True)
    return out


def save(path: Path, arrays: dict[str, Floats], hashes: Sequence[int]) -> None:
    """Write a model: large tables as int8 with a scale a column, the rest as float32."""
    stored: dict[str, NDArray[Any]] = {"hashes": np.asarray(hashes, dtype=np.uint32)}
    for name, table in arrays.items():
        if name in {"own", "before", "behind"}:
            scale = np.abs(table).max(axis=0) / 127
            stored[name] = np.rint(table / scale).astype(np.int8)
            stored[f"{name}_scale"] = scale.astype(np.float32)
        else:
            stored[name] = table.astype(np.float32)
    with path.open("wb") as file:
        np.savez_compressed(file, **stored)  # type: ignore[arg-type]


def load(path: Path) -> RoleModel:
    """Read a model.

    Raises:
        LibraryError: the file is missing, damaged, or of another shape than this code expects.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            held = {name: stored[name] for name in stored.files}
        hashes = held["hashes"]
        arrays = {
            name: held[name].astype(np.float32) * held.get(f"{name}_scale", np.float32(1))
            for name in _NAMES
        }
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error) as error:
        raise LibraryError(
            f"{path.name} of the role model cannot be read; install again"
        ) from error
    shared = len(arrays["before"])
    shapes = {
        "own": (len(hashes), ROLES),
        "before": (shared, ROLES),
        "behind": (shared, ROLES),
        "dense": (PLACES + 3 * len(CUES), ROLES),
        "bias": (ROLES,),
        "second": (SECOND, ROLES),
        "second_bias": (ROLES,),
    }
    if any(
        arrays[n].shape != shape or not np.isfinite(arrays[n]).all() for n, shape in shapes.items()
    ):
        raise LibraryError(f"{path.name} of the role model fits other code; install again")
    return RoleModel(arrays, hashes.tolist())


@cache
def bundled() -> RoleModel:
    """The model that ships with the package, read once."""
    return load(PATH)


_NAMES = ("own", "before", "behind", "dense", "bias", "second", "second_bias")
