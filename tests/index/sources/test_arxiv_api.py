"""arXiv's API: nothing lost, nothing taken for a paper that is none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import pytest

from index.paper import Paper, Status
from index.sources.arxiv import ArxivIds, ArxivSearch
from index.sources.arxiv.feed import read_feed
from index.sources.arxiv.query import Window, query_of
from index.sources.arxiv.withdrawals import withdrawal
from index.sources.records import Skipped
from index.sources.source import Page, SourceFailure
from index.sources.web import Web
from tests.index.sources.arxiv_feeds import FAULT, entry, feed, numbers
from tests.index.sources.server import FakeClock, Reply, Script

API = "/api/query"


def ids(pages: Iterable[Page]) -> list[str]:
    return [one.id for page in pages for one in page.records if isinstance(one, Paper)]


def search(served: Script, **more: object) -> ArxivSearch:
    return ArxivSearch("eel", url=served.url, **more)  # type: ignore[arg-type]


def test_an_empty_page_in_the_middle_is_asked_again(web: Web, served: Script) -> None:
    empty = feed([], 250)
    served.on(API, feed(numbers(0, 100), 250), empty, empty, feed(numbers(100, 200), 250),
              feed(numbers(200, 250), 250))  # fmt: skip
    pages = list(search(served, page_size=100).pages(web, {}))
    assert len(set(ids(pages))) == len(ids(pages)) == 250
    assert [asked.query["start"] for asked in served.asked] == ["0", "100", "100", "100", "200"]
    assert all(page.complete for page in pages)


def test_a_page_that_stays_empty_leaves_what_came_and_is_called_partial(
    web: Web, served: Script
) -> None:
    served.on(API, feed(numbers(0, 100), 250), feed([], 250))
    pages = list(search(served, page_size=100).pages(web, {}))
    assert len(ids(pages)) == 100
    assert [page.complete for page in pages] == [True, False]
    assert pages[-1].note == "partial: the page from 100 of 250 stayed empty"
    served.on(API, feed(numbers(100, 250), 250))
    served.reply(API)
    assert len(ids(search(served).pages(web, pages[-1].state))) == 150
    assert served.asked[-1].query["start"] == "100"


def test_a_short_page_skips_nobody(web: Web, served: Script) -> None:
    served.on(API, feed(numbers(0, 7), 25), feed(numbers(7, 17), 25), feed(numbers(17, 25), 25))
    assert len(set(ids(search(served, page_size=10).pages(web, {})))) == 25
    assert [asked.query["start"] for asked in served.asked] == ["0", "7", "17"]


def test_results_that_never_arrive_are_counted(web: Web, served: Script) -> None:
    served.on(API, feed(numbers(0, 10), 20), feed(numbers(5, 15), 20))
    pages = list(search(served, page_size=10).pages(web, {}))
    assert len(ids(pages)) == 15
    assert pages[-1].note == "partial: 5 of 20 results never arrived"


def test_requests_are_three_seconds_apart(web: Web, served: Script) -> None:
    served.on(API, feed(numbers(0, 10), 20), feed(numbers(10, 20), 20))
    list(search(served, page_size=10).pages(web, {}))
    assert served.asked[1].at - served.asked[0].at == pytest.approx(3)


def test_more_results_than_the_cap_are_asked_for_by_windows_of_time(
    web: Web, served: Script
) -> None:
    served.on(API, feed(numbers(0, 1), 42_000), feed(numbers(0, 2)), feed(numbers(2, 3)))
    found = search(served, since=date(2025, 1, 1), until=date(2025, 12, 31))
    assert len(ids(found.pages(web, {}))) == 3
    terms = [re.search(r"\[(\d+) TO (\d+)\]", one.query["search_query"]) for one in served.asked]
    assert [term and term.groups() for term in terms] == [
        ("202501010000", "202512312359"),
        ("202501010000", "202507021159"),
        ("202507021200", "202512312359"),
    ]
    assert all(int(a.query["start"]) + int(a.query["max_results"]) <= 30_000 for a in served.asked)


def test_a_day_is_a_range_with_both_its_ends() -> None:
    day = Window.of_days(date(2025, 2, 10), date(2025, 2, 10))
    assert day.term() == "submittedDate:[202502100000 TO 202502102359]"


def test_what_is_asked_must_all_hold() -> None:
    assert query_of('graph "coarse grids"', categories=["cs.LG", "cs.CL"], author="Ada Lund") == (
        'all:graph AND all:"coarse grids" AND au:"Ada Lund" AND (cat:cs.LG OR cat:cs.CL)'
    )
    assert query_of("ti:eel OR abs:sea", author="Ek") == "(ti:eel OR abs:sea) AND au:Ek"


def test_a_limit_takes_the_most_relevant_and_stops(web: Web, served: Script) -> None:
    served.on(API, feed(numbers(0, 5), 90_000))
    assert len(ids(search(served, limit=5).pages(web, {}))) == 5
    assert len(served.asked) == 1
    assert served.asked[0].query["sortBy"] == "relevance"


def test_the_next_time_only_the_last_days_are_asked_for(web: Web, served: Script) -> None:
    served.on(API, feed(numbers(0, 2)))
    last = list(search(served).pages(web, {}))[-1]
    list(search(served).pages(web, last.state))
    assert "submittedDate:[202602250000 TO 202603042359]" in served.asked[-1].query["search_query"]


def test_papers_are_matched_by_id_and_missing_ones_are_named(web: Web, served: Script) -> None:
    served.on(API, feed([entry("2401.00001", title="One"), entry("2401.00003", title="Three")]))
    asked = ["2401.00003v2", "0704.9999", "https://arxiv.org/abs/2401.00001", "no id"]
    records = [
        one for page in ArxivIds(asked, url=served.url).pages(web, {}) for one in page.records
    ]
    assert records[0] == Skipped("no id", "it is no arXiv id")
    assert [(one.id, one.title) for one in records if isinstance(one, Paper)] == [
        ("arxiv:2401.00003", "Three"),
        ("arxiv:2401.00001", "One"),
    ]
    assert records[-1] == Skipped("arxiv:0704.9999", "arXiv knows no such paper")
    assert served.asked[0].query["max_results"] == "3"


def test_an_id_that_spoils_the_answer_costs_only_itself(web: Web, served: Script) -> None:
    served.on(
        API, Reply(feed([FAULT]), 400), feed([entry("2401.00001")]), Reply(feed([FAULT]), 400)
    )
    pages = ArxivIds(["2401.00001", "2401.00002"], url=served.url).pages(web, {})
    records = [one for page in pages for one in page.records]
    assert isinstance(records[0], Paper)
    assert records[1:] == [
        Skipped("arxiv:2401.00002", "arXiv refused it: incorrect id format for x")
    ]


def test_an_error_entry_is_no_paper(web: Web, served: Script) -> None:
    served.on(API, feed([entry("2603.00001"), FAULT]))
    (page,) = search(served).pages(web, {})
    assert [getattr(one, "title", one) for one in page.records] == [
        "On Eel 2603.00001",
        Skipped("arXiv", "incorrect id format for x"),
    ]
    served.on(API, Reply(feed([FAULT]), 400))
    served.reply(API)
    with pytest.raises(SourceFailure, match="incorrect id format"):
        list(search(served).pages(web, {}))


def test_entries_that_lack_what_a_paper_needs_are_skipped_with_the_reason() -> None:
    untitled = entry("2603.00002").replace("On Eel 2603.00002", " ")
    nameless = entry("2603.00003").replace("http://arxiv.org/abs/2603.00003v1", "")
    assert read_feed(feed([untitled, nameless]).encode()).entries == (
        Skipped("arxiv:2603.00002", "it has no title"),
        Skipped("an entry without id", "it has no arXiv id"),
    )


def test_versions_and_both_dates_are_kept_and_are_no_identity() -> None:
    made = entry("2305.00001", version=4, day="2023-05-02", updated="2025-06-11")
    (paper,) = read_feed(feed([made]).encode()).entries
    assert isinstance(paper, Paper)
    assert (paper.id, paper.version) == ("arxiv:2305.00001", 4)
    assert (paper.published, paper.updated) == ("2023-05-02", "2025-06-11")
    assert paper.links[:2] == (
        "https://arxiv.org/abs/2305.00001",
        "https://arxiv.org/pdf/2305.00001",
    )


@pytest.mark.parametrize("number", ["hep-th/9901001", "cond-mat/0211034", "math.CA/0611800"])
def test_old_ids_keep_their_archive(number: str) -> None:
    (paper,) = read_feed(feed([entry(number, version=3)]).encode()).entries
    assert isinstance(paper, Paper)
    assert (paper.id, paper.version) == (f"arxiv:{number}", 3)


def test_titles_and_abstracts_are_cleaned_and_nothing_is_cut() -> None:
    made = entry("2603.00001", title="On L\\'evy flights\n  in $\\alpha$-stable \\foobar media",
                 abstract="We see a 12% drop where $x<y$; recall rises by 3% (n=40).")  # fmt: skip
    (paper,) = read_feed(feed([made]).encode()).entries
    assert isinstance(paper, Paper)
    assert paper.title == "On Lévy flights in $\\alpha$-stable \\foobar media"
    assert paper.abstract == "We see a 12% drop where $x<y$; recall rises by 3% (n=40)."


def test_a_withdrawn_paper_says_by_whom_and_why() -> None:
    comment = "This paper has been withdrawn by the author due to a sign error in Lemma 3"
    (paper,) = read_feed(feed([entry("2603.00001", comment=comment, version=2)]).encode()).entries
    assert isinstance(paper, Paper)
    assert paper.status is Status.WITHDRAWN
    assert paper.abstract.startswith(f"{comment}. We follow")
    assert not any("/pdf/" in link for link in paper.links)


@pytest.mark.parametrize(
    ("comment", "abstract", "withdrawn"),
    [
        ("Withdrawn", "We show.", True),
        ("12 pages; withdrawn by arXiv administrators", "We show.", True),
        ("The authors have withdrawn this manuscript.", "We show.", True),
        ("The paper is withdrawn since Theorem 2 fails", "We show.", True),
        ("", "This submission has been withdrawn by the authors.", True),
        ("Supersedes arXiv:0704.0001, which has been withdrawn", "We show.", False),
        ("Withdrawn from ICML 2024", "We show.", False),
        ("8 pages", "We study drugs withdrawn from the market. The paper was long.", False),
        ("8 pages", "We ask how a paper has been withdrawn by journals.", False),
    ],
)
def test_a_withdrawal_is_told_from_talk_of_withdrawals(
    comment: str, abstract: str, withdrawn: bool
) -> None:
    assert bool(withdrawal(comment, abstract)) is withdrawn


def test_entities_that_grow_are_refused(web: Web, served: Script) -> None:
    served.on(API, '<!DOCTYPE f [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><feed>&b;</feed>')
    with pytest.raises(SourceFailure, match="no complete XML") as caught:
        list(search(served).pages(web, {}))
    assert caught.value.kind == "bad-answer"


def test_a_service_that_limits_for_ever_is_a_line_and_no_empty_result(
    web: Web, served: Script, clock: FakeClock
) -> None:
    served.on(API, Reply(status=429))
    with pytest.raises(SourceFailure, match="arXiv is limiting us"):
        list(search(served).pages(web, {}))


def test_recorded_answers_add_up(shared: Path) -> None:
    files = sorted((shared / "data/payloads/arxiv_api/xml").glob("*.xml"))
    assert len(files) == 20
    papers = faults = 0
    for path in files:
        body = path.read_bytes()
        found = read_feed(body)
        assert found.arrived == body.count(b"<entry>"), path.name
        assert all(isinstance(one, Paper) for one in found.entries), path.name
        papers += len(found.entries)
        faults += len(found.faults)
    assert (papers, faults) == (221, 1)


def test_recorded_ids_that_arxiv_does_not_know_are_named(
    shared: Path, web: Web, served: Script
) -> None:
    folder = shared / "data/payloads/arxiv_api/xml"
    (body,) = (path.read_bytes() for path in folder.glob("id_0808.05394_1707*"))
    served.on(API, body)
    (page,) = ArxivIds(["0808.05394", "1707.08567"], url=served.url).pages(web, {})
    assert ids([page]) == ["arxiv:1707.08567"]
    assert page.records[1] == Skipped("arxiv:0808.05394", "arXiv knows no such paper")
