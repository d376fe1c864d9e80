"""arXiv's daily lists: what is new today, and why there is nothing where there is nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from index.paper import Paper
from index.sources.arxiv import ArxivListing
from index.sources.arxiv.calendar import (
    announcement_for,
    batch_for,
    batches_between,
    expected_batch,
    submitted_for,
    why_none,
)  # fmt: skip
from index.sources.arxiv.listing import ListState, read_listing, state_of
from index.sources.source import JSON, Kind, Page, SourceFailure
from index.sources.web import Web
from tests.index.sources.arxiv_feeds import atom_listing, entry, feed, item, listing
from tests.index.sources.server import FakeClock, Reply, Script

RSS = "/rss/q-bio.PE"


def daily(served: Script) -> ArxivListing:
    return ArxivListing("q-bio.PE", url=served.url, api=served.url)


def read(served: Script, web: Web, state: Mapping[str, JSON]) -> list[Page]:
    return list(daily(served).pages(web, state))


def items(first: int, last: int) -> list[str]:
    return [item(f"2603.{number:05}") for number in range(first, last)]


def test_new_cross_listed_and_replaced_papers_are_told_apart(web: Web, served: Script) -> None:
    kinds = ["new", "cross", "replace", "replace-cross"]
    served.on(RSS, listing([item(f"2603.0000{n}", kind) for n, kind in enumerate(kinds)]))
    (page,) = read(served, web, {})
    assert page.batch == "2026-03-04"
    assert page.kinds == {
        "arxiv:2603.00000": Kind.NEW,
        "arxiv:2603.00001": Kind.CROSS,
        "arxiv:2603.00002": Kind.REPLACED,
        "arxiv:2603.00003": Kind.REPLACED,
    }
    paper = page.records[0]
    assert isinstance(paper, Paper)
    assert paper.abstract == "We follow eel 2603.00000 where $x<y$."
    assert paper.authors == ("Ada Lund", "Bo Ek")
    assert paper.published == "2026-03-04"


def test_a_replaced_paper_is_not_said_to_be_of_today() -> None:
    ((paper, kind),) = read_listing(listing([item("2305.00001", "replace", 3)]).encode()).items
    assert isinstance(paper, Paper)
    assert (kind, paper.published, paper.updated) == (Kind.REPLACED, "2023-05", "2026-03-04")
    assert paper.version == 3


def test_a_list_in_atom_says_the_same_as_one_in_rss() -> None:
    found = read_listing(atom_listing([("2603.00001", "new"), ("2603.00002", "cross")]).encode())
    assert found.day == date(2026, 3, 4)
    assert [(getattr(one, "id", one), kind) for one, kind in found.items] == [
        ("arxiv:2603.00001", Kind.NEW),
        ("arxiv:2603.00002", Kind.CROSS),
    ]


def test_a_list_that_is_not_made_yet_is_waited_for_and_then_delivered_on_the_same_day(
    web: Web, served: Script, clock: FakeClock
) -> None:
    served.on(RSS, listing(items(0, 5), "Tue, 03 Mar 2026"))
    (first,) = read(served, web, {})
    assert first.batch == "2026-03-03"
    (second,) = read(served, web, first.state)
    assert (second.records, second.batch) == ((), "")
    assert second.note == "waiting: the list of 2026-03-04 is not out yet"
    clock.passed += 7200
    served.on(RSS, listing(items(5, 9)))
    served.reply(RSS)
    (third,) = read(served, web, second.state)
    assert (len(third.records), third.batch) == (4, "2026-03-04")


def test_new_ids_are_a_new_batch_though_the_date_of_the_feed_lags(web: Web, served: Script) -> None:
    served.on(
        RSS, listing(items(0, 5), "Tue, 03 Mar 2026"), listing(items(5, 9), "Tue, 03 Mar 2026")
    )
    (first,) = read(served, web, {})
    (second,) = read(served, web, first.state)
    assert (len(second.records), second.batch) == (4, "2026-03-04")


def test_stragglers_of_a_batch_do_not_close_the_next_day(
    web: Web, served: Script, clock: FakeClock
) -> None:
    served.on(RSS, listing(items(0, 5), "Tue, 03 Mar 2026"), listing(items(0, 6)))
    (first,) = read(served, web, {})
    (second,) = read(served, web, first.state)
    assert (len(second.records), second.batch) == (1, "2026-03-03")
    assert daily(served).expected(clock.now()) == "2026-03-04"


def test_a_sunday_with_the_list_of_friday_is_quiet(served: Script) -> None:
    clock = FakeClock(datetime(2026, 3, 8, 15, tzinfo=UTC))
    served.on(RSS, listing(items(0, 5), "Fri, 06 Mar 2026"))
    with Web("", clock) as web:
        (first,) = read(served, web, {})
        (again,) = read(served, web, first.state)
    assert again.note == "no announcement today (weekend)"
    assert daily(served).expected(clock.now()) == "2026-03-06"


def test_a_list_that_is_days_late_is_stalled() -> None:
    friday = datetime(2026, 3, 6, 15, tzinfo=UTC)
    assert state_of(False, date(2026, 3, 6), friday) is ListState.QUIET
    assert state_of(False, date(2026, 3, 5), friday) is ListState.WAITING
    assert state_of(False, date(2026, 3, 2), friday) is ListState.STALLED
    assert state_of(True, date(2026, 3, 2), friday) is ListState.FRESH


def test_announcements_that_were_missed_are_made_up_for_by_batch(
    web: Web, served: Script, clock: FakeClock
) -> None:
    served.on(RSS, listing(items(0, 5), "Mon, 02 Mar 2026"), listing(items(5, 9)))
    cross = entry("2603.00021", category="cs.LG")
    served.on("/api/query", feed([entry("2603.00020"), cross]))
    (first,) = read(served, web, {})
    today, missed, done = read(served, web, first.state)
    assert (today.batch, missed.batch) == ("2026-03-04", "2026-03-03")
    assert missed.kinds == {"arxiv:2603.00020": Kind.NEW, "arxiv:2603.00021": Kind.CROSS}
    assert "[202602271900 TO 202603021859]" in served.asked[-1].query["search_query"]
    assert "gap" in today.state
    assert "gap" not in done.state


def test_a_gap_that_could_not_be_filled_is_filled_the_next_time(web: Web, served: Script) -> None:
    served.on(RSS, listing(items(0, 5), "Mon, 02 Mar 2026"), listing(items(5, 9)))
    served.on("/api/query", Reply(status=404), feed([entry("2603.00020")]))
    (first,) = read(served, web, {})
    reading = daily(served).pages(web, first.state)
    today = next(reading)
    with pytest.raises(SourceFailure):
        next(reading)
    again = read(served, web, today.state)
    assert [page.batch for page in again] == ["", "2026-03-03", ""]


def test_a_category_that_is_none_is_refused_in_arxivs_own_words(web: Web, served: Script) -> None:
    error = listing([]).replace("q-bio.PE updates on arXiv.org", "Feed error for query: x")
    served.on(
        RSS, error.replace("<pubDate>", "<description>Bad archive 'x'.</description><pubDate>")
    )
    with pytest.raises(SourceFailure, match="Bad archive 'x'"):
        read(served, web, {})
    with pytest.raises(SourceFailure, match="write one like"):
        ArxivListing("../admin")


EAST, SUMMER = "-05:00", "-04:00"


@pytest.mark.parametrize(
    ("submitted", "announced"),
    [
        (f"2025-03-07T15:00{EAST}", f"2025-03-10T20:00{SUMMER}"),
        (f"2025-03-07T13:59{EAST}", f"2025-03-09T20:00{SUMMER}"),
        (f"2025-03-04T14:00{EAST}", f"2025-03-05T20:00{EAST}"),
        (f"2025-03-04T13:59{EAST}", f"2025-03-04T20:00{EAST}"),
        (f"2025-03-09T10:00{SUMMER}", f"2025-03-10T20:00{SUMMER}"),
        ("2025-03-04T18:59+00:00", f"2025-03-04T20:00{EAST}"),
        (f"2025-12-24T10:00{EAST}", f"2025-12-28T20:00{EAST}"),
    ],
)
def test_a_paper_comes_out_when_arxiv_says(submitted: str, announced: str) -> None:
    assert announcement_for(datetime.fromisoformat(submitted)) == datetime.fromisoformat(announced)


def test_each_minute_of_a_week_belongs_to_the_batch_whose_window_holds_it() -> None:
    for batch in batches_between(date(2025, 2, 27), date(2025, 3, 15)):
        first, last = submitted_for(batch)
        assert batch_for(first) == batch_for(last) == batch


def test_saturday_morning_in_tokyo_still_expects_the_list_of_friday() -> None:
    assert expected_batch(datetime.fromisoformat("2025-03-08T10:00+09:00")) == date(2025, 3, 7)
    assert why_none(datetime.fromisoformat("2025-03-08T12:00-05:00")) == "weekend"
    assert why_none(datetime.fromisoformat("2025-12-26T12:00-05:00")) == "holiday"


def test_a_recorded_day_becomes_a_batch_with_counts_that_add_up(
    shared: Path, served: Script
) -> None:
    folder = shared / "data/payloads/arxiv_rss"
    served.on("/rss/cs", (folder / "rss_mock_feed.xml").read_bytes())
    clock = FakeClock(datetime(2024, 11, 28, 15, tzinfo=UTC))
    with Web("", clock) as web:
        source = ArxivListing("cs", url=served.url, api=served.url)
        (page,) = source.pages(web, {})
        (again,) = source.pages(web, page.state)
    assert page.batch == "2024-11-28"
    assert len(page.records) == len(page.kinds) == 1504
    assert Counter(page.kinds.values()) == {Kind.NEW: 926, Kind.REPLACED: 569, Kind.CROSS: 9}
    assert all(isinstance(one, Paper) for one in page.records)
    assert again.records == ()


def test_recorded_feeds_without_papers_are_told_apart(shared: Path) -> None:
    folder = shared / "data/payloads/arxiv_rss"
    assert read_listing((folder / "empty_rss_mock_feed.xml").read_bytes()).items == ()
    with pytest.raises(SourceFailure, match="Bad archive 'astroph'"):
        read_listing((folder / "error_rss_mock_feed.xml").read_bytes())


def test_while_the_list_cannot_be_read_new_papers_come_from_the_api_and_no_batch_is_done(
    web: Web, served: Script
) -> None:
    cross = entry("2603.00021", category="cs.LG")
    served.on(RSS, listing(items(0, 5), "Tue, 03 Mar 2026"), Reply(status=404))
    served.on("/api/query", feed([entry("2603.00020"), cross]))
    (first,) = read(served, web, {})
    pages = read(served, web, first.state)
    assert ids(pages) == ["arxiv:2603.00020"]
    assert {page.batch for page in pages} == {""}
    assert pages[-1].state == first.state
    assert not pages[-1].complete
    assert pages[-1].note.startswith("the list of q-bio.PE could not be read (")
    assert pages[-1].note.endswith("what is new came from the API")


def test_where_neither_list_nor_api_answers_it_failed(web: Web, served: Script) -> None:
    served.on(RSS, listing(items(0, 5), "Tue, 03 Mar 2026"), Reply(status=404))
    (first,) = read(served, web, {})
    with pytest.raises(SourceFailure, match="404"):
        read(served, web, first.state)


def ids(pages: list[Page]) -> list[str]:
    return [one.id for page in pages for one in page.records if isinstance(one, Paper)]
