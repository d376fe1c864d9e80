"""OpenReview as a source: the papers of a venue, from whichever of its two APIs holds them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

from index.paper import Paper, Status
from index.sources.records import Record, RecordError, Skipped, make_paper
from index.sources.source import JSON, BadAnswer, Page, SourceFailure
from index.sources.web import Gate, Web, gate_for

API_URL = "https://api2.openreview.net"
OLD_API_URL = "https://api.openreview.net"
SITE = "https://openreview.net"
PAGE = 500
"""Notes of a page; the API gives 1,000 at most, and those of the old one carry their replies."""
_ANONYMOUS = re.compile(
    r"anonym(?:ous|ized|ised)\b.*|(?:paper|submission) ?\d+ authors?", re.IGNORECASE
)
_BETWEEN = frozenset({"refused", "bad-answer"})
"""Failures of one API after which the other one may still know the venue."""


@dataclass(frozen=True, slots=True)
class _Ask:
    """One list of notes."""

    api: str
    url: str
    params: Mapping[str, str]


class OpenReview:
    """The papers of a venue.

    Args:
        venue: its id, `ICLR.cc/2026/Conference`, or the address of its page.
        submissions: all that was handed in, and not only what was accepted.
        limit: at most so many papers; 0 sets none.
        url: root of API v2.
        old_url: root of API v1, where it is not the one that belongs to `url`.
    """

    def __init__(
        self,
        venue: str,
        *,
        submissions: bool = False,
        limit: int = 0,
        url: str = API_URL,
        old_url: str = "",
        page_size: int = PAGE,
    ) -> None:
        self.venue = venue_of(venue)
        self.submissions, self.limit, self.page_size = submissions, limit, page_size
        self.url = url.rstrip("/")
        self.old_url = (old_url or (OLD_API_URL if self.url == API_URL else self.url)).rstrip("/")
        self.name = f"openreview:{self.venue}" + (" submissions" if submissions else "")
        if limit:
            self.name += f" limit {limit}"

    def pages(self, web: Web, state: Mapping[str, JSON]) -> Iterator[Page]:
        """All pages; the state holds the list that is being read and the offset in it."""
        gate = gate_for("openreview", 0.1, web.clock)
        ways = self._ways()
        way, step, start = _place(state, ways)
        failures: list[SourceFailure] = []
        given = 0
        while way < len(ways):
            found = step > 0 or start > 0
            while step < len(ways[way]):
                last: Page | None = None
                try:
                    for page in self._listed(web, gate, ways[way][step], way, step, start):
                        found = found or bool(page.records)
                        papers = [one for one in page.records if isinstance(one, Paper)]
                        if self.limit and given + len(papers) >= self.limit:
                            yield Page(records=_first(page.records, self.limit - given))
                            return
                        given += len(papers)
                        last = page
                        if page.records or not page.complete:
                            yield page
                except SourceFailure as failure:
                    # Once papers came, a list that breaks off is no sign of the other API.
                    if found or failure.kind not in _BETWEEN:
                        raise
                    failures.append(failure)
                if last and not last.complete:
                    return
                step, start = step + 1, 0
            if found:
                # Read from the start next time: papers are accepted, changed and withdrawn.
                yield Page(state={})
                return
            way, step = way + 1, 0
        if len(failures) == sum(map(len, ways)):
            raise failures[0]
        what = "submissions" if self.submissions else "accepted papers"
        note = f"neither API of OpenReview lists {what} of {self.venue}; check the venue's id"
        if not self.submissions:
            note += ", or ask for submissions"
        if failures:
            note += f" (one did not answer as it should: {failures[0]})"
        yield Page(state={}, note=note, complete=not failures)

    def _ways(self) -> list[list[_Ask]]:
        """Lists to read together; the next way is taken where one gives nothing at all."""
        accepted = {"content.venueid": self.venue}

        def called(api: str, url: str, *names: str) -> list[_Ask]:
            more = {"details": "directReplies"} if api == "v1" else {}
            return [_Ask(api, url, {"invitation": f"{self.venue}/-/{n}", **more}) for n in names]

        gone = ("Withdrawn_Submission", "Desk_Rejected_Submission") if self.submissions else ()
        old = [
            called("v1", self.old_url, "Blind_Submission", *gone),
            called("v1", self.old_url, "Submission", *gone),
        ]
        if self.submissions:
            return [called("v2", self.url, "Submission"), *old]
        return [[_Ask("v2", self.url, accepted)], [_Ask("v1", self.old_url, accepted)], *old]

    def _listed(
        self, web: Web, gate: Gate, ask: _Ask, way: int, step: int, start: int
    ) -> Iterator[Page]:
        seen: set[str] = set()
        first = start
        before: list[Any] = []
        while True:
            # The earliest first: what comes in later stands at the end, so that offsets stay true.
            params = {**ask.params, "limit": self.page_size, "offset": start, "sort": "tcdate:asc"}
            answer = web.get(f"{ask.url}/notes", params=params, gate=gate).json()
            notes, total = notes_of(answer)
            if notes and notes == before:
                # Where no count is told, nothing else would end it.
                raise BadAnswer("OpenReview gives the same page again and again; try again later")
            before, fresh = notes, []
            for number, note in enumerate(notes, start + 1):
                key = str(note.get("id") or number) if isinstance(note, dict) else str(number)
                if key not in seen:
                    seen.add(key)
                    fresh.append(note)
            records = tuple(
                read_note(note, self.venue, submissions=self.submissions) for note in fresh
            )
            start += len(notes)
            ended = not notes or (total is not None and start >= total)
            place: dict[str, JSON] = {"way": way, "step": step, "start": start}
            missing = total - first - len(seen) if ended and total else 0
            note = ""
            if missing > 0 and not notes:
                note = f"partial: the page from {start:,} of {total:,} notes stayed empty"
            elif missing > 0:
                note = f"partial: {missing:,} of {total:,} notes never arrived"
                place = {}
            yield Page(records=records, state=place, note=note or _told(fresh), complete=not note)
            if ended:
                return


def venue_of(text: str) -> str:
    """The id of a venue out of its id or its page's address.

    Raises SourceFailure.
    """
    text = text.strip()
    if match := re.search(
        r"openreview\.net/(?:group|submissions)\?(?:.*&)?(?:id|venue)=([^&#]+)", text
    ):
        text = match[1].replace("%2F", "/")
    text = text.strip("/")
    if not re.fullmatch(r"[\w.~-]+(?:/[\w.~-]+)*", text):
        raise SourceFailure(
            f"OpenReview: {text[:80]!r} is no venue; write its id, as in ICLR.cc/2026/Conference",
            kind="refused",
        )
    return text


def notes_of(answer: Any) -> tuple[list[Any], int | None]:
    """The notes of an answer, and how many there are in all where it says so.

    Raises BadAnswer: it holds no list of notes.
    """
    if not isinstance(answer, dict) or not isinstance(answer.get("notes"), list):
        raise BadAnswer("OpenReview answered without a list of notes; try again later")
    total = answer.get("count")
    known = isinstance(total, int) and not isinstance(total, bool) and total >= 0
    return answer["notes"], total if known else None


def value_of(content: object, key: str) -> Any:
    """A field of a note: API v2 wraps it as `{"value": x}`, v1 does not."""
    field = content.get(key) if isinstance(content, dict) else None
    return field.get("value") if isinstance(field, dict) else field


def read_note(note: object, venue: str = "", *, submissions: bool = False) -> Paper | Skipped:
    """The paper of a note, or why it gives none."""
    if not isinstance(note, dict):
        return Skipped("a note of OpenReview", "it is no object")
    forum = _line(note.get("forum")) or _line(note.get("id"))
    where = f"openreview:{forum}" if forum else "a note without id"
    content = note.get("content")
    if not forum or " " in forum:
        return Skipped(where, "it has no id")
    if note.get("replyto") or (note.get("id") and note["id"] != forum):
        return Skipped(where, "it is a reply (a review, comment or decision) and no paper")
    if note.get("ddate"):
        return Skipped(where, "it was deleted at OpenReview")
    if not isinstance(content, dict):
        return Skipped(where, "it has no content; it may not be public")
    state = standing(note, venue)
    if not submissions and state in _NOT_ACCEPTED:
        return Skipped(where, f"{_NOT_ACCEPTED[state]}; ask for submissions to get it")
    pdf = _address(value_of(content, "pdf"))
    links = (f"{SITE}/forum?id={forum}", pdf, _address(value_of(content, "html")),
             _address(value_of(content, "_bibtex")))  # fmt: skip
    shown = _line(value_of(content, "venue"))
    record = Record(
        # A paper of an early year is but a link to arXiv.
        ids=(where, pdf if "arxiv.org/" in pdf else "", _doi(value_of(content, "doi"))),
        title=_line(value_of(content, "title")),
        abstract=_text(value_of(content, "abstract")),
        authors=_authors(value_of(content, "authors")),
        published=_day(note.get("pdate")) or _day(note.get("cdate")) or _day(note.get("tcdate")),
        updated=_day(note.get("mdate")) or _day(note.get("tmdate")),
        venue=shown or (venue if state == "accepted" else venue and f"Submitted to {venue}"),
        categories=_words(value_of(content, "keywords")),
        links=tuple(link for link in links if link),
        status=Status.WITHDRAWN if state == "withdrawn" else Status.ACTIVE,
    )
    try:
        return make_paper(record, "openreview")
    except RecordError as error:
        return Skipped(where, str(error))


_NOT_ACCEPTED = {
    "rejected": "it was rejected",
    "desk-rejected": "it was rejected without review (desk-rejected)",
    "under review": "it is under review",
}


def standing(note: Mapping[str, Any], venue: str = "") -> str:
    """`accepted`, `rejected`, `desk-rejected`, `withdrawn`, `under review` or `unknown`.

    The venue's id says it since 2021; before, the invitation, the venue's name or a decision do.
    """
    content = note.get("content")
    venue_id = _line(value_of(content, "venueid")).rstrip("/")
    last = venue_id.rpartition("/")[2]
    invitations = note.get("invitations")
    calls = [note.get("invitation"), *(invitations if isinstance(invitations, list) else [])]
    ends = " ".join(str(call).rpartition("/-/")[2] for call in calls if call)
    shown = _line(value_of(content, "venue"))
    signs = (last or ends).casefold().replace("-", "_")
    if "desk_reject" in signs or re.search(r"(?i)\bdesk[- ]?reject", shown):
        return "desk-rejected"
    withdrawal = _line(value_of(content, "withdrawal")).casefold() == "confirmed"
    if withdrawal or "withdrawn" in signs or re.search(r"(?i)\bwithdrawn\b", shown):
        return "withdrawn"
    if "rejected" in last.casefold() or re.search(r"(?i)\brejected\b|^submitted to\b", shown):
        return "rejected"
    if last.casefold() in {"submission", "submitted", "blind_submission", "under_review"}:
        return "rejected" if re.search(r"(?i)\bsubmitted\b", last + " " + shown) else "under review"
    if venue_id and (not venue or venue_id.casefold() == venue.casefold()):
        return "accepted"
    return _decided(note) or ("accepted" if venue_id else "unknown")


def _decided(note: Mapping[str, Any]) -> str:
    """What a decision among the replies says, or nothing."""
    details = note.get("details")
    for key in ("directReplies", "replies"):
        replies = details.get(key) if isinstance(details, dict) else None
        for reply in replies if isinstance(replies, list) else []:
            if not isinstance(reply, dict):
                continue
            calls = reply.get("invitations")
            said = f"{reply.get('invitation')} {calls}".casefold()
            if not re.search(r"decision|acceptance|meta_review", said):
                continue
            content = reply.get("content")
            for field in ("decision", "recommendation", "acceptance"):
                verdict = _line(value_of(content, field)).casefold()
                if verdict.startswith(("accept", "invite")):
                    return "accepted"
                if "desk" in verdict and "reject" in verdict:
                    return "desk-rejected"
                if verdict.startswith("reject"):
                    return "rejected"
    return ""


def _told(notes: Sequence[Any]) -> str:
    unknown = Counter(standing(note) for note in notes if isinstance(note, dict))["unknown"]
    if not unknown:
        return ""
    return f"OpenReview does not say of {unknown:,} of these whether they were accepted"


def _place(state: Mapping[str, JSON], ways: list[list[_Ask]]) -> tuple[int, int, int]:
    kept = [state.get(key, 0) for key in ("way", "step", "start")]
    way, step, start = (one if type(one) is int and one >= 0 else -1 for one in kept)
    fits = min(way, step, start) >= 0 and way < len(ways) and step < len(ways[way])
    return (way, step, start) if fits else (0, 0, 0)


def _first(records: Sequence[Paper | Skipped], papers: int) -> tuple[Paper | Skipped, ...]:
    kept: list[Paper | Skipped] = []
    for one in records:
        if papers <= 0:
            break
        kept.append(one)
        papers -= isinstance(one, Paper)
    return tuple(kept)


def _authors(value: object) -> tuple[str, ...]:
    """Names; none where the authors are hidden, since nobody is called Anonymous."""
    names = re.split(r"\s*[,;]\s*|\s+and\s+", value) if isinstance(value, str) else value
    found = []
    for one in names if isinstance(names, list) else []:
        name = _line(one.get("fullname") or one.get("name") if isinstance(one, dict) else one)
        if name and not _ANONYMOUS.fullmatch(name):
            found.append(name)
    return tuple(found)


def _words(value: object) -> tuple[str, ...]:
    words = re.split(r"\s*[,;]\s*", value) if isinstance(value, str) else value
    return tuple(word for one in words if (word := _line(one))) if isinstance(words, list) else ()


def _address(value: object) -> str:
    """An absolute address; papers are kept as `/pdf/x.pdf`. Other text is none."""
    text = _line(value)
    if not re.fullmatch(r"/[^/\s]\S*|https?://\S+", text):
        return ""
    try:
        link = urljoin(SITE, text)
        return link if urlsplit(link).hostname else ""
    except ValueError:
        return ""


def _doi(value: object) -> str:
    text = _line(value)
    return f"doi:{text}" if text.startswith("10.") else text


def _day(value: object) -> str:
    """The day (UTC) of a time in milliseconds; times before the service existed are none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 1e12 <= value < 1e14:
        return ""
    return datetime.fromtimestamp(value / 1000, UTC).date().isoformat()


def _text(value: object) -> str:
    if isinstance(value, list):
        return " ".join(one for one in value if isinstance(one, str))
    return value if isinstance(value, str) else ""


def _line(value: object) -> str:
    return " ".join(_text(value).split())
