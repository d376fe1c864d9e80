"""Semantic Scholar as a source: a search, given papers, and what is near to a paper (Graph API v1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from index.identity import canonical_id
from index.paper import Paper
from index.sources import loose
from index.sources.records import Record, RecordError, Skipped, make_paper
from index.sources.source import JSON, BadAnswer, Page, SourceFailure
from index.sources.web import Answer, Gate, Web, gate_for

API_URL = "https://api.semanticscholar.org"
GRAPH, RECOMMENDED = "/graph/v1/paper", "/recommendations/v1/papers"
FIELDS = (
    "paperId,externalIds,title,abstract,authors.name,publicationDate,year,venue,journal,"
    "fieldsOfStudy,url,openAccessPdf"
)
"""https://api.semanticscholar.org/api-docs/graph"""
WITH_KEY, WITHOUT_KEY = 1.1, 3.0
"""Seconds between two requests; a key is worth one a second, those without share one pool."""
BATCH, PAGE, RECOMMEND = 500, 100, 500
BY_RELEVANCE = 1000
"""Results the ranked search gives at most; beyond, the whole search without ranks is asked."""
MOST = 2000
"""Papers of a search without a limit."""
LATE = timedelta(days=60)
"""Papers may arrive so long after their day of publication."""
_OWN = {400, 401, 403, 404}
_NEAR = {"like": "", "references": "citedPaper", "citations": "citingPaper"}


class SemanticScholar:
    """Papers of Semantic Scholar.

    Args:
        asked: words to search for; ids parted by commas; or `like:`, `references:` or `citations:`
            and an id (for `like:` several).
        since, until: first and last day of publication, for a search.
        limit: at most so many papers; 0 sets none but `MOST` for a search.
        key: an API key; the service is slow without.
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
        url: str = API_URL,
    ) -> None:
        self.kind, self.words, self.ids = _read_wish(asked)
        self.since, self.until, self.limit = since, until, limit
        self.key, self.url = "".join(key.split()), url.rstrip("/")
        span = f" {since or ''}..{until or ''}" if since or until else ""
        self.name = f"semantic_scholar:{asked.strip()}{span}" + (f" limit {limit}" if limit else "")

    def pages(self, web: Web, state: Mapping[str, JSON]) -> Iterator[Page]:
        """All pages; a search asks the next time for what was published since, with some days more."""
        gate = gate_for("semantic_scholar", WITH_KEY if self.key else WITHOUT_KEY, web.clock)
        if self.kind == "ids":
            yield from self._given(web, gate)
        elif self.kind == "like":
            yield from self._like(web, gate)
        elif self.kind in _NEAR:
            yield from self._cited(web, gate)
        elif 0 < self.limit <= BY_RELEVANCE:
            yield from self._ranked(web, gate)
        else:
            yield from self._all(web, gate, state)

    def _given(self, web: Web, gate: Gate) -> Iterator[Page]:
        ids = self.ids[: self.limit or None]
        for start in range(0, len(ids), BATCH):
            part = ids[start : start + BATCH]
            asked = {"ids": [_name_of(one) for one in part]}
            answer = self._post(web, gate, f"{GRAPH}/batch", asked, {"fields": FIELDS})
            found = _list_of(answer.json(), "")
            if len(found) != len(part):
                raise BadAnswer(
                    "Semantic Scholar answered for fewer papers than were asked; try again later"
                )
            yield Page(
                records=tuple(
                    Skipped(one, "Semantic Scholar does not know it; check the id")
                    if record is None
                    else read_paper(record)
                    for one, record in zip(part, found, strict=True)
                )
            )

    def _like(self, web: Web, gate: Gate) -> Iterator[Page]:
        params = {"fields": FIELDS, "limit": str(min(self.limit or PAGE, RECOMMEND))}
        names = [_name_of(one) for one in self.ids]
        if len(names) == 1:
            answer = self._get(web, gate, f"{RECOMMENDED}/forpaper/{names[0]}", params)
        else:
            answer = self._post(web, gate, f"{RECOMMENDED}/", {"positivePaperIds": names}, params)
        yield Page(records=_read(_list_of(answer.json(), "recommendedPapers")))

    def _cited(self, web: Web, gate: Gate) -> Iterator[Page]:
        path, start, given = f"{GRAPH}/{_name_of(self.ids[0])}/{self.kind}", 0, 0
        while True:
            params = {"fields": FIELDS, "offset": str(start), "limit": str(self._page(given))}
            answer = self._get(web, gate, path, params).json()
            if isinstance(answer, dict) and answer.get("data", ...) is None:
                # Publishers may forbid that references are given away.
                yield Page(note=f"Semantic Scholar may not give the {self.kind} of this paper")
                return
            rows = _list_of(answer, "data")
            papers = [row.get(_NEAR[self.kind]) if isinstance(row, dict) else row for row in rows]
            yield Page(records=_read(papers))
            start, given = start + len(rows), given + len(rows)
            if not rows or answer.get("next") is None or (self.limit and given >= self.limit):
                return

    def _ranked(self, web: Web, gate: Gate) -> Iterator[Page]:
        given = 0
        while given < self.limit:
            params = {
                **self._search(self.since),
                "offset": str(given),
                "limit": str(self._page(given)),
            }
            answer = self._get(web, gate, f"{GRAPH}/search", params).json()
            # Where nothing fits there is no list either.
            rows = _list_of(answer, "data", total=0)
            yield Page(records=_read(rows))
            given += len(rows)
            if not rows or answer.get("next") is None:
                return

    def _all(self, web: Web, gate: Gate, state: Mapping[str, JSON]) -> Iterator[Page]:
        today = web.clock.now().date()
        since, most = loose.day(state.get("since")) or self.since, self.limit or MOST
        token, given = str(state.get("token") or ""), loose.count(state.get("given"))
        kept: dict[str, JSON] = {"since": since.isoformat()} if since else {}
        done: dict[str, JSON] = {"since": (today - LATE).isoformat()}
        while True:
            params = {**self._search(since), "sort": "publicationDate:desc"}
            if token:
                params["token"] = token
            answer = self._get(web, gate, f"{GRAPH}/search/bulk", params).json()
            rows = _list_of(answer, "data", total=0)[: most - given]
            given += len(rows)
            token = str(answer.get("token") or "")
            total = loose.count(answer.get("total"))
            if rows and token and given < most:
                yield Page(records=_read(rows), state={**kept, "token": token, "given": given})
                continue
            note = ""
            if given < min(total, most):
                note = f"partial: {given:,} of {total:,} papers came"
            elif total > given and not self.limit:
                note = f"the newest {given:,} of {total:,} papers; narrow the words or --since"
            yield Page(
                records=_read(rows), state=done, note=note, complete=given >= min(total, most)
            )
            return

    def _search(self, since: date | None) -> dict[str, str]:
        params = {"query": self.words, "fields": FIELDS}
        if since or self.until:
            params["publicationDateOrYear"] = f"{since or ''}:{self.until or ''}"
        return params

    def _page(self, given: int) -> int:
        return min(PAGE, self.limit - given) if self.limit else PAGE

    def _get(self, web: Web, gate: Gate, path: str, params: Mapping[str, str]) -> Answer:
        answer = web.get(
            self.url + path, params=params, headers=self._headers(), gate=gate,
            accept_status=frozenset(_OWN),
        )  # fmt: skip
        return self._checked(answer)

    def _post(
        self, web: Web, gate: Gate, path: str, asked: Mapping[str, Any], params: Mapping[str, str]
    ) -> Answer:
        answer = web.post(
            self.url + path, json=asked, params=params, headers=self._headers(), gate=gate,
            accept_status=frozenset(_OWN),
        )  # fmt: skip
        return self._checked(answer)

    def _headers(self) -> dict[str, str]:
        return {"x-api-key": self.key} if self.key else {}

    def _checked(self, answer: Answer) -> Answer:
        if answer.status not in _OWN:
            return answer
        if answer.status in {401, 403}:
            advice = (
                "does not take the key; check SEMANTIC_SCHOLAR_KEY"
                if self.key
                else "wants a key; set SEMANTIC_SCHOLAR_KEY"
            )
            raise SourceFailure(f"Semantic Scholar {advice}", kind="refused")
        if answer.status == 404 and self.ids:
            names = ", ".join(self.ids)
            raise SourceFailure(
                f"Semantic Scholar does not know {names[:200]}; check the id", kind="refused"
            )
        raise SourceFailure(
            f"Semantic Scholar did not take the question ({answer.status}); check what is asked for",
            kind="refused",
        )


def read_paper(raw: object) -> Paper | Skipped:
    """The paper of a record, or why it gives none."""
    if not isinstance(raw, dict):
        return Skipped("a record of Semantic Scholar", "it holds no paper")
    number = loose.text(raw.get("paperId"))
    where = f"s2:{number}" if number else "a record of Semantic Scholar"
    known = raw.get("externalIds")
    others = known if isinstance(known, dict) else {}
    corpus = loose.count(others.get("CorpusId")) or loose.count(raw.get("corpusId"))
    ids = [
        f"{scheme}:{value}"
        for scheme, name in (("arxiv", "ArXiv"), ("doi", "DOI"), ("pmid", "PubMed"))
        if (value := loose.text(others.get(name)))
    ]
    if number:
        ids.append(where)
    if corpus:
        ids.append(f"s2:{corpus}")
    journal = raw.get("journal")
    name = loose.text(journal.get("name")) if isinstance(journal, dict) else ""
    pdf = raw.get("openAccessPdf")
    file = loose.text(pdf.get("url")) if isinstance(pdf, dict) else ""
    year = raw.get("year")
    try:
        return make_paper(
            Record(
                ids=tuple(ids),
                title=loose.text(raw.get("title")),
                abstract=loose.text(raw.get("abstract")),
                authors=tuple(_authors(raw.get("authors"))),
                published=loose.text(raw.get("publicationDate"))
                or (str(year) if isinstance(year, int) else ""),
                venue=loose.text(raw.get("venue")) or name,
                categories=tuple(map(loose.text, loose.items(raw.get("fieldsOfStudy")))),
                links=(loose.text(raw.get("url")), file),
            ),
            "semantic_scholar",
        )
    except RecordError as error:
        return Skipped(where, str(error))


def _read(rows: Sequence[object]) -> tuple[Paper | Skipped, ...]:
    return tuple(map(read_paper, rows))


def _read_wish(asked: str) -> tuple[str, str, tuple[str, ...]]:
    """Kind, words and canonical ids of what is asked for."""
    text = asked.strip()
    kind, colon, rest = text.partition(":")
    kind = kind.strip().casefold()
    near = bool(colon) and kind in _NEAR
    parts = [part for part in re.split(r"[,\s]+", rest if near else text) if part]
    ids = tuple(dict.fromkeys(found for part in parts if (found := _asked_id(part))))
    every = bool(parts) and all(map(_asked_id, parts))
    if not near:
        return ("ids", "", ids) if every else ("words", text, ())
    if not every or (kind != "like" and len(ids) != 1):
        many = "ids" if kind == "like" else "one id"
        raise SourceFailure(
            f"Semantic Scholar: {kind}: takes {many}; write {kind}:arxiv:1706.03762", kind="refused"
        )
    return kind, "", ids


_ASKED = ("arxiv:", "doi:", "pmid:", "s2:")


def _asked_id(text: str) -> str:
    """The id as we write it, or an empty string where the service knows no such ids."""
    if re.fullmatch(r"[0-9a-f]{40}", text):
        text = f"s2:{text}"
    text = re.sub(r"(?i)^corpusid:", "s2:", text)
    found = canonical_id(text) or ""
    return found if found.startswith(_ASKED) else ""


def _name_of(paper_id: str) -> str:
    """A canonical id as the service writes it."""
    scheme, _, rest = paper_id.partition(":")
    if scheme == "s2":
        return f"CorpusId:{rest}" if rest.isdigit() and len(rest) < 40 else rest
    return f"{scheme.upper()}:{rest}"


def _list_of(answer: object, name: str, total: int | None = None) -> list[Any]:
    """The list in an answer; where `total` of an answer without a list is as given, none."""
    rows = loose.fields(answer).get(name) if name else answer
    if rows is None and isinstance(answer, dict) and answer.get("total") == total is not None:
        return []
    if not isinstance(rows, list):
        raise BadAnswer("Semantic Scholar answered without a list of papers; try again later")
    return rows


def _authors(raw: object) -> Iterator[str]:
    for one in loose.items(raw):
        if isinstance(one, dict) and (name := loose.text(one.get("name"))):
            yield name
