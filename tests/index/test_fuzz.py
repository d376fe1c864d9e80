"""Whatever a file or a service holds becomes papers, reasons, or one clear line.

`FUZZ_EXAMPLES=10000` tries so many of each kind, new ones each time.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from index.identity import canonical_id
from index.paper import Paper
from index.sources.arxiv import ArxivHarvest, ArxivListing, ArxivSearch
from index.sources.files import Skipped, read_file
from index.sources.openalex import OpenAlex
from index.sources.openreview import OpenReview
from index.sources.records import SourceError
from index.sources.semantic_scholar import SemanticScholar
from index.sources.source import Source
from index.sources.web import Web
from index.sources.zotero import Zotero
from tests.index.bending import any_bytes, bent_bytes, bent_json, bent_xml
from tests.index.examples import FILES, JSON_ANSWERS, JSON_FILES, XML
from tests.index.sources.server import FakeClock, Reply, Script, scripted

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "0"))
FUZZED = settings(
    max_examples=EXAMPLES or 30,
    derandomize=not EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
pytestmark = pytest.mark.timeout(60 + EXAMPLES // 5)

PAGES = 5
"""A server that never ends is followed so far."""
_DATE = re.compile(r"(?:\d{4}(?:-\d\d(?:-\d\d)?)?)?", re.ASCII)


def is_line(text: str) -> bool:
    """Whether a text can be stored and shown on one line: no control characters, no half letters."""
    return not any(unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} for c in text)


def check(record: Paper | Skipped) -> None:
    """A record is clean."""
    if isinstance(record, Skipped):
        assert record.where.strip()
        assert is_line(record.where)
        assert record.reason.strip()
        assert is_line(record.reason)
        return
    assert record.title.strip() == record.title != ""
    assert re.fullmatch(r"[a-z0-9]+:\S+", record.id)
    assert canonical_id(record.id) in {record.id, None}
    assert record.id not in record.aliases
    texts = (record.id, record.title, record.abstract, record.venue, *record.authors,
             *record.categories, *record.aliases, *record.links)  # fmt: skip
    assert [text for text in texts if not is_line(text)] == []
    assert all((*record.authors, *record.categories, *record.aliases, *record.links))
    assert all(re.match(r"https?://\S+$", link) for link in record.links)
    assert _DATE.fullmatch(record.published)
    assert _DATE.fullmatch(record.updated)


def check_all(records: Callable[[], Iterator[Paper | Skipped]]) -> int:
    """How many records arrived clean before the end or before one clear line."""
    count, said = 0, "-"
    try:
        for record in records():
            check(record)
            count += 1
    except SourceError as error:
        said = str(error)
    assert said.strip()
    assert is_line(said)
    return count


def spoiled(whole: bytes) -> st.SearchStrategy[bytes]:
    return st.one_of(bent_bytes(whole), bent_bytes(whole), any_bytes())


# Files


def spoiled_file(name: str) -> st.SearchStrategy[bytes]:
    if name in FILES:
        return spoiled(FILES[name].encode())
    value = JSON_FILES[name]
    return bent_json(value) | bent_json(value) | spoiled(json.dumps(value).encode())


@pytest.mark.parametrize("name", [*FILES, *JSON_FILES])
def test_a_good_file_gives_papers(tmp_path: Path, name: str) -> None:
    content = FILES[name] if name in FILES else json.dumps(JSON_FILES[name])
    (tmp_path / name).write_text(content, encoding="utf-8")
    records = list(read_file(tmp_path / name))
    assert records
    assert not [record for record in records if isinstance(record, Skipped)]


@pytest.mark.parametrize("name", [*FILES, *JSON_FILES])
@given(data=st.data())
@FUZZED
def test_a_spoiled_file_gives_papers_reasons_or_one_line(
    tmp_path: Path, name: str, data: st.DataObject
) -> None:
    (tmp_path / name).write_bytes(data.draw(spoiled_file(name)))
    check_all(lambda: read_file(tmp_path / name))


# Services

Make = Callable[[str], tuple[Source, str]]
SERVICES: dict[str, Make] = {
    "arxiv api": lambda url: (ArxivSearch("eels", url=url), "/api/query"),
    "arxiv rss": lambda url: (ArxivListing("q-bio.PE", url=url, api=url), "/rss/q-bio.PE"),
    "arxiv atom": lambda url: (ArxivListing("q-bio.PE", url=url, api=url), "/rss/q-bio.PE"),
    "arxiv oai": lambda url: (ArxivHarvest("q-bio", url=url), "/oai"),
    "openreview v2": lambda url: (OpenReview("Sea.org/2026/Tides", url=url), "/notes"),
    "openreview v1": lambda url: (
        OpenReview("Sea.org/2026/Tides", url=f"{url}/none", old_url=url),
        "/notes",
    ),
    "semantic scholar": lambda url: (
        SemanticScholar("eels", limit=5, url=url),
        "/graph/v1/paper/search",
    ),
    "openalex": lambda url: (OpenAlex("eels", url=url), "/works"),
    "zotero": lambda url: (Zotero("users/123", url=url), "/users/123/items"),
}
_numbers = itertools.count()


@pytest.fixture(scope="module")
def line() -> Iterator[tuple[Script, Web]]:
    """One server and one way to it for all examples; nobody waits."""
    clock = FakeClock()
    with scripted(clock) as script, Web("someone@example.org", clock) as web:
        yield script, web


def read_service(line: tuple[Script, Web], name: str, body: bytes) -> int:
    script, web = line
    root = f"/{next(_numbers)}"
    source, path = SERVICES[name](script.url + root)
    script.on(root + path, Reply(body, headers={"Last-Modified-Version": "9"}))

    def records() -> Iterator[Paper | Skipped]:
        for page in itertools.islice(source.pages(web, {}), PAGES):
            json.dumps(dict(page.state))
            assert is_line(page.note)
            assert set(page.kinds) <= {one.id for one in page.records if isinstance(one, Paper)}
            yield from page.records

    return check_all(records)


def spoiled_answer(name: str) -> st.SearchStrategy[bytes]:
    if name in XML:
        return bent_xml(XML[name]) | bent_xml(XML[name]) | spoiled(XML[name])
    value: Any = JSON_ANSWERS[name]
    return bent_json(value) | bent_json(value) | spoiled(json.dumps(value).encode())


@pytest.mark.parametrize("name", SERVICES)
def test_a_good_answer_gives_papers(line: tuple[Script, Web], name: str) -> None:
    body = XML[name] if name in XML else json.dumps(JSON_ANSWERS[name]).encode()
    assert read_service(line, name, body)


@pytest.mark.parametrize("name", SERVICES)
@given(data=st.data())
@FUZZED
def test_a_spoiled_answer_gives_papers_reasons_or_one_line(
    line: tuple[Script, Web], name: str, data: st.DataObject
) -> None:
    read_service(line, name, data.draw(spoiled_answer(name)))


# What was found this way


@pytest.mark.parametrize(
    "written",
    ["10.1000/a\x00b", "doi:10.1000/a%00b", "10.1000/a%2500b", "10.1000/a\u200bb", "10.1000/ab%2E"],
)
def test_what_nobody_sees_is_no_part_of_an_id(tmp_path: Path, written: str) -> None:
    (tmp_path / "p.json").write_text(json.dumps([{"id": written, "title": "On Eels"}]))
    (paper,) = read_file(tmp_path / "p.json")
    assert isinstance(paper, Paper)
    assert paper.id == "doi:10.1000/ab"
    assert paper.links == ("https://doi.org/10.1000/ab",)


@pytest.mark.parametrize("written", ["2106.0134\u0665", "arXiv:2106.0134\u0665", "phys\u0131cs/0611800", "pmid:\u0663"])  # fmt: skip
def test_digits_and_letters_of_other_scripts_make_no_id(written: str) -> None:
    assert canonical_id(written) is None


def test_a_reason_quotes_a_key_on_one_line(line: tuple[Script, Web]) -> None:
    items = [{"key": "A\nB\x1b", "data": {"itemType": "note"}}, {"key": "\u202e", "data": {}}]
    script, web = line
    script.on("/keys/users/123/items", json.dumps(items))
    (page,) = Zotero("users/123", url=f"{script.url}/keys").pages(web, {})
    assert [one.where for one in page.records if isinstance(one, Skipped)] == ["zotero:A B", "zotero:"]  # fmt: skip


def test_a_server_that_gives_one_page_for_ever_is_left(line: tuple[Script, Web]) -> None:
    script, web = line
    script.on("/round/notes", json.dumps(JSON_ANSWERS["openreview v1"]))
    source = OpenReview("Sea.org/2026/Tides", url=f"{script.url}/round", old_url=script.url)
    with pytest.raises(SourceError, match="same page again and again"):
        list(source.pages(web, {}))


def test_a_corpus_number_is_a_number(line: tuple[Script, Web]) -> None:
    script, web = line
    paper = {"title": "On Eels", "externalIds": {"CorpusId": True}, "corpusId": 77}
    script.on("/corpus/graph/v1/paper/search", json.dumps({"data": [paper]}))
    (page,) = SemanticScholar("eels", limit=5, url=f"{script.url}/corpus").pages(web, {})
    assert [one.id for one in page.records if isinstance(one, Paper)] == ["s2:77"]


def test_a_year_of_thousands_of_digits_is_none(tmp_path: Path) -> None:
    item = {"type": "book", "title": "Eels", "issued": {"date-parts": [["9" * 5000]]}}
    (tmp_path / "c.json").write_text(json.dumps([item]))
    (paper,) = read_file(tmp_path / "c.json")
    assert isinstance(paper, Paper)
    assert paper.published == ""
