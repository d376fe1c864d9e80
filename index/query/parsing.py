"""Parsing: a person's words as a query."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date

from index.identity import canonical_id
from index.query.dates import dates
from index.query.exclusion import exclusions
from index.query.parts import Kind, Part, Query, assemble
from index.query.people import authors
from index.query.scope import fields, newest, statuses, venues

LONGEST = 600
"""Characters; what is longer is a text to find papers for, and no request."""


def parse(text: str, *, today: date) -> Query:
    """Read a request: its topic, and what narrows it.

    `today` is the date where the person is; all time words are ranges of days around it. Words in
    which nothing special is found come back as they are.
    """
    said = text.strip()
    if len(said) > LONGEST or canonical_id(said):
        return Query(text=text, said=text)
    readers: tuple[Callable[[str], Iterable[Part]], ...] = (
        statuses,
        fields,
        lambda words: dates(words, today),
        authors,
        venues,
        exclusions,
        newest,
    )
    parts: list[Part] = []
    for reader in readers:
        for part in reader(said):
            if not any(_overlap(part, other) for other in parts):
                parts.append(part)
    if not parts:
        return Query(text=text, said=text)
    return assemble(said, parts)


def _overlap(one: Part, other: Part) -> bool:
    if one.kind is other.kind is Kind.WITHOUT and (one.start, one.end) == (other.start, other.end):
        # Two things after one marker.
        return one.value == other.value
    return one.start < other.end and other.start < one.end
