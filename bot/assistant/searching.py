"""Searching: what the words of a search ask, found above the floor, with a line on how they were read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.assistant.artifacts import Artifact, FoundPaper
from bot.assistant.floor import close
from bot.assistant.names import Names
from index.identity import canonical_id
from index.lexical import stems
from index.library import Filters, Found, Hit, Status
from index.paper import Paper
from index.query import parse
from index.query.parts import NEWEST_FIRST

POOL = 10
"""Papers looked at for a list."""
NEWEST_POOL = 30


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What a search is narrowed by beside its words."""

    filters: Filters
    scope: dict[str, Any] = field(default_factory=dict)
    """The same as it was said, for the next message to narrow further."""
    newest: bool = False


def find(names: Names, words: str, k: int, narrowed: Narrowed, today: date) -> Artifact:
    """The papers that the words of a search ask for.

    `Artifact.abstained` where the library has none; its heading then says of what.
    """
    asked = parse(words, today=today)
    asked = replace(asked, newest=asked.newest or narrowed.newest or not words.strip())
    found = names.library.ask(asked, NEWEST_POOL if asked.newest else POOL, narrowed.filters)
    topic = found.query.text
    near = _near(names, found, narrowed) if topic else list(found.hits)
    if not near:
        found, near = _other_wording(names, found, narrowed) or (found, near)
    scope = {**narrowed.scope, **({} if words.strip() else {"newest": True})}
    # The heading of the list says it.
    notices = [line for line in found.echo if line != NEWEST_FIRST]
    artifact = Artifact(tool="search", query=words, scope=scope, notices=notices)
    if not near:
        artifact.abstained = True
        artifact.nearest = [listing(hit, found) for hit in found.hits[:3]]
        artifact.heading = (
            f"Nothing in the library is about “{topic}”"
            if topic
            else "Nothing of that kind is in the library"
        )
        return artifact
    artifact.papers = [listing(hit, found) for hit in near[:k]]
    if not words.strip():
        artifact.heading = "Newest in the library"
    elif found.query.newest or not topic:
        artifact.heading = "Newest first"
    return artifact


def _near(names: Names, found: Found, narrowed: Narrowed) -> list[Hit]:
    topic = found.query.text
    author = found.query.filters.author or narrowed.filters.author
    if author and set(stems(topic)) <= set(stems(author)):
        # Who wrote a paper is in its record, not in its text.
        return list(found.hits)
    near = close(names.library, topic, found.hits, names.floor)
    near.sort(key=lambda hit: (not hit.exact, hit.paper.status is not Status.ACTIVE))
    if found.query.newest:
        near.sort(key=lambda hit: hit.paper.published or "", reverse=True)
    return near


def _other_wording(
    names: Names, found: Found, narrowed: Narrowed
) -> tuple[Found, list[Hit]] | None:
    for wording in alternatives(found.query.text):
        query = replace(found.query, text=wording, said=wording, parts=())
        other = names.library.ask(query, POOL, narrowed.filters)
        if near := _near(names, other, narrowed):
            return replace(other, echo=found.echo), near
    return None


def narrowing(
    year: str | None, author: str | None, venue: str | None, ids: Sequence[str], today: date
) -> Filters:
    """The filters of a tool's arguments; `year` may be any words for a time."""
    dates = parse(year, today=today).filters.dates if year else None
    return Filters(
        years=None if dates else years_of(year),
        dates=dates,
        author=author or None,
        venue=venue or None,
        ids=frozenset(ids) if ids else None,
    )


def listing(hit: Hit, found: Found | None = None) -> FoundPaper:
    """A hit as a list shows it, with where its other versions are."""
    others = found.also.get(hit.paper.id, ()) if found else ()
    places = [" ".join(filter(None, (other.venue, other.link or other.id))) for other in others]
    places += [link for link in versions(hit.paper) if not any(link in place for place in places)]
    reason = f"Also {', '.join(places)}" if places else ""
    return FoundPaper.of(hit.paper, reason=reason, score=hit.score)


def versions(paper: Paper) -> list[str]:
    """Links to other places where a paper is: the pages of the other ids it goes by."""
    best = canonical_id(paper.link) or paper.id
    known = {link: canonical_id(link) for link in paper.links[1:]}
    # arXiv's own DOI leads where its link does; a PDF beside a page is the same place.
    return [link for link, key in known.items() if key and key not in {best, paper.id}]


def local_today() -> date:
    """The date where this machine is."""
    return datetime.now().astimezone().date()


def today_in(zone: str) -> Callable[[], date]:
    """The date in a time zone, each time it is asked."""
    place = ZoneInfo(zone)
    return lambda: datetime.now(place).date()


def alternatives(query: str) -> list[str]:
    """A topic with an "or" in it, once with each side of it: `proteins or DNA in models`."""
    match = re.search(r"([\w-]+)\s+or\s+([\w-]+)", query)
    if not match:
        return []
    return [query[: match.start()] + side + query[match.end() :] for side in match.groups()]


def years_of(text: str | None) -> tuple[int | None, int | None] | None:
    """First and last year of `2025`, `2023..2025`, `2024..`, `..2020`, `since 2024`; None for none."""
    if not text:
        return None
    years = [int(year) for year in re.findall(r"\b(?:19|20)\d\d\b", text)]
    if not years:
        return None
    words = text.casefold()
    if len(years) > 1:
        return min(years), max(years)
    if re.search(r"\.\.\s*$|>=|since|from|\d\s*(?:\+|-|–|onwards?|or (?:newer|later))\s*$", words):
        return years[0], None
    if re.search(r"after|>|(?:newer|later) than", words):
        return years[0] + 1, None
    if re.search(r"before|<(?!=)|(?:older|earlier) than", words):
        return None, years[0] - 1
    if re.search(r"^\s*\.\.|<=|until|up to|or (?:older|earlier)", words):
        return None, years[0]
    return years[0], years[0]
