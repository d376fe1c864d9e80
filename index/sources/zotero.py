"""A Zotero library as a source: what was added or changed since the last time (web API v3)."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

import httpx

from index.paper import Paper
from index.sources import loose
from index.sources.csljson import extra_ids
from index.sources.records import Record, RecordError, Skipped, make_paper
from index.sources.source import JSON, BadAnswer, Page, SourceFailure
from index.sources.web import Answer, Gate, Web, gate_for

API_URL = "https://api.zotero.org"
PAGE = 100
"""Items of a page at most: https://www.zotero.org/support/dev/web_api/v3/basics"""
LONGEST_BACKOFF = 600.0
_LIBRARY = re.compile(r"(users|groups)/(\d{1,12})(?:/collections/([A-Z0-9]{8}))?")
_NO_PAPERS = {
    "note": "it is a note and no paper",
    "attachment": "it is an attachment and no paper",
    "annotation": "it is an annotation and no paper",
}
_NOT_BY = frozenset(
    "editor seriesEditor translator reviewedAuthor bookAuthor recipient castMember counsel "
    "attorneyAgent commenter wordsBy".split()
)


class Zotero:
    """The items of a library.

    Args:
        library: `users/123` or `groups/5`, also with `/collections/ABCD2345`.
        key: needed for what is not public.
        url: the API's root.
    """

    def __init__(
        self, library: str, *, key: str = "", url: str = API_URL, page_size: int = PAGE
    ) -> None:
        match = _LIBRARY.fullmatch(library.strip().strip("/"))
        if not match:
            raise SourceFailure(
                f"Zotero: {library[:80]!r} is no library; write users/123 or groups/5 (the number "
                "stands at zotero.org/settings/keys, or in the group's address)",
                kind="refused",
            )
        self.library = match[0]
        self.key, self.url = key.strip(), url.rstrip("/")
        self.page_size = max(1, min(page_size, PAGE))
        self.name = f"zotero:{self.library}"

    def pages(self, web: Web, state: Mapping[str, JSON]) -> Iterator[Page]:
        """All pages since the version kept; a broken run goes on where it was, if nothing moved."""
        gate = gate_for("zotero", 0.1, web.clock)
        since, start, first = (_number(state.get(key)) for key in ("since", "start", "version"))
        headers = {"Zotero-API-Version": "3"}
        if self.key:
            headers["Zotero-API-Key"] = self.key
        steady, more = True, True
        while more:
            answer = self._asked(web, gate, headers, since, start)
            items = answer.json()
            if not isinstance(items, list):
                raise BadAnswer("Zotero answered without a list of items; try again later")
            version = _number(answer.headers.get("last-modified-version"))
            first = first or version
            # Items may have moved past us in a library that changed meanwhile.
            steady = steady and first == version
            more = _has_next(answer)
            start += len(items)
            if more and not items:
                note = f"partial: the page from {start:,} of the items stayed empty"
                yield Page(state=_kept(since, start, first), note=note, complete=False)
                return
            place: dict[str, JSON] = {"since": first if steady else since}
            yield Page(
                records=tuple(map(read_item, items)),
                state=_kept(since, start, first) if more else place,
                note=""
                if more or steady
                else "the library changed meanwhile; it is read again "
                "from the same place next time",
            )

    def _asked(
        self, web: Web, gate: Gate, headers: Mapping[str, str], since: int, start: int
    ) -> Answer:
        params: dict[str, Any] = {
            "format": "json", "include": "data", "limit": self.page_size, "start": start,
            "sort": "dateAdded", "direction": "asc",
        }  # fmt: skip
        if since:
            params["since"] = since
        answer = web.get(
            f"{self.url}/{self.library}/items", params=params, headers=headers, gate=gate
        )
        with contextlib.suppress(ValueError):
            seconds = float(answer.headers.get("backoff", ""))
            if seconds > 0:
                gate.hold(min(seconds, LONGEST_BACKOFF))
        return answer


def _kept(since: int, start: int, version: int) -> dict[str, JSON]:
    return {"since": since, "start": start, "version": version}


def _has_next(answer: Answer) -> bool:
    """Whether the Link header names a next page.

    Its address is not used: the key goes to the address that a person configured, and offsets are
    counted by what arrived.
    """
    links = httpx.Response(200, headers={"link": answer.headers.get("link", "")}).links
    return "next" in links


def read_item(item: object) -> Paper | Skipped:
    """The paper of an item, or why it gives none."""
    if not isinstance(item, dict) or not isinstance(item.get("data"), dict):
        return Skipped("an item of Zotero", "it holds no data")
    data: dict[str, Any] = item["data"]
    key = loose.text(item.get("key")) or loose.text(data.get("key"))
    where = f"zotero:{key}" if key else "an item of Zotero"
    kind = loose.text(data.get("itemType"))
    if kind in _NO_PAPERS:
        return Skipped(where, _NO_PAPERS[kind])
    if data.get("deleted"):
        return Skipped(where, "it is in Zotero's bin")
    try:
        return make_paper(_record(item, data), "zotero")
    except RecordError as error:
        return Skipped(where, str(error))


def _record(item: Mapping[str, Any], data: Mapping[str, Any]) -> Record:
    meta = item.get("meta")
    parsed = loose.text(meta.get("parsedDate")) if isinstance(meta, dict) else ""
    doi, url, archive = (loose.text(data.get(name)) for name in ("DOI", "url", "archiveID"))
    tags = data.get("tags")
    names = (loose.text(tag.get("tag")) for tag in tags if isinstance(tag, dict)) if isinstance(
        tags, list) else ()  # fmt: skip
    venues = (
        "publicationTitle", "proceedingsTitle", "conferenceName", "bookTitle", "university",
        "institution",
    )  # fmt: skip
    return Record(
        ids=(
            archive,
            doi and (f"doi:{doi}" if doi.startswith("10.") else doi),
            *extra_ids(loose.text(data.get("extra"))),
            url,
        ),
        title=loose.text(data.get("title")),
        abstract=loose.text(data.get("abstractNote")),
        authors=tuple(_authors(data.get("creators"))),
        published=parsed or loose.text(data.get("date")),
        venue=next((said for name in venues if (said := loose.text(data.get(name)))), ""),
        categories=tuple(names),
        links=(url,),
    )


def _authors(creators: object) -> Iterator[str]:
    for one in creators if isinstance(creators, list) else []:
        if not isinstance(one, dict) or loose.text(one.get("creatorType")) in _NOT_BY:
            continue
        yield loose.text(one.get("name")) or " ".join(
            part for key in ("firstName", "lastName") if (part := loose.text(one.get(key)))
        )


def _number(value: object) -> int:
    """A count that is none counts as 0."""
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    return int(text) if re.fullmatch(r"[0-9]{1,15}", text) else 0
