"""Facets: the sides of a paper that another may resemble, as CSFCube has them.

Mysore et al. 2021, https://arxiv.org/abs/2103.12906: what a paper starts from and sets out to do,
how it goes about it, and what came out.
"""

from __future__ import annotations

from enum import StrEnum

from index.paper import Paper
from index.text.roles import Role, roles
from index.text.sentences import split


class Facet(StrEnum):
    """A side of a paper."""

    BACKGROUND = "background"
    METHOD = "method"
    RESULT = "result"


_ROLES = {
    Facet.BACKGROUND: {Role.BACKGROUND, Role.OBJECTIVE},
    Facet.METHOD: {Role.METHOD},
    Facet.RESULT: {Role.RESULT, Role.OTHER},
}


def facet_text(paper: Paper, facet: Facet) -> str:
    """The sentences of the abstract that speak of a facet; empty where none does."""
    sentences = [span.text for span in split(paper.abstract)]
    told = zip(sentences, roles(sentences), strict=True) if sentences else ()
    return " ".join(sentence for sentence, role in told if role in _ROLES[facet])
