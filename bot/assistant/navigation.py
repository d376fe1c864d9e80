"""Navigation: for each kind of question, where in an abstract its answer stands and how to check it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from index.embed import EmbeddingModel, Matrix

FLOOR = 0.25
"""Least cosine to an example of a kind; a question that is like none is given no guide."""


@dataclass(frozen=True, slots=True)
class Template:
    """One kind of question."""

    kind: str
    examples: tuple[str, ...]
    guide: str


def read(kind: str, text: str) -> Template:
    """A template from its file: example questions on lines with `?`, then the guide.

    Raises:
        ValueError: it has no example, or no guide.
    """
    lines = text.strip().splitlines()
    examples = tuple(line[1:].strip() for line in lines if line.startswith("?"))
    guide = " ".join(line.strip() for line in lines if not line.startswith("?")).strip()
    if not examples or not guide:
        raise ValueError(f"{kind}: a template needs lines that begin with ? and a guide after them")
    return Template(kind, examples, guide)


@cache
def templates() -> tuple[Template, ...]:
    """All kinds, by name."""
    found = [f for f in files("prompts").joinpath("navigation").iterdir() if f.name.endswith(".md")]
    return tuple(
        read(f.name.removesuffix(".md"), f.read_text(encoding="utf-8"))
        for f in sorted(found, key=lambda file: file.name)
    )


class Navigation:
    """Chooses the guide for a question by its nearest example."""

    def __init__(self, model: EmbeddingModel) -> None:
        self._model = model
        self._kinds: list[Template] = []
        self._examples: Matrix | None = None

    def guide(self, question: str) -> str:
        """The guide of the nearest kind, or an empty string."""
        kind = self.kind(question)
        return kind.guide if kind else ""

    def kind(self, question: str) -> Template | None:
        """The nearest kind, or None where the question is like no example."""
        if self._examples is None:
            self._kinds = [each for each in templates() for _ in each.examples]
            texts = [example for each in templates() for example in each.examples]
            self._examples = self._model.encode_documents(texts)
        near = self._examples @ self._model.encode_query(question)
        best = int(np.argmax(near))
        return self._kinds[best] if near[best] >= FLOOR else None
