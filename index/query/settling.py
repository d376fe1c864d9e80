"""Settling: what a request may mean is decided by what the library holds."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from index.filters import Filters
from index.papers import Papers
from index.query.about import forms
from index.query.exclusion import is_resource
from index.query.parts import Kind, Part, Query
from index.query.scope import known_venue

TOPIC = 0.01
"""From this share of the papers on a thing that speak of doing without it, `without X` is a topic."""
TWICE = 2
"""Papers that must speak of it so."""


def settled(papers: Papers, query: Query) -> tuple[Query, list[str]]:
    """The query with its unsure parts kept or read as topic, and lines on those that went."""
    lines: list[str] = []
    parts: list[Part] = []
    for part in query.parts:
        kept = part if part.sure else _kept(papers, query, part, lines)
        if kept:
            parts.extend(kept if isinstance(kept, list) else [kept])
    return (query if tuple(parts) == query.parts else query.with_parts(parts)), lines


def _kept(papers: Papers, query: Query, part: Part, lines: list[str]) -> Part | list[Part] | None:
    match part.kind:
        case Kind.AUTHOR:
            if _some(papers, Filters(author=part.value)):
                return part
            lines.append(f"No author here is called {part.value}; the words are searched for.")
            return None
        case Kind.VENUE:
            return _venue(papers, part)
        case Kind.SOURCE:
            return part if _some(papers, Filters(source=part.value)) else None
        case Kind.WITHOUT:
            marked = query.said[part.start : part.end].strip(" ,;(")
            if not _is_topic(papers, part.value):
                return part
            line = f"“{marked}” is read as part of the topic; write -{_quoted(part.value)} to leave such papers out."
            if line not in lines:
                lines.append(line)
            return None
        case _:
            return part


def _quoted(thing: str) -> str:
    return thing if re.fullmatch(r"[\w-]+", thing) else f'"{thing}"'


def _venue(papers: Papers, part: Part) -> Part | list[Part] | None:
    """The venue with its year, else the venue in that year, else none."""
    if _some(papers, Filters(venue=part.value)):
        return part
    name, _, year = part.value.rpartition(" ")
    if name and re.fullmatch(r"(?:19|20)\d\d", year):
        if _some(papers, Filters(venue=name)) or known_venue(name):
            days = (date(int(year), 1, 1), date(int(year), 12, 31))
            return [
                replace(part, value=name, sure=True),
                Part(kind=Kind.DATE, start=part.start, end=part.end, days=days),
            ]
        return None
    return part if known_venue(part.value) else None


def _some(papers: Papers, filters: Filters) -> bool:
    rows = filters.rows(papers)
    return rows is None or len(rows) > 0


def _is_topic(papers: Papers, thing: str) -> bool:
    """True where doing without a thing is what papers are on: `without labels`.

    It is where enough of the papers that have the thing also say `without` it. A library too small
    to tell leaves it to what methods are known for doing without.
    """
    said = forms(thing)
    having = _count(papers, " OR ".join(f'"{form}"' for form in said))
    gaps = (
        "without",
        "without any",
        "without the",
        "without explicit",
        "without additional",
        "without using",
    )
    doing = _count(papers, " OR ".join(f'"{gap} {form}"' for gap in gaps for form in said))
    if doing >= TWICE and doing >= TOPIC * having:
        return True
    return is_resource(thing)


def _count(papers: Papers, query: str) -> int:
    if not query:
        return 0
    found = papers.connection.execute("SELECT count(*) FROM words WHERE words MATCH ?", (query,))
    return int(found.fetchone()[0])
