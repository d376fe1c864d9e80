"""Zotero: what changed since the last time, and nothing that is no paper."""

from __future__ import annotations

import json
from typing import Any

import pytest

from index.paper import Paper
from index.sources.records import Skipped
from index.sources.source import SourceFailure
from index.sources.web import Web
from index.sources.zotero import Zotero, read_item
from tests.index.sources.server import Reply, Script

PATH = "/users/123/items"


def item(key: str, **data: Any) -> dict[str, Any]:
    base = {"key": key, "itemType": "journalArticle", "title": f"On {key}", "date": "4 March 2024",
            "creators": [{"creatorType": "author", "firstName": "Ada", "lastName": "Lund"},
                         {"creatorType": "editor", "firstName": "Bo", "lastName": "Ek"}]}  # fmt: skip
    return {
        "key": key,
        "version": 7,
        "meta": {"parsedDate": "2024-03-04"},
        "data": {**base, **data},
    }


def page(*items: object, version: int = 9, more: bool = False, **headers: str) -> Reply:
    link = {"Link": '<https://api.zotero.org/users/123/items?start=9>; rel="next"'} if more else {}
    return Reply(
        json.dumps(items), headers={"Last-Modified-Version": str(version), **link, **headers}
    )


def test_pages_follow_the_link_and_the_next_time_asks_for_changes(web: Web, served: Script) -> None:
    served.on(PATH, page(item("A"), item("B"), more=True), page(item("C", itemType="note")))
    source = Zotero("users/123", key=" secret\n", url=served.url)
    pages = list(source.pages(web, {}))
    assert [getattr(one, "title", one) for each in pages for one in each.records] == [
        "On A", "On B", Skipped("zotero:C", "it is a note and no paper"),
    ]  # fmt: skip
    assert [one.query["start"] for one in served.asked] == ["0", "2"]
    assert {one.headers["zotero-api-key"] for one in served.asked} == {"secret"}
    assert pages[-1].state == {"since": 9}
    list(source.pages(web, pages[-1].state))
    assert served.asked[-1].query["since"] == "9"


def test_a_library_that_changes_meanwhile_is_read_again(web: Web, served: Script) -> None:
    served.on(PATH, page(item("A"), more=True), page(item("B"), version=10))
    last = list(Zotero("users/123", url=served.url).pages(web, {"since": 4}))[-1]
    assert last.state == {"since": 4}
    assert "changed meanwhile" in last.note


def test_a_wish_to_back_off_is_honoured(web: Web, served: Script) -> None:
    served.on(PATH, page(item("A"), more=True, Backoff="40"), page(item("B")))
    list(Zotero("users/123", url=served.url).pages(web, {}))
    assert served.asked[1].at - served.asked[0].at >= 40


def test_fields_become_those_of_a_paper() -> None:
    paper = read_item(item("A", DOI="10.1234/eel", publicationTitle="Eels", extra="arXiv: 2401.00001",
                           tags=[{"tag": "rivers"}]))  # fmt: skip
    assert isinstance(paper, Paper)
    assert {paper.id, *paper.aliases} == {"doi:10.1234/eel", "arxiv:2401.00001"}
    assert (paper.authors, paper.published) == (("Ada Lund",), "2024-03-04")
    assert (paper.venue, paper.categories) == ("Eels", ("rivers",))


@pytest.mark.parametrize("kind", ["note", "attachment", "annotation"])
def test_what_is_no_paper_is_skipped(kind: str) -> None:
    assert "no paper" in getattr(read_item(item("A", itemType=kind)), "reason", "")


@pytest.mark.parametrize("odd", [None, 3, [], {"data": 1}, {"data": {"creators": [1], "tags": 2}}])
def test_odd_items_are_skipped(odd: object) -> None:
    assert isinstance(read_item(odd), Skipped)


def test_a_name_that_is_no_library_is_a_line() -> None:
    with pytest.raises(SourceFailure, match="write users/123 or groups/5"):
        Zotero("eel")
