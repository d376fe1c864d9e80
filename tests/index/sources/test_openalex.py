"""OpenAlex: abstracts put together again, works and what is none, pages and ids."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from index.paper import Paper, Status
from index.sources.openalex import OpenAlex, abstract_of, read_work
from index.sources.records import Skipped
from index.sources.source import BadAnswer, SourceFailure
from index.sources.web import Web
from tests.index.sources.server import Reply, Script

WORKS = "/works"


def work(number: int, **more: Any) -> dict[str, Any]:
    return {
        "id": f"https://openalex.org/W{number:05}",
        "doi": f"https://doi.org/10.1234/eel.{number}",
        "display_name": f"On eel {number}",
        "abstract_inverted_index": {"We": [0], "follow": [1], "eels,": [2, 4], "and": [3], "swim.": [5]},
        "authorships": [{"author": {"display_name": "Ada Lund"}}],
        "publication_date": "2024-03-04",
        "publication_year": 2024,
        "primary_location": {
            "landing_page_url": f"https://doi.org/10.1234/eel.{number}",
            "source": {"display_name": "Eels &amp; Rivers"},
        },
        "type": "article",
        **more,
    }  # fmt: skip


def page(*works: object, cursor: str | None = None, count: int = 0) -> Reply:
    return Reply(json.dumps({"meta": {"count": count or len(works), "next_cursor": cursor},
                             "results": works}))  # fmt: skip


def read(web: Web, source: OpenAlex) -> list[Any]:
    return [record for page in source.pages(web, {}) for record in page.records]


def test_an_abstract_is_put_together_from_all_places_of_each_word() -> None:
    paper = read_work(work(1))
    assert isinstance(paper, Paper)
    assert paper.abstract == "We follow eels, and eels, swim."


def test_markup_and_entities_of_publishers_are_gone_and_signs_stay() -> None:
    said = [
        "<jats:p>We",
        "find",
        "x&lt;y",
        "and",
        "a",
        "&amp;amp;",
        "b",
        "if",
        "p<q",
        "holds.</jats:p>",
    ]
    paper = read_work(
        work(1, abstract_inverted_index={word: [place] for place, word in enumerate(said)},
             display_name="On <i>Anguilla</i> &amp; H<sub>2</sub>O")
    )  # fmt: skip
    assert isinstance(paper, Paper)
    assert paper.abstract == "We find x<y and a & b if p<q holds."
    assert paper.title == "On Anguilla & H 2 O"


@pytest.mark.parametrize(
    ("inverted", "text"),
    [(None, ""), ({}, ""), ([], ""), ({"a": 3, "b": ["x", True, 1], "c": [10**15, 0]}, "c b c")],
)
def test_an_odd_index_gives_what_it_holds(inverted: object, text: str) -> None:
    assert abstract_of(inverted) == text


def test_fields_become_those_of_a_paper() -> None:
    paper = read_work(
        work(1, ids={"pmid": "https://pubmed.ncbi.nlm.nih.gov/123"}, is_authors_truncated=True,
             locations=[{"landing_page_url": "http://arxiv.org/abs/2106.15928"}],
             primary_topic={"display_name": "Fish"})
    )  # fmt: skip
    assert isinstance(paper, Paper)
    assert paper.id == "arxiv:2106.15928"
    assert set(paper.aliases) == {"doi:10.1234/eel.1", "pmid:123", "openalex:W00001"}
    assert (paper.authors, paper.authors_truncated) == (("Ada Lund",), True)
    assert (paper.venue, paper.categories) == ("Eels & Rivers", ("Fish",))
    assert paper.published == "2024-03-04"


def test_a_retracted_work_is_marked() -> None:
    paper = read_work(work(1, is_retracted=True))
    assert isinstance(paper, Paper)
    assert paper.status is Status.RETRACTED


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"type": "paratext"}, "matter around papers"),
        ({"is_paratext": True}, "matter around papers"),
        ({"type": "erratum"}, "erratum"),
        ({"type": "retraction"}, "notice of a retraction"),
        (
            {"display_name": None, "abstract_inverted_index": None},
            "neither a title nor an abstract",
        ),
    ],
)
def test_what_is_no_paper_is_skipped_with_its_reason(more: dict[str, Any], reason: str) -> None:
    skipped = read_work(work(1, **more))
    assert isinstance(skipped, Skipped)
    assert skipped.where == "openalex:W00001"
    assert reason in skipped.reason


@pytest.mark.parametrize("odd", [None, 3, [], {}, {"authorships": [1], "locations": 2, "ids": []}])
def test_odd_works_are_skipped(odd: object) -> None:
    assert isinstance(read_work(odd), Skipped)


def test_a_search_follows_cursors_and_asks_the_next_time_for_what_came_since(
    web: Web, served: Script
) -> None:
    served.on(WORKS, page(work(1), cursor="c1", count=2), page(work(2), count=2))
    source = OpenAlex("eel, migration", contact="a@example.org", key=" k\n", url=served.url)
    pages = list(source.pages(web, {}))
    assert [one.query["cursor"] for one in served.asked] == ["*", "c1"]
    first = served.asked[0].query
    # A comma would part filters.
    assert (first["search"], first["mailto"], first["api_key"]) == (
        "eel migration",
        "a@example.org",
        "k",
    )
    assert pages[0].state == {"cursor": "c1", "given": 1}
    # The clock says 4 March 2026; works arrive up to sixty days late.
    assert pages[-1].state == {"since": "2026-01-03"}
    list(source.pages(web, pages[-1].state))
    assert served.asked[-1].query["filter"] == "from_publication_date:2026-01-03"


def test_days_are_a_filter_and_both_belong_to_it(web: Web, served: Script) -> None:
    served.on(WORKS, page(work(1)))
    day = date(2026, 3, 1)
    read(web, OpenAlex("eels", since=day, until=day, limit=5, url=served.url))
    assert served.asked[0].query["filter"] == (
        "from_publication_date:2026-03-01,to_publication_date:2026-03-01"
    )
    assert served.asked[0].query["per-page"] == "5"


def test_a_list_that_is_cut_short_is_called_partial(web: Web, served: Script) -> None:
    served.on(WORKS, page(work(1), cursor="c1", count=4), page(cursor="c2", count=4))
    last = list(OpenAlex("eels", url=served.url).pages(web, {}))[-1]
    assert (last.complete, last.note) == (False, "partial: 1 of 4 works came")


def test_ids_are_asked_together_and_those_nobody_knows_are_named(web: Web, served: Script) -> None:
    served.on(WORKS, page(work(1)), page(work(2)))
    first, second, gap = read(web, OpenAlex("W00001, 10.1234/eel.2, 10.1234/gone", url=served.url))
    assert (first.title, second.title) == ("On eel 1", "On eel 2")
    assert gap == Skipped("doi:10.1234/gone", "OpenAlex does not know it; check the id")
    assert [one.query["filter"] for one in served.asked] == [
        "openalex:W00001", "doi:10.1234/eel.2|10.1234/gone",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("key", "advice"), [("old", "check OPENALEX_KEY"), ("", "set OPENALEX_KEY")]
)
def test_a_key_that_is_not_taken_is_named_by_its_setting(
    web: Web, served: Script, key: str, advice: str
) -> None:
    served.on(WORKS, Reply("{}", 403))
    with pytest.raises(SourceFailure, match=advice):
        read(web, OpenAlex("eels", key=key, url=served.url))


def test_a_question_that_is_not_taken_is_a_line(web: Web, served: Script) -> None:
    served.on(WORKS, Reply('{"error": "Invalid query parameters error."}', 400))
    with pytest.raises(SourceFailure, match=r"did not take the question \(400\)"):
        read(web, OpenAlex("eels", url=served.url))


@pytest.mark.parametrize("body", ["[]", "{}", '{"results": 3}', '"text"'])
def test_an_answer_of_another_form_is_a_line(web: Web, served: Script, body: str) -> None:
    served.on(WORKS, body)
    with pytest.raises(BadAnswer, match="without a list of works"):
        read(web, OpenAlex("eels", url=served.url))
