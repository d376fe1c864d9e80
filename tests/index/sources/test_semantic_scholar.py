"""Semantic Scholar: searches, ids and neighbours, with and without a key, and its gaps."""

from __future__ import annotations

import json
from typing import Any

import pytest

from index.paper import Paper
from index.sources.records import Skipped
from index.sources.semantic_scholar import SemanticScholar, read_paper
from index.sources.source import BadAnswer, SourceFailure
from index.sources.web import Web
from tests.index.sources.server import Reply, Script

BULK, SEARCH, BATCH = (
    "/graph/v1/paper/search/bulk", "/graph/v1/paper/search", "/graph/v1/paper/batch",
)  # fmt: skip


def raw(number: int, **more: Any) -> dict[str, Any]:
    return {
        "paperId": f"{number:040x}",
        "externalIds": {"CorpusId": number, "DOI": f"10.1234/Eel.{number}"},
        "title": f"On eel {number}",
        "abstract": f"We follow eel {number}.",
        "authors": [{"authorId": "1", "name": "Ada Lund"}],
        "publicationDate": "2024-03-04",
        "year": 2024,
        "venue": "Eels",
        **more,
    }


def answer(**fields: Any) -> Reply:
    return Reply(json.dumps(fields))


def read(web: Web, source: SemanticScholar, state: dict[str, Any] | None = None) -> list[Any]:
    return [record for page in source.pages(web, state or {}) for record in page.records]


def test_a_search_follows_tokens_and_asks_the_next_time_for_what_came_since(
    web: Web, served: Script
) -> None:
    served.on(
        BULK, answer(total=3, token="t1", data=[raw(1), raw(2)]), answer(total=3, data=[raw(3)])
    )
    source = SemanticScholar("eel migration", url=served.url)
    pages = list(source.pages(web, {}))
    assert [paper.title for page in pages for paper in page.records if isinstance(paper, Paper)] == [
        "On eel 1", "On eel 2", "On eel 3",
    ]  # fmt: skip
    assert [one.query.get("token") for one in served.asked] == [None, "t1"]
    assert served.asked[0].query["query"] == "eel migration"
    assert pages[0].state == {"token": "t1", "given": 2}
    # The clock says 4 March 2026; papers arrive up to sixty days late.
    assert pages[-1].state == {"since": "2026-01-03"}
    list(source.pages(web, pages[-1].state))
    assert served.asked[-1].query["publicationDateOrYear"] == "2026-01-03:"


def test_a_search_that_broke_off_goes_on_at_its_token(web: Web, served: Script) -> None:
    served.on(BULK, answer(total=3, data=[raw(3)]))
    read(web, SemanticScholar("eels", url=served.url), {"token": "t1", "given": 2})
    assert served.asked[0].query["token"] == "t1"


def test_a_limit_asks_for_the_best(web: Web, served: Script) -> None:
    served.on(
        SEARCH,
        answer(total=900, offset=0, next=2, data=[raw(1), raw(2)]),
        answer(total=900, offset=2, next=3, data=[raw(3)]),
    )
    assert len(read(web, SemanticScholar("eels", limit=3, url=served.url))) == 3
    assert [(one.query["offset"], one.query["limit"]) for one in served.asked] == [
        ("0", "3"), ("2", "1"),
    ]  # fmt: skip


def test_nothing_found_is_no_fault(web: Web, served: Script) -> None:
    served.on(SEARCH, answer(total=0, offset=0))
    assert read(web, SemanticScholar("n0thing", limit=3, url=served.url)) == []


def test_a_list_that_is_cut_short_is_called_partial(web: Web, served: Script) -> None:
    served.on(BULK, answer(total=9, token=None, data=[raw(1)]))
    (page,) = SemanticScholar("eels", url=served.url).pages(web, {})
    assert (page.complete, page.note) == (False, "partial: 1 of 9 papers came")


def test_ids_are_asked_in_one_question_and_null_is_an_id_nobody_knows(
    web: Web, served: Script
) -> None:
    served.on(BATCH, json.dumps([raw(1), None]))
    source = SemanticScholar("10.1234/Eel.1, arxiv:2106.15928v2", url=served.url)
    paper, gap = read(web, source)
    assert paper.title == "On eel 1"
    assert gap == Skipped("arxiv:2106.15928", "Semantic Scholar does not know it; check the id")
    assert json.loads(served.asked[0].body) == {"ids": ["DOI:10.1234/eel.1", "ARXIV:2106.15928"]}


def test_fewer_papers_than_ids_are_not_matched_by_position(web: Web, served: Script) -> None:
    served.on(BATCH, json.dumps([raw(1)]))
    with pytest.raises(BadAnswer, match="fewer papers than were asked"):
        read(web, SemanticScholar("s2:1,s2:2", url=served.url))


@pytest.mark.parametrize(
    ("kind", "inner"), [("references", "citedPaper"), ("citations", "citingPaper")]
)
def test_what_a_paper_cites_and_what_cites_it(
    web: Web, served: Script, kind: str, inner: str
) -> None:
    served.on(
        f"/graph/v1/paper/CorpusId:7/{kind}",
        answer(offset=0, next=1, data=[{inner: raw(1)}]),
        answer(offset=1, data=[{inner: raw(2, abstract=None)}, {inner: {"paperId": None, "title": None}}]),
    )  # fmt: skip
    first, second, gap = read(web, SemanticScholar(f"{kind}:s2:7", url=served.url))
    assert (first.title, second.title, second.abstract) == ("On eel 1", "On eel 2", "")
    assert "neither a title nor an abstract" in gap.reason


def test_references_that_may_not_be_given_are_a_line(web: Web, served: Script) -> None:
    served.on("/graph/v1/paper/CorpusId:7/references", answer(data=None))
    (page,) = SemanticScholar("references:s2:7", url=served.url).pages(web, {})
    assert page.note == "Semantic Scholar may not give the references of this paper"


def test_recommendations_for_one_paper_and_for_several(web: Web, served: Script) -> None:
    served.on("/recommendations/v1/papers/forpaper/CorpusId:7", answer(recommendedPapers=[raw(1)]))
    served.on("/recommendations/v1/papers/", answer(recommendedPapers=[raw(2)]))
    assert [p.title for p in read(web, SemanticScholar("like:s2:7", url=served.url))] == [
        "On eel 1"
    ]
    read(web, SemanticScholar("like:s2:7,s2:8", url=served.url))
    assert json.loads(served.asked[-1].body) == {"positivePaperIds": ["CorpusId:7", "CorpusId:8"]}


def test_a_key_is_sent_without_its_line_break_and_quickens_the_pace(
    web: Web, served: Script
) -> None:
    served.on(BULK, answer(total=2, token="t", data=[raw(1)]), answer(total=2, data=[raw(2)]))
    read(web, SemanticScholar("eels", key=" secret\n", url=served.url))
    assert {one.headers["x-api-key"] for one in served.asked} == {"secret"}
    assert 1 <= served.asked[1].at - served.asked[0].at < 2


def test_without_a_key_the_pace_is_slower_and_a_refusal_for_being_many_is_waited_for(
    web: Web, served: Script
) -> None:
    served.on(BULK, Reply(b"{}", 429), answer(total=1, data=[raw(1)]))
    assert len(read(web, SemanticScholar("eels", url=served.url))) == 1
    assert served.asked[1].at - served.asked[0].at >= 3


@pytest.mark.parametrize(
    ("key", "advice"), [("old", "check SEMANTIC_SCHOLAR_KEY"), ("", "set SEMANTIC_SCHOLAR_KEY")]
)
def test_a_key_that_is_not_taken_is_named_by_its_setting(
    web: Web, served: Script, key: str, advice: str
) -> None:
    served.on(BULK, Reply('{"message": "Forbidden"}', 403))
    with pytest.raises(SourceFailure, match=advice):
        read(web, SemanticScholar("eels", key=key, url=served.url))
    assert len(served.asked) == 1


def test_an_unknown_paper_has_no_references(web: Web, served: Script) -> None:
    served.on("/graph/v1/paper/CorpusId:7/references", Reply('{"error": "Paper not found"}', 404))
    with pytest.raises(SourceFailure, match="does not know s2:7; check the id"):
        read(web, SemanticScholar("references:s2:7", url=served.url))


def test_all_ids_of_a_record_are_kept() -> None:
    paper = read_paper(
        raw(5, externalIds={"CorpusId": 5, "ArXiv": "2106.15928", "DOI": "10.1/x.y"})
    )
    assert isinstance(paper, Paper)
    assert {"arxiv:2106.15928", "s2:5"} <= {paper.id, *paper.aliases}
    assert (paper.authors, paper.published, paper.venue) == (("Ada Lund",), "2024-03-04", "Eels")


def test_a_null_abstract_is_an_empty_one() -> None:
    paper = read_paper(raw(5, abstract=None, publicationDate=None, venue="", journal={"name": "J"}))
    assert isinstance(paper, Paper)
    assert (paper.abstract, paper.published, paper.venue) == ("", "2024", "J")


@pytest.mark.parametrize(
    "odd", [None, 3, [], {}, {"externalIds": 1, "authors": [1], "journal": []}]
)
def test_odd_records_are_skipped(odd: object) -> None:
    assert isinstance(read_paper(odd), Skipped)


@pytest.mark.parametrize("asked", ["references:eels", "citations:s2:1,s2:2", "like:"])
def test_neighbours_of_what_is_no_id_are_a_line(asked: str) -> None:
    with pytest.raises(SourceFailure, match=r"write \w+:arxiv:1706.03762"):
        SemanticScholar(asked)


@pytest.mark.parametrize("body", ["[]", "{}", '{"data": 3}', '"text"'])
def test_an_answer_of_another_form_is_a_line(web: Web, served: Script, body: str) -> None:
    served.on(SEARCH, body)
    with pytest.raises(BadAnswer, match="without a list of papers"):
        read(web, SemanticScholar("eels", limit=3, url=served.url))
