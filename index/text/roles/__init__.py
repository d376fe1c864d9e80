"""The rhetorical role of each sentence of an abstract.

The roles are those of CSAbstruct (Cohan et al. 2019, https://arxiv.org/abs/1909.04054). A small
linear model tells them, trained by `python -m index.text.train_roles`; its figures stand in
`model.json` beside it and in docs/cards.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from index.text.roles.model import bundled


class Role(StrEnum):
    """What a sentence does in its abstract."""

    BACKGROUND = "background"
    OBJECTIVE = "objective"
    METHOD = "method"
    RESULT = "result"
    OTHER = "other"


def roles(sentences: Sequence[str]) -> list[Role]:
    """One role for each sentence of one abstract, in order."""
    order = list(Role)
    return [order[best] for best in bundled().likely(sentences).argmax(axis=1)]
