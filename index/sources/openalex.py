"""OpenAlex as a source: a search in its works, or given works."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from index.identity import canonical_id
from index.paper import Paper, Status
from index.sources import loose
from index.sources.records import Record, RecordError, Skipped, make_paper
from index.sources.source import JSON, BadAnswer, Page, SourceFailure
from index.sources.web import Answer, Gate, Web, gate_for

API_URL = "https://api.openalex.org"
FIELDS = (
    "id,doi,ids,display_name,abstract_inverted_index,authorships,is_authors_truncated,"
    "publication_date,publication_year,primary_location,locations,best_oa_location,"
    "primary_topic,is_retracted,is_paratext,type"
)
PAGE = 200
"""Works of a page at most: https://docs.openalex.org/how-to-use-the-api/get-lists-of-entities"""
GIVEN = 50
"""Ids of one question; a filter takes a hundred values, of which each work may need two."""
MOST = 2000
"""Works of a search without a limit."""
LATE = timedelta(days=60)
"""Works may arrive so long after their day of publication."""
LONGEST = 20_000
"""Words of an abstract that are put together at most."""
_OWN = {400, 401, 403, 404}
_NO_PAPERS = {
    "paratext": "it is a cover, index or other matter around papers",
    "erratum": "it is an erratum and no paper",
    "retraction": "it is the notice of a retraction and no paper",
}


class OpenAlex:
    """Works of OpenAlex.

    Args:
        asked: words to search for, or ids (`W2741809807`, a DOI) parted by commas.
        since, until: first and last day of publication, for a search.
        limit: at most so many works, the best ones; without, the newest come, `MOST` of them.
        key: an API key.
        contact: an address to be reached by, for the polite pool.
        url: the API's root.
    """

    def __init__(
        self,
        asked: str,
        *,
        since: date | None = None,
        until: date | None = None,
        limit: int = 0,
        key: str = "",
        contact: str = "",
        url: str = API_URL,
    ) -> None:
        parts = [part for part in re.split(r"[,\s]+", asked.strip()) if part]
        ids = [_asked_id(part) for part in parts]
        self.ids = tuple(dict.fromkeys(ids)) if all(ids) else ()
        # A comma parts filters, and a search is no place for one.
        self.words = "" if self.ids else " ".join(asked.replace(",", " ").split())
        self.since, self.until, self.limit = since, until, limit
        self.key, self.contact, self.url = "".join(key.split()), contact.strip(), url.rstrip("/")
        span = f" {since or ''}..{until or ''}" if since or until else ""
        self.name = f"openalex:{asked.strip()}{span}" + (f" limit {limit}" if limit else "")

    def pages(self, web: Web, state: Mapping[str, JSON]) -> Iterator[Page]:
        """All pages; a search asks the next time for what was published since, with some days more."""
        gate = gate_for("openalex", 0.15, web.clock)
        if self.ids:
            yield from self._given(web, gate)
        else:
            yield from self._found(web, gate, state)

    def _given(self, web: Web, gate: Gate) -> Iterator[Page]:
        ids = self.ids[: self.limit or None]
        for start in range(0, len(ids), GIVEN):
            part = ids[start : start + GIVEN]
            records: list[Paper | Skipped] = []
            for scheme, filtered in (("openalex:", "openalex"), ("doi:", "doi")):
                values = [one.removeprefix(scheme) for one in part if one.startswith(scheme)]
                # What parts values cannot be part of one.
                values = [value for value in values if not set("|,") & set(value)]
                if values:
                    asked = {"filter": f"{filtered}:{'|'.join(values)}", "per-page": str(PAGE)}
                    rows, _ = _listed(self._get(web, gate, asked))
                    records += map(read_work, rows)
            known = {
                name
                for one in records
                for name in ((one.id, *one.aliases) if isinstance(one, Paper) else (one.where,))
            }
            records += (
                Skipped(one, "OpenAlex does not know it; check the id")
                for one in part
                if one not in known
            )
            yield Page(records=tuple(records))

    def _found(self, web: Web, gate: Gate, state: Mapping[str, JSON]) -> Iterator[Page]:
        today = web.clock.now().date()
        since, most = loose.day(state.get("since")) or self.since, self.limit or MOST
        cursor, given = str(state.get("cursor") or "*"), loose.count(state.get("given"))
        kept: dict[str, JSON] = {"since": since.isoformat()} if since else {}
        done: dict[str, JSON] = {"since": (today - LATE).isoformat()}
        while True:
            asked = {
                **self._search(since),
                "cursor": cursor,
                "per-page": str(min(PAGE, most - given)),
            }
            rows, meta = _listed(self._get(web, gate, asked))
            given += len(rows)
            cursor, total = str(meta.get("next_cursor") or ""), loose.count(meta.get("count"))
            records = tuple(map(read_work, rows))
            if rows and cursor and given < most:
                yield Page(records=records, state={**kept, "cursor": cursor, "given": given})
                continue
            short = given < min(total, most)
            note = ""
            if short:
                note = f"partial: {given:,} of {total:,} works came"
            elif total > given and not self.limit:
                note = f"the newest {given:,} of {total:,} works; narrow the words or --since"
            yield Page(records=records, state=done, note=note, complete=not short)
            return

    def _search(self, since: date | None) -> dict[str, str]:
        filters = [
            f"{name}:{day.isoformat()}"
            for name, day in (("from_publication_date", since), ("to_publication_date", self.until))
            if day
        ]
        asked = {"search": self.words, "select": FIELDS}
        if filters:
            asked["filter"] = ",".join(filters)
        if not self.limit:
            asked["sort"] = "publication_date:desc"
        return asked

    def _get(self, web: Web, gate: Gate, asked: Mapping[str, str]) -> Answer:
        params = {**asked, "select": FIELDS}
        if self.contact:
            params["mailto"] = self.contact
        if self.key:
            params["api_key"] = self.key
        answer = web.get(
            f"{self.url}/works", params=params, gate=gate, accept_status=frozenset(_OWN)
        )
        if answer.status in {401, 403}:
            advice = (
                "does not take the key; check OPENALEX_KEY"
                if self.key
                else "wants a key; set OPENALEX_KEY"
            )
            raise SourceFailure(f"OpenAlex {advice}", kind="refused")
        if answer.status in _OWN:
            raise SourceFailure(
                f"OpenAlex did not take the question ({answer.status}); check what is asked for",
                kind="refused",
            )
        return answer


def read_work(raw: object) -> Paper | Skipped:
    """The paper of a work, or why it gives none."""
    if not isinstance(raw, dict):
        return Skipped("a work of OpenAlex", "it holds no paper")
    number = loose.text(raw.get("id")).rpartition("/")[2]
    where = f"openalex:{number}" if number else "a work of OpenAlex"
    kind = "paratext" if raw.get("is_paratext") is True else loose.text(raw.get("type"))
    if kind in _NO_PAPERS:
        return Skipped(where, _NO_PAPERS[kind])
    places = [
        one
        for one in (raw.get("primary_location"), raw.get("best_oa_location"), *loose.items(raw.get("locations")))
        if isinstance(one, dict)
    ]  # fmt: skip
    pages = [loose.text(one.get("landing_page_url")) for one in places]
    others = loose.fields(raw.get("ids"))
    source = loose.fields(places[0].get("source")) if places else {}
    year = raw.get("publication_year")
    abstract = abstract_of(raw.get("abstract_inverted_index"))
    try:
        return make_paper(
            Record(
                ids=(
                    *(page for page in pages if (canonical_id(page) or "").startswith("arxiv:")),
                    loose.text(raw.get("doi")),
                    loose.text(others.get("pmid")),
                    where if number else "",
                ),
                title=_plain(loose.text(raw.get("display_name")) or loose.text(raw.get("title"))),
                abstract=_plain(abstract),
                authors=(
                    *_authors(raw.get("authorships")),
                    *(("et al.",) if raw.get("is_authors_truncated") is True else ()),
                ),
                published=loose.text(raw.get("publication_date"))
                or (str(year) if isinstance(year, int) else ""),
                venue=_plain(loose.text(source.get("display_name"))),
                categories=(
                    loose.text(loose.fields(raw.get("primary_topic")).get("display_name")),
                ),
                links=tuple(pages[:2]),
                status=Status.RETRACTED if raw.get("is_retracted") is True else Status.ACTIVE,
            ),
            "openalex",
        )
    except RecordError as error:
        return Skipped(where, str(error))


def abstract_of(inverted: object) -> str:
    """The text of an index from words to the places where they stand; empty where there is none."""
    placed = [
        (place, word)
        for word, places in loose.fields(inverted).items()
        for place in loose.items(places)
        if isinstance(place, int) and not isinstance(place, bool)
    ]
    return " ".join(word for _, word in sorted(placed)[:LONGEST])


_MARKUP = re.compile(
    r"</?(?:(?:jats|mml|m):[a-z-]{1,20}|i|b|u|em|strong|sub|sup|inf|scp|tt|p|br|div|span|sec|title|italic|bold)"
    r"(?:\s+[\w:-]+=[^<>]{0,300})?\s*/?>",
    re.IGNORECASE,
)


def _plain(text: str) -> str:
    """Text without the markup and entities of publishers, which may be packed twice."""
    for _ in range(2):
        text = html.unescape(text)
    return _MARKUP.sub(" ", text)


def _listed(answer: Answer) -> tuple[list[Any], Mapping[str, Any]]:
    body = answer.json()
    rows = body.get("results") if isinstance(body, dict) else None
    if not isinstance(rows, list):
        raise BadAnswer("OpenAlex answered without a list of works; try again later")
    return rows, loose.fields(body.get("meta"))


def _authors(raw: object) -> Iterator[str]:
    for one in loose.items(raw):
        if isinstance(one, dict):
            yield loose.text(loose.fields(one.get("author")).get("display_name")) or loose.text(
                one.get("raw_author_name")
            )


def _asked_id(text: str) -> str:
    if re.fullmatch(r"[Ww]\d{4,12}", text):
        text = f"openalex:{text}"
    found = canonical_id(text) or ""
    return found if found.startswith(("openalex:", "doi:")) else ""
