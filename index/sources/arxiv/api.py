"""arXiv's API as a source: by words, category and author, or by ids."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, timedelta
from typing import Any

import tenacity

from index.identity import canonical_id
from index.paper import Paper
from index.sources.arxiv.feed import Feed, Taken, read_feed
from index.sources.arxiv.query import FIRST_DAY, Window, query_of
from index.sources.arxiv.service import API_URL, below, gate
from index.sources.records import Skipped
from index.sources.source import JSON, BadAnswer, Page, SourceFailure
from index.sources.web import Web

CAP = 30_000
"""Results of one query at most, whatever the offset."""
PAGE = 200
EMPTY_TRIES = 4
_FAULTS = frozenset({400})
"""With it come faults in the form of a feed."""


def ask(web: Web, url: str, **params: Any) -> Feed:
    """One page of results. Raises SourceFailure."""
    answer = web.get(
        below(url, "/api/query"), params=params, gate=gate(web.clock), accept_status=_FAULTS
    )
    try:
        feed = read_feed(answer.body)
    except BadAnswer:
        if answer.status in _FAULTS:
            raise SourceFailure(
                "arXiv refused (400); check what was asked for", kind="refused"
            ) from None
        raise
    return feed


def ask_until_filled(web: Web, url: str, **params: Any) -> Feed:
    """The same, asked again while a page is empty that cannot be; in the end as it is."""
    start = params["start"]
    feed: Feed = tenacity.Retrying(
        retry=tenacity.retry_if_result(lambda feed: not feed.arrived and feed.total > start),
        stop=tenacity.stop_after_attempt(EMPTY_TRIES),
        wait=tenacity.wait_exponential_jitter(multiplier=3, max=60, jitter=2),
        sleep=web.clock.sleep,
        retry_error_callback=lambda state: state.outcome.result() if state.outcome else None,
    )(lambda: ask(web, url, **params))
    return feed


class ArxivSearch:
    """Papers by words, categories and author.

    Args:
        words: looked for anywhere, or a query in arXiv's own language.
        since, until: first and last day of submission (UTC), both included.
        limit: at most so many, the most relevant first; 0 sets none, and the earliest come first.
        window: times of submission to the minute, in place of the days.
        url: the API's root.
    """

    def __init__(
        self,
        words: str = "",
        *,
        categories: Sequence[str] = (),
        author: str = "",
        since: date | None = None,
        until: date | None = None,
        limit: int = 0,
        window: Window | None = None,
        url: str = API_URL,
        page_size: int = PAGE,
    ) -> None:
        self.query = query_of(words, categories=categories, author=author)
        if not self.query:
            raise SourceFailure("arXiv needs words, a category or an author", kind="refused")
        self.since, self.until, self.limit = since, until, limit
        self.url, self._window = url, window
        self.page_size = max(1, min(page_size, PAGE))
        extent = f" {since or ''}..{until or ''}" if since or until else ""
        self.name = f"arxiv:{self.query}{extent}" + (f" limit {limit}" if limit else "")

    def pages(self, web: Web, state: Mapping[str, JSON]) -> Iterator[Page]:
        """All pages; the state holds the windows that are left and the offset in the first."""
        today = web.clock.now().astimezone(UTC).date()
        windows, start, since = self._left(state, today)
        given, seen = 0, set[str]()
        distinct = start
        while windows:
            size = min(self.page_size, self.limit - given) if self.limit else self.page_size
            feed = ask_until_filled(
                web, self.url, search_query=self._within(windows[0]), start=start,
                max_results=min(size, CAP - start), **self._order(),
            )  # fmt: skip
            if feed.faults and not feed.entries:
                raise SourceFailure(f"arXiv refused: {feed.faults[0]}", kind="refused")
            wanted = min(feed.total, self.limit) if self.limit else feed.total
            if wanted > CAP and (halves := windows[0].halves()):
                # Nothing of this window was given yet: its size is known from its first page on.
                windows[:1], start, distinct = halves, 0, 0
                continue
            fresh = [one for one in feed.entries if _key(one) not in seen]
            seen.update(map(_key, fresh))
            distinct += len(fresh) + len(feed.faults)
            start += feed.arrived
            given += len(fresh)
            ended = start >= min(feed.total, CAP) or not feed.arrived
            stayed_empty = not feed.arrived and start < feed.total
            missing = 0
            if ended and not stayed_empty:
                missing = (feed.total if not self.limit else 0) - distinct
            if ended and not stayed_empty:
                windows, start, distinct = windows[1:], 0, 0
                seen.clear()
            if self.limit and given >= self.limit:
                windows = []
            note = ""
            if stayed_empty:
                note = f"partial: the page from {start:,} of {feed.total:,} stayed empty"
            elif missing > 0:
                note = f"partial: {missing:,} of {feed.total:,} results never arrived"
            yield Page(
                records=(*fresh, *(Skipped("arXiv", fault) for fault in feed.faults)),
                state=self._state(windows, start, since, today),
                note=note,
                complete=not note,
            )
            if stayed_empty:
                return

    def _left(self, state: Mapping[str, JSON], today: date) -> tuple[list[Window], int, date]:
        first = self.since or FIRST_DAY
        if self.limit or self._window:
            return [self._window or Window.of_days(first, self.until or today)], 0, first
        try:
            since = max(first, date.fromisoformat(str(state.get("since") or first)))
            kept = state.get("windows")
            windows = [Window.from_json(pair) for pair in kept] if isinstance(kept, list) else []
            start = int(str(state.get("start", 0)))
        except ValueError:
            since, windows, start = first, [], 0
        if windows and 0 <= start < CAP:
            return windows, start, since
        return [Window.of_days(since, self.until or today)], 0, since

    def _state(
        self, windows: list[Window], start: int, since: date, today: date
    ) -> dict[str, JSON]:
        if windows:
            left = [window.to_json() for window in windows]
            return {"since": since.isoformat(), "windows": left, "start": start}
        if self.until or self.limit:
            return {}
        # A day twice, because papers appear some days after they were submitted.
        return {"since": max(since, today - timedelta(days=7)).isoformat()}

    def _within(self, window: Window) -> str:
        if self.limit and not (self.since or self.until or self._window):
            return self.query
        return f"{self.query} AND {window.term()}"

    def _order(self) -> dict[str, str]:
        # What comes in later stands at the end, so that offsets stay true.
        by = "relevance" if self.limit else "submittedDate"
        return {"sortBy": by, "sortOrder": "descending" if self.limit else "ascending"}


class ArxivIds:
    """Papers by their ids; what arXiv does not know is skipped by name."""

    BATCH = 100

    def __init__(self, ids: Sequence[str], *, url: str = API_URL) -> None:
        self.url = url
        self.unknown = []
        self.ids: list[str] = []
        for written in dict.fromkeys(ids):
            found = canonical_id(written) or ""
            if found.startswith("arxiv:"):
                self.ids.append(found)
            else:
                self.unknown.append(Skipped(written[:80], "it is no arXiv id"))
        self.ids = list(dict.fromkeys(self.ids))
        said = ",".join(one.removeprefix("arxiv:") for one in self.ids)
        if len(said) > 60:
            said = f"{len(self.ids)} ids {hashlib.sha256(said.encode()).hexdigest()[:12]}"
        self.name = f"arxiv:{said}"

    def pages(self, web: Web, state: Mapping[str, JSON]) -> Iterator[Page]:
        """A page for each hundred ids."""
        kept = state.get("next", 0)
        start = kept if isinstance(kept, int) and 0 < kept < len(self.ids) else 0
        if self.unknown and not start:
            yield Page(records=tuple(self.unknown), state={})
        while start < len(self.ids):
            batch = self.ids[start : start + self.BATCH]
            found, missing = self._found(web, batch)
            start += len(batch)
            yield Page(
                records=(*found, *missing),
                state={"next": start} if start < len(self.ids) else {},
            )

    def _found(self, web: Web, batch: list[str]) -> tuple[list[Taken], list[Skipped]]:
        numbers = ",".join(one.removeprefix("arxiv:") for one in batch)
        # Without max_results the API gives ten.
        feed = ask_until_filled(web, self.url, id_list=numbers, start=0, max_results=len(batch))
        if feed.faults and not feed.entries:
            if len(batch) == 1:
                return [], [Skipped(batch[0], f"arXiv refused it: {feed.faults[0]}")]
            # One id spoils the answer for all.
            middle = len(batch) // 2
            left, right = self._found(web, batch[:middle]), self._found(web, batch[middle:])
            return left[0] + right[0], left[1] + right[1]
        # By id and never by position: order and gaps are the server's.
        by_id = {_key(one): one for one in feed.entries}
        missing = [one for one in batch if one not in by_id]
        if missing and feed.arrived and feed.arrived < feed.total:
            more, still = self._found(web, missing)
            return [*(by_id[one] for one in batch if one in by_id), *more], still
        return (
            [by_id[one] for one in batch if one in by_id],
            [Skipped(one, "arXiv knows no such paper") for one in missing],
        )


def _key(one: Taken) -> str:
    return one.id if isinstance(one, Paper) else one.where
