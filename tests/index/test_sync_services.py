"""A sync over the services themselves, served here, with one of them failing in each way seen."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.digests.compose import announced_as_new
from index.ledger import Ledger
from index.library import Library
from index.settings import IndexSettings
from index.sources.catalogue import followed
from index.sources.web import Web
from index.sync import Outcome, State, Sync
from tests.index.serving import FakeClock, Reply, Server, serving
from tests.index.sources.arxiv_feeds import item, listing

WEDNESDAY = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)
SOURCES = (
    "arxiv:q-bio.PE,q-bio.QM openreview:Eel.cc/2026/Conference s2:eels openalex:eels "
    "zotero:users/7 file:refs.bib"
)
BAD = "arxiv:q-bio.PE"
BIB = "@article{eel, title={Eels at Night}, author={Obi, Ada}, year={2024}, abstract={They swim.}}"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(WEDNESDAY)


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "refs.bib").write_text(BIB)
    with Library.open(tmp_path / "library", create=True) as opened:
        yield opened


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        running.routes["/rss/q-bio.PE"] = lambda _: _rss(
            item("2603.00001"), item("2603.00002", "cross"), item("2511.00003", "replace", 2)
        )
        running.routes["/rss/q-bio.QM"] = lambda _: _rss(item("2603.00004"))
        for path, answer in ANSWERS.items():
            running.routes[path] = lambda _, sent=answer: _json(sent)  # type: ignore[misc]
        yield running


ANSWERS: dict[str, Any] = {
    "/notes": {
        "count": 1,
        "notes": [
            {
                "id": "EelForumOne",
                "forum": "EelForumOne",
                "content": {
                    "title": {"value": "Eels Agree"},
                    "abstract": {"value": "We show that eels agree."},
                    "authors": {"value": ["Ada Lund"]},
                    "venue": {"value": "Eel 2026 poster"},
                    "venueid": {"value": "Eel.cc/2026/Conference"},
                },
            }
        ],
    },
    "/graph/v1/paper/search/bulk": {
        "total": 1,
        "data": [
            {
                "paperId": "5" * 40,
                "title": "Eels Count",
                "abstract": "We count eels in seven rivers.",
                "year": 2026,
            }
        ],
    },
    "/works": {
        "meta": {"count": 1},
        "results": [
            {
                "id": "https://openalex.org/W70001",
                "display_name": "Eels Sleep",
                "abstract_inverted_index": {"Eels": [0], "sleep": [1], "by": [2], "day.": [3]},
                "publication_date": "2026-02-01",
            }
        ],
    },
    "/users/7/items": [
        {
            "key": "EELKEY01",
            "data": {
                "key": "EELKEY01",
                "itemType": "journalArticle",
                "title": "Eels Return",
                "abstractNote": "Eels return to one sea.",
            },
        }
    ],
}
"""What the services besides arXiv give, by the beginning of the path."""
SERVICES = {
    "openreview:Eel.cc/2026/Conference": "/notes",
    "semantic_scholar:eels": "/graph/v1/paper/search/bulk",
    "openalex:eels": "/works",
    "zotero:users/7": "/users/7/items",
}


def _json(answer: Any) -> Reply:
    return Reply(
        json.dumps(answer).encode(),
        headers={"Content-Type": "application/json", "Last-Modified-Version": "3"},
    )


def _rss(*items: str, day: str = "Wed, 04 Mar 2026") -> Reply:
    return Reply(listing(items, day).encode(), headers={"Content-Type": "application/rss+xml"})


Syncing = Callable[..., dict[str, Outcome]]


@pytest.fixture
def syncing(library: Library, server: Server, clock: FakeClock) -> Syncing:
    settings = IndexSettings(  # type: ignore[call-arg]
        _env_file=None,
        sources=SOURCES,
        arxiv_url=server.url,
        arxiv_rss_url=server.url,
        openreview_url=server.url,
        semantic_scholar_url=server.url,
        openalex_url=server.url,
        zotero_url=server.url,
    )

    def run(timeout: float = 10.0) -> dict[str, Outcome]:
        # The time-out is the one thing that passes in real time.
        with Web("tests@example.org", clock, limit=50_000, timeout=timeout) as web:
            outcomes = Sync(library, followed(settings), web, clock=clock).run()
        return {outcome.source: outcome for outcome in outcomes}

    return run


def test_everything_is_read_and_says_who_asks(
    library: Library, server: Server, syncing: Syncing
) -> None:
    outcomes = syncing()
    assert {o.state for o in outcomes.values()} == {State.FRESH}, outcomes
    assert server.agents == {next(iter(server.agents))}
    assert next(iter(server.agents)).endswith("(mailto:tests@example.org)")
    assert library.batches(BAD) == [("2026-03-04", {"new": 1, "cross": 1, "replaced": 1})]
    assert len(library) == 9
    again = syncing()
    assert {o.new + o.updated for o in again.values()} == {0}
    assert {o.state for o in again.values()} == {State.QUIET}


def test_only_what_was_announced_as_new_is_news(library: Library, syncing: Syncing) -> None:
    syncing()
    papers = list(library.papers())
    new = {paper.id for paper in announced_as_new(library, papers, cross=False)}
    assert new == {"arxiv:2603.00001", "arxiv:2603.00004"} | {
        p.id for p in papers if not p.id.startswith("arxiv:")
    }
    with_cross = {paper.id for paper in announced_as_new(library, papers, cross=True)}
    assert with_cross - new == {"arxiv:2603.00002"}


HTML = b"<!DOCTYPE html><html><head><title>503</title></head><body>Back soon.</body></html>"
FAULTS: dict[str, Reply] = {
    "too many requests, always": Reply(b"Rate exceeded.", 429, {"Retry-After": "4"}),
    "unavailable": Reply(b"", 503),
    "bad gateway": Reply(HTML, 502, {"Content-Type": "text/html"}),
    "no answer": Reply(hang=True),
    "a page for people": Reply(HTML, 200, {"Content-Type": "text/html"}),
    "an empty body": Reply(b""),
    "half a list": Reply(listing([item("2603.00001")]).encode()[:400]),
    "a list cut on the way": Reply(listing([item("2603.00001")]).encode()[:400], promised=900),
    "a body without end": Reply(listing([item(f"2603.{n:05}") for n in range(300)]).encode()),
    "a way to a private address": Reply(b"", 302, {"Location": "http://10.0.0.1/feed"}),
    "a way to no web address": Reply(b"", 301, {"Location": "file:///etc/passwd"}),
    "in circles": Reply(b"", 302, {"Location": "/rss/q-bio.PE"}),
    "forbidden": Reply(b"", 403),
    "entities": Reply(b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><rss>&e;</rss>'),
    "a list of nothing we know": Reply(b"<html/>"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_one_that_fails_is_a_line_marks_no_batch_and_costs_the_others_nothing(
    library: Library, server: Server, syncing: Syncing, clock: FakeClock, fault: str
) -> None:
    good = server.routes["/rss/q-bio.PE"]
    server.routes["/rss/q-bio.PE"] = lambda _: FAULTS[fault]
    outcomes = syncing(0.4 if FAULTS[fault].hang else 10.0)
    bad = outcomes.pop(BAD)
    assert (bad.state, bad.fetched, bad.batch) == (State.FAILED, 0, "")
    assert bad.why
    assert len(bad.why) < 200
    assert not any(odd in bad.why for odd in ("Traceback", "Error(", "\n", "<"))
    assert {o.state for o in outcomes.values()} == {State.FRESH}
    assert (Ledger.of(library, BAD).done, library.batches(BAD)) == ("", [])
    assert len(library) == 6

    server.routes["/rss/q-bio.PE"] = good
    clock.time += timedelta(hours=2)
    mended = syncing()[BAD]
    assert (mended.state, mended.fetched, mended.since) == (State.FRESH, 3, None)
    assert Ledger.of(library, BAD).done == "2026-03-04"


SERVICE_FAULTS: dict[str, Reply] = {
    "too many requests, always": FAULTS["too many requests, always"],
    "unavailable": FAULTS["unavailable"],
    "no answer": FAULTS["no answer"],
    "a page for people": FAULTS["a page for people"],
    "an empty body": FAULTS["an empty body"],
    "another form": Reply(b'{"message": "Internal server error"}'),
    "an answer cut on the way": Reply(b'{"results": [', promised=900),
    "a body without end": Reply(b'{"results": [' + b'"eel", ' * 10_000),
    "forbidden": FAULTS["forbidden"],
    "a way to a private address": FAULTS["a way to a private address"],
}


@pytest.mark.parametrize("fault", SERVICE_FAULTS)
def test_every_service_that_fails_is_a_line_and_its_papers_come_later(
    library: Library, server: Server, syncing: Syncing, clock: FakeClock, fault: str
) -> None:
    good = {path: server.routes[path] for path in SERVICES.values()}
    for path in good:
        server.routes[path] = lambda _: SERVICE_FAULTS[fault]
    outcomes = syncing(0.4 if SERVICE_FAULTS[fault].hang else 10.0)
    for source in SERVICES:
        bad = outcomes.pop(source)
        assert (bad.state, bad.fetched) == (State.FAILED, 0), source
        assert 0 < len(bad.why) < 200
        assert not any(odd in bad.why for odd in ("Traceback", "Error(", "\n", "<")), bad.why
    assert {o.state for o in outcomes.values()} == {State.FRESH}
    assert len(library) == 5

    server.routes.update(good)
    clock.time += timedelta(hours=2)
    mended = syncing()
    assert {mended[source].new for source in SERVICES} == {1}
    assert len(library) == 9


def test_a_limited_service_says_so_and_is_asked_no_more_often_than_it_wants(
    server: Server, syncing: Syncing, clock: FakeClock
) -> None:
    server.routes["/rss/q-bio.PE"] = lambda _: FAULTS["too many requests, always"]
    why = syncing()[BAD].why
    assert "429" in why
    assert "limiting us" in why
    waits = [seconds for seconds in clock.slept if seconds >= 4]
    assert len(waits) >= 4


def test_a_weekend_is_told_from_a_late_list(
    library: Library, server: Server, syncing: Syncing, clock: FakeClock
) -> None:
    friday = _rss(item("2603.00005"), day="Fri, 06 Mar 2026")
    server.routes["/rss/"] = lambda _: friday
    server.routes["/api/query"] = lambda _: Reply(_no_results())
    server.routes.pop("/rss/q-bio.PE")
    server.routes.pop("/rss/q-bio.QM")
    clock.time = datetime(2026, 3, 6, 15, 0, tzinfo=UTC)
    assert syncing()[BAD].state is State.FRESH
    clock.time = datetime(2026, 3, 7, 15, 0, tzinfo=UTC)
    server.routes["/rss/"] = lambda _: _rss(day="Sat, 07 Mar 2026")
    saturday = syncing()[BAD]
    assert (saturday.state, saturday.note) == (State.QUIET, "no announcement today (weekend)")
    clock.time = datetime(2026, 3, 9, 15, 0, tzinfo=UTC)
    server.routes["/rss/"] = lambda _: friday
    assert syncing()[BAD].state is State.WAITING
    server.routes["/rss/"] = lambda _: _rss(item("2603.00006"), day="Mon, 09 Mar 2026")
    monday = syncing()[BAD]
    assert (monday.state, monday.new, monday.batch) == (State.FRESH, 1, "2026-03-09")
    assert Ledger.of(library, BAD).done == "2026-03-09"


def _no_results() -> bytes:
    return (
        b'<feed xmlns="http://www.w3.org/2005/Atom" '
        b'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">'
        b"<opensearch:totalResults>0</opensearch:totalResults></feed>"
    )


def test_the_outcome_as_json_holds_what_scripts_rely_on(syncing: Syncing) -> None:
    outcome: dict[str, Any] = json.loads(json.dumps(syncing()[BAD].to_json()))
    assert {k: outcome[k] for k in ("source", "state", "batch", "fetched", "new", "failed")} == {
        "source": BAD, "state": "fresh", "batch": "2026-03-04", "fetched": 3, "new": 3, "failed": "",
    }  # fmt: skip
