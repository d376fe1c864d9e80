"""arXiv's whole history: every record once, whatever happens to the tokens."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.paper import Paper
from index.sources.arxiv import ArxivHarvest
from index.sources.arxiv.feed import read_feed
from index.sources.arxiv.harvest import read_harvest
from index.sources.arxiv.listing import read_listing
from index.sources.records import Skipped
from index.sources.source import SourceFailure
from index.sources.web import Web
from tests.index.sources.arxiv_feeds import entry, feed, harvested, item, listing, oai
from tests.index.sources.server import Script

ONE = harvested("0705.0001", "2026-02-01")
TWO = harvested("0705.0002", "2026-02-01")
THREE = harvested("0705.0003", "2026-02-02")
FOUR = harvested("0705.0004", "2026-02-03")


def found(served: Script, web: Web) -> list[str]:
    pages = ArxivHarvest("q-bio", url=served.url).pages(web, {})
    return [one.id for page in pages for one in page.records if isinstance(one, Paper)]


def test_all_pages_are_read_by_their_tokens(web: Web, served: Script) -> None:
    served.on("/oai", oai([ONE, TWO], "t1"), oai([THREE], "t2"), oai([FOUR]))
    assert found(served, web) == [f"arxiv:0705.000{n}" for n in (1, 2, 3, 4)]
    assert served.asked[0].query == {
        "verb": "ListRecords",
        "metadataPrefix": "arXiv",
        "set": "q-bio",
    }
    assert served.asked[1].query == {"verb": "ListRecords", "resumptionToken": "t1"}


def test_an_expired_token_goes_on_from_the_last_datestamp_with_nobody_twice(
    web: Web, served: Script
) -> None:
    served.on("/oai", oai([ONE, TWO], "t1"), oai([THREE], "t2"),
              oai(error="badResumptionToken"), oai([THREE, FOUR]))  # fmt: skip
    assert found(served, web) == [f"arxiv:0705.000{n}" for n in (1, 2, 3, 4)]
    assert served.asked[-1].query["from"] == "2026-02-02"


def test_a_harvest_is_taken_up_where_it_stopped(web: Web, served: Script) -> None:
    served.on("/oai", oai([ONE, TWO], "t1"), oai(error="badResumptionToken"), oai([TWO, THREE]))
    first = next(ArxivHarvest(url=served.url).pages(web, {}))
    assert first.state == {"since": "2026-02-01", "token": "t1"}
    rest = list(ArxivHarvest(url=served.url).pages(web, first.state))
    assert served.asked[-1].query["from"] == "2026-02-01"
    assert rest[-1].state == {"since": "2026-02-02"}


def test_datestamps_out_of_order_start_again_from_the_beginning(web: Web, served: Script) -> None:
    served.on("/oai", oai([THREE, ONE], "t1"), oai(error="badResumptionToken"),
              oai([THREE, ONE, TWO]))  # fmt: skip
    assert found(served, web) == [f"arxiv:0705.000{n}" for n in (3, 1, 2)]
    assert "from" not in served.asked[-1].query


def test_a_datestamp_is_no_date_of_submission_and_deleted_records_are_named() -> None:
    body = oai([ONE, harvested("0705.0009", "2026-02-01", deleted=True)])
    (paper, _), (gone, _) = read_harvest(body.encode()).records
    assert isinstance(paper, Paper)
    assert (paper.published, paper.updated) == ("2007-05-02", "")
    assert paper.authors == ("Ada Lund",)
    assert paper.categories == ("q-bio.PE", "cs.LG")
    assert gone == Skipped("arxiv:0705.0009", "arXiv has deleted it")


def test_nothing_new_is_no_failure(web: Web, served: Script) -> None:
    served.on("/oai", oai(error="noRecordsMatch"))
    (page,) = ArxivHarvest(url=served.url).pages(web, {"since": "2026-02-02"})
    assert (page.records, page.state) == ((), {"since": "2026-02-02"})


@pytest.mark.parametrize(
    "replies",
    [
        [oai([ONE], "t1"), oai(error="badResumptionToken"), oai([ONE], "t1"),
         *[oai(error="badResumptionToken")]],
        [oai([ONE], "t1"), oai([ONE], "t1")],
        [oai(error="badArgument")],
        ["<html>moved</html>"],
    ],
)  # fmt: skip
def test_a_service_that_leads_nowhere_is_left(web: Web, served: Script, replies: list[str]) -> None:
    served.on("/oai", *replies)
    with pytest.raises(SourceFailure):
        found(served, web)
    assert len(served.asked) < 12


READERS: list[tuple[Callable[[bytes], object], str]] = [
    (read_feed, feed([entry("2603.00001", comment="12 pages")])),
    (read_listing, listing([item("2603.00001")])),
    (read_harvest, oai([ONE], "t1")),
]


@pytest.mark.parametrize(("reader", "good"), READERS)
@given(data=st.data())
def test_no_bytes_bring_a_reader_down(
    reader: Callable[[bytes], object], good: str, data: st.DataObject
) -> None:
    body = good.encode()
    start = data.draw(st.integers(0, len(body)))
    length = data.draw(st.integers(0, 80))
    put = data.draw(st.one_of(st.binary(max_size=20), st.text(max_size=20).map(
        lambda text: text.encode("utf-8", "replace"))))  # fmt: skip
    for mutated in (put, body[:start] + put + body[start + length :], body[:start]):
        with contextlib.suppress(SourceFailure):
            reader(mutated)
