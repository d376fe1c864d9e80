"""arXiv's daily lists: what a category announced, new, cross-listed and replaced told apart.

Form of the feeds: https://info.arxiv.org/help/rss_specifications.html
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import StrEnum
from xml.etree.ElementTree import Element

from index.paper import Paper
from index.sources.arxiv.api import ArxivSearch
from index.sources.arxiv.calendar import (
    EASTERN,
    Closed,
    batches_between,
    expected_batch,
    submitted_for,
    us_holidays,
    why_none,
)  # fmt: skip
from index.sources.arxiv.papers import paper_of
from index.sources.arxiv.query import Window
from index.sources.arxiv.service import API_URL, RSS_URL, children, gate, local, parse, text_of
from index.sources.records import Skipped
from index.sources.source import JSON, BadAnswer, Kind, Page, SourceFailure
from index.sources.web import Web

_KINDS = {
    "new": Kind.NEW,
    "cross": Kind.CROSS,
    "replace": Kind.REPLACED,
    "replace-cross": Kind.REPLACED,
}
STALLED_AFTER = 2
"""A list so many announcements late is a fault, and no delay of an hour."""
GAP = timedelta(days=60)
"""Announcements that were missed are made up for so far back."""


class ListState(StrEnum):
    """What a list that was just read is."""

    FRESH = "fresh"
    WAITING = "waiting"
    QUIET = "quiet"
    STALLED = "stalled"


@dataclass(frozen=True, slots=True)
class Listing:
    """One feed as it was read."""

    day: date | None
    """The date it gives itself, which may be a day behind."""
    items: tuple[tuple[Paper | Skipped, Kind], ...]


def read_listing(body: bytes) -> Listing:
    """Read a list in RSS or Atom.

    Raises:
        BadAnswer: it is neither.
        SourceFailure: it says that there is no such category.
    """
    root = parse(body)
    channel = next(iter(children(root, "channel")), root)
    if local(root) not in {"rss", "feed"}:
        raise BadAnswer("arXiv answered with something that is no list of papers; try again later")
    if (
        "error" in text_of(channel, "title").casefold()
        and "feed" in text_of(channel, "title").casefold()
    ):
        said = text_of(channel, "description") or text_of(channel, "subtitle")
        raise SourceFailure(f"arXiv has no such list: {said[:400]}", kind="refused")
    day = _day(text_of(channel, "pubDate") or text_of(channel, "updated"))
    items = [*children(channel, "item"), *children(channel, "entry")]
    return Listing(day, tuple(_item(item, day) for item in items))


def state_of(
    fresh: bool, last: date | None, now: datetime, closed: Closed = us_holidays
) -> ListState:
    """What a list is, by whether it holds ids not seen before and the last batch there was."""
    if fresh:
        return ListState.FRESH
    due = expected_batch(now, closed)
    if last is None or last >= due:
        return ListState.QUIET
    late = sum(1 for _ in batches_between(last, due + timedelta(days=1), closed))
    return ListState.STALLED if late > STALLED_AFTER else ListState.WAITING


class ArxivListing:
    """What a category announces day by day; a batch is known by its ids, not by the clock.

    Args:
        category: `cs.CL`, or an archive such as `cs`.
        url: the root of the feeds; `api` that of the API, which fills in missed announcements.
        catch_up: whether announcements that were missed are asked of the API.
    """

    def __init__(
        self,
        category: str,
        *,
        url: str = RSS_URL,
        api: str = API_URL,
        closed: Closed = us_holidays,
        catch_up: bool = True,
    ) -> None:
        if not re.fullmatch(r"[A-Za-z][A-Za-z-]*(?:\.[A-Za-z][A-Za-z-]*)?", category):
            raise SourceFailure(
                f"{category!r} is no category; write one like cs.CL", kind="refused"
            )
        self.category = category
        self.name = f"arxiv:{category}"
        self.url, self.api = url, api
        self._closed = closed
        self._catch_up = catch_up

    def expected(self, now: datetime) -> str:
        """The latest batch that should be out by then, as a date."""
        return expected_batch(now, self._closed).isoformat()

    def pages(self, web: Web, state: Mapping[str, JSON]) -> Iterator[Page]:
        """The list of today, then the announcements missed since the last one."""
        last, seen, gap = _kept(state)
        address = f"{self.url.rstrip('/')}/rss/{self.category}"
        now = web.clock.now()
        try:
            listing = read_listing(web.get(address, gate=gate(web.clock)).body)
        except SourceFailure as failure:
            yield from self._instead(web, state, failure)
            return
        known = set(seen)
        fresh = [pair for pair in listing.items if _key(pair[0]) not in known]
        if not fresh:
            # Nothing to store, but a gap of the last time may be left.
            note = self._silence(last, now)
            yield Page(state=_state(last, seen, gap), note=note)
        else:
            stragglers = len(fresh) * 2 <= len(listing.items)
            batch = last if stragglers and last else self._batch(listing.day, last, now)
            if last and batch > last and any(batches_between(last, batch, self._closed)):
                gap = gap or (last, batch)
            ids = [_key(one) for one, _ in listing.items]
            last = batch
            seen = list(dict.fromkeys(ids))
            yield Page(
                records=tuple(one for one, _ in fresh),
                state=_state(last, seen, gap),
                batch=batch.isoformat(),
                kinds=_kinds(fresh),
            )
        if gap and last and self._catch_up:
            yield from self._missed(web, gap, last, seen)

    def _instead(
        self, web: Web, state: Mapping[str, JSON], failure: SourceFailure
    ) -> Iterator[Page]:
        """What the API has of the announcements due, while the list cannot be read.

        No batch is marked as read: the list, once it is back, says what it held. Cross-lists and
        replacements wait for it.
        """
        last, due = _kept(state)[0], expected_batch(web.clock.now(), self._closed)
        if not self._catch_up or last is None or due <= last:
            raise failure
        came = False
        try:
            for day in batches_between(max(last, due - GAP), due + timedelta(days=1), self._closed):
                for page in self._submitted(web, day):
                    new = (
                        one
                        for one in page.records
                        if not isinstance(one, Paper) or self._kind(one) is Kind.NEW
                    )
                    came = came or bool(page.records)
                    yield Page(records=tuple(new), state=state)
        except SourceFailure:
            if not came:
                raise failure from None
        note = f"the list of {self.category} could not be read ({failure})"
        note += "; what is new came from the API" if came else "; the API has nothing new either"
        yield Page(state=state, note=note, complete=False)

    def _submitted(self, web: Web, day: date) -> Iterator[Page]:
        """What the API has for the announcement of a day."""
        search = ArxivSearch(
            categories=[self.category if "." in self.category else f"{self.category}*"],
            window=Window(*submitted_for(day, self._closed)),
            url=self.api,
        )
        return search.pages(web, {})

    def _silence(self, last: date | None, now: datetime) -> str:
        found = state_of(False, last, now, self._closed)
        since = f"the last list is of {last}" if last else "the list is empty"
        if found is ListState.QUIET:
            why = why_none(now, self._closed)
            return f"no announcement today ({why})" if why else f"nothing new to come; {since}"
        if found is ListState.STALLED:
            return f"stalled: {since}, and several are due since"
        return f"waiting: the list of {expected_batch(now, self._closed)} is not out yet"

    def _batch(self, day: date | None, last: date | None, now: datetime) -> date:
        """The batch of ids not seen before: the day the feed gives, where that can be."""
        due = expected_batch(now, self._closed)
        today = now.astimezone(EASTERN).date()
        if day and day <= today + timedelta(days=1) and (last is None or day > last):
            return day
        if last is None or due > last:
            return due
        # New ids though none were due: announced on a day that we take for a holiday.
        following = last + timedelta(days=1)
        while following.weekday() > 4:
            following += timedelta(days=1)
        return following

    def _missed(
        self, web: Web, gap: tuple[date, date], last: date, seen: list[str]
    ) -> Iterator[Page]:
        """Announcements between two lists: a feed holds the latest only, the API all."""
        after, before = gap
        for day in batches_between(max(after, before - GAP), before, self._closed):
            for page in self._submitted(web, day):
                yield Page(
                    records=page.records,
                    state=_state(last, seen, (after, before)),
                    batch=day.isoformat(),
                    kinds={
                        one.id: self._kind(one) for one in page.records if isinstance(one, Paper)
                    },
                    note=page.note or f"the list of {day} was missed and is made up from the API",
                    complete=page.complete,
                )
                if not page.complete:
                    return
            after = day
        yield Page(state=_state(last, seen, None))

    def _kind(self, paper: Paper) -> Kind:
        first = paper.categories[0] if paper.categories else ""
        own = first == self.category or first.startswith(f"{self.category}.")
        return Kind.NEW if own else Kind.CROSS


def _item(item: Element, day: date | None) -> tuple[Paper | Skipped, Kind]:
    # RSS and Atom differ in names only.
    said = text_of(item, "description") or text_of(item, "summary")
    head, _, abstract = said.partition("Abstract:")
    named = re.search(r"arXiv:(\S+)", head)
    guid = text_of(item, "guid") or text_of(item, "id")
    written = named[1] if named else re.sub(r"^oai:arXiv\.org:", "", guid)
    announced = text_of(item, "announce_type")
    if not announced and (told := re.search(r"Announce Type:\s*([\w-]+)", head)):
        announced = told[1]
    # What we do not know is not called new.
    kind = _KINDS.get(announced.strip().casefold(), Kind.REPLACED)
    creators = text_of(item, "creator")
    authors = creators.split(", ") if creators else []
    for author in children(item, "author"):
        authors += [text_of(author, "name")] if len(author) else (author.text or "").split(", ")
    when = day.isoformat() if day else ""
    paper = paper_of(
        written=written or text_of(item, "link"),
        title=text_of(item, "title"),
        abstract=abstract or said,
        authors=[" ".join(name.split()) for name in authors],
        announced=when if kind is Kind.NEW else "",
        updated=when if kind is Kind.REPLACED else "",
        categories=[
            str(one.text or one.get("term") or "").strip() for one in children(item, "category")
        ],
        doi=text_of(item, "DOI") or text_of(item, "doi"),
        journal=text_of(item, "journal_reference"),
    )
    return paper, kind


def _kinds(pairs: list[tuple[Paper | Skipped, Kind]]) -> dict[str, Kind]:
    """Of a paper that stands in a list twice, the news is what it was first announced as."""
    order = list(Kind)
    kinds: dict[str, Kind] = {}
    for one, kind in pairs:
        if isinstance(one, Paper):
            kinds[one.id] = min(kinds.get(one.id, kind), kind, key=order.index)
    return kinds


def _key(one: Paper | Skipped) -> str:
    """An id with its version: the same paper replaced the next day is news."""
    return f"{one.id}v{one.version}" if isinstance(one, Paper) else one.where


def _kept(state: Mapping[str, JSON]) -> tuple[date | None, list[str], tuple[date, date] | None]:
    last, gap = None, None
    with contextlib.suppress(ValueError):
        last = date.fromisoformat(str(state.get("batch", "")))
        ends = state.get("gap")
        if isinstance(ends, list) and len(ends) == 2:
            gap = (date.fromisoformat(str(ends[0])), date.fromisoformat(str(ends[1])))
    seen = state.get("seen")
    return last, [str(one) for one in seen] if isinstance(seen, list) else [], gap


def _state(last: date | None, seen: list[str], gap: tuple[date, date] | None) -> dict[str, JSON]:
    kept: dict[str, JSON] = {"batch": last.isoformat() if last else "", "seen": list(seen)}
    if gap:
        kept["gap"] = [end.isoformat() for end in gap]
    return kept


def _day(text: str) -> date | None:
    with contextlib.suppress(ValueError, TypeError, IndexError, OverflowError):
        return parsedate_to_datetime(text).date()
    with contextlib.suppress(ValueError):
        return datetime.fromisoformat(text).date()
    return None
