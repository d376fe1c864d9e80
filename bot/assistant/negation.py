"""Denials: what a sentence denies that its sources affirm, and the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.assistant.sources import Source, support
from bot.assistant.wording import (
    GENERIC,
    REPORTING,
    clauses,
    content,
    negated,
    opposed,
    sounds_negative,
)


def denials(plain: str, cited: tuple[Source, ...]) -> Iterator[str]:
    """What a flat sentence denies and its sources do not, what they deny and it does not."""
    ranked = sorted(
        ((score, one.flat[n]) for one in cited for n, score in enumerate(support(plain, one))),
        key=lambda row: -row[0],
    )
    if not ranked or not ranked[0][0]:
        return
    nearest = ranked[0][1]
    mine = negated(plain)
    ours = bool(_BY_AUTHORS.search(plain))
    if any(scope and not _denied(scope, nearest, cited, by_authors=ours) for scope in mine):
        yield "the cited abstract does not deny this"
        return
    said = {word.stem for word in content(plain)}
    close = [text for score, text in ranked if score >= 0.8 * ranked[0][0]]
    if not mine and not sounds_negative(plain) and any(_lost(said, text, cited) for text in close):
        yield "the cited abstract denies this"
        return
    if pair := opposed(plain, nearest):
        yield f"the cited abstract says “{pair[1]}”, not “{pair[0]}”"


_BY_AUTHORS = re.compile(
    r"\b(?:we|authors|paper|study|work) (?:do|does|did|have|has|is|are)\b", re.IGNORECASE
)


def _denied(
    scope: tuple[str, ...], nearest: str, cited: tuple[Source, ...], *, by_authors: bool
) -> bool:
    """Whether the source may deny what a negation of the sentence reaches."""
    texts = [text for one in cited for text in one.flat]
    if any(scope[0] in other[:2] for text in texts for other in negated(text)):
        return True
    if scope[0] in REPORTING and by_authors:
        return False
    telling = [key for key in scope if key not in GENERIC] or list(scope)
    parts = [clause for text in texts for clause in clauses(text)]
    # Words like "ignores" deny by themselves, and are affirmed where they stand alone.
    own = [stems for stems, negative, outright in parts if negative and not outright]
    if any(scope[0] in stems and set(telling[1:]) & stems for stems in own):
        return False
    # "ignores edges" denies edges, and does not deny that it ignores them.
    if any(
        negative and set(telling) & stems and (outright or scope[0] not in stems)
        for stems, negative, outright in parts
    ):
        return True
    if any(not outright and scope[0] in stems for stems, _, outright in parts):
        return False
    return sounds_negative(nearest) and not any(set(telling) & stems for stems, *_ in parts)


def _lost(said: set[str], nearest: str, cited: tuple[Source, ...]) -> bool:
    """Whether the nearest sentence of the source denies what these words say."""
    every = [clause for one in cited for text in one.flat for clause in clauses(text)]
    for part in re.split(r"[.,;:]\s", nearest):
        stems = {word.stem for word in content(part)}
        for scope in negated(part):
            telling = (stems & said) - GENERIC
            if not scope or scope[0] not in said or not telling:
                continue
            if len({scope[0], *telling}) < 2 and not set(scope) <= said:
                continue
            if not any(
                not outright and {scope[0], *telling} <= there for there, _, outright in every
            ):
                return True
    return False
