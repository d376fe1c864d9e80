"""What goes into a digest: papers new to the library, close to the topic, each with its reason."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from bot.digests.coverage import WHOLE, Coverage
from bot.digests.floor import Floor, closeness, floor_of, is_close
from bot.digests.reasons import reason
from bot.digests.request import without_cross
from bot.digests.schedule import day_in_words
from index.library import Hit, Library
from index.paper import Paper, Status

LIMIT = 10
"""Papers a digest lists; the rest is counted."""

ILLUSTRATED = 200
"""Papers a preview looks at where none is new."""

BATCH = 500
"""Papers scored at a time, so that the backlog of a year is no larger a question than a day's."""

NOTHING_SAVED: Mapping[str, datetime] = MappingProxyType({})

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Digest:
    """One digest, before it is rendered."""

    chat: str
    due: datetime
    checked: int
    """Papers that were new to the library and looked at."""
    papers: tuple[tuple[Paper, str], ...]
    """Best first, each with the reason why it is listed."""
    more: int
    """Further papers close to the topic that found no room."""
    note: str
    """Why it is empty, and which sources could not be read; else an empty line."""
    topic: str = ""
    zone: str = "UTC"
    seen: int = 0
    """The library's sequence number up to which it looked."""
    coverage: Coverage = WHOLE
    """How far what is new is known."""
    revised: tuple[str, ...] = ()
    """Saved papers of which the note names a new version, as `arxiv:2510.23127 v2`."""


def to_json(digest: Digest) -> dict[str, Any]:
    """The object `bot digest --json` prints."""
    return {
        "chat": digest.chat,
        "due": digest.due.isoformat(),
        "checked": digest.checked,
        "papers": [
            {"id": paper.id, "handle": paper.handle, "title": paper.title, "reason": why}
            for paper, why in digest.papers
        ],
        "more": digest.more,
        "note": digest.note,
    }


def newest(library: Library) -> int:
    """The sequence number from which papers of the person's own library are news.

    The bundled notes are no news: the first `add` begins another library, which counts from one.
    """
    return 0 if library.bundled else library.sequence


def compose(
    library: Library,
    *,
    chat: str,
    topic: str,
    due: datetime,
    zone: str,
    since: int,
    delivered: Collection[str],
    coverage: Coverage = WHOLE,
    saved: Mapping[str, datetime] = NOTHING_SAVED,
) -> Digest:
    """A digest of what came into the library after the sequence number `since`.

    Of what a service announced only the new is news: a paper that came as a cross-list is taken
    where the topic asks for those, one that came as a replacement never, but for a line on papers
    the chat has `saved` (id: when). Withdrawn and retracted papers, and those the chat has had, are
    left out. A paper that cannot be read is left out and logged; the others still come.
    """
    # A library begun anew counts from one again; what was delivered before is left out by id.
    start = since if since <= newest(library) else 0
    stored = [] if library.bundled else library.since(start)
    words, cross = without_cross(topic)
    active = [paper for _, paper in stored if paper.status is Status.ACTIVE]
    papers = announced_as_new(library, active, cross=cross)
    listed, more = _listed(library, words, [p for p in papers if p.id not in delivered])
    note = "" if listed else _note(library, words, zone, checked=len(papers), coverage=coverage)
    revised = revisions(library, saved, delivered)
    return Digest(
        chat=chat,
        due=due,
        checked=len(papers),
        papers=listed,
        more=more,
        note=" ".join(part for part in (note, _in_words(revised), coverage.notice) if part),
        topic=topic,
        zone=zone,
        seen=max((sequence for sequence, _ in stored), default=start),
        coverage=coverage,
        revised=tuple(revised),
    )


def revisions(
    library: Library, saved: Mapping[str, datetime], delivered: Collection[str]
) -> dict[str, Paper]:
    """Saved papers with a version that was announced since and that the chat was not told of.

    The keys name paper and version, to be kept with what was delivered.
    """
    found = {}
    for paper_id, announced in library.announcements(list(saved)).items():
        since = saved[paper_id].date().isoformat()
        newer = any(one.kind == "replaced" and one.batch >= since for one in announced)
        paper = library.get(paper_id) if newer else None
        key = f"{paper_id} v{paper.version}" if paper else ""
        if paper and paper.version > 1 and key not in delivered:
            found[key] = paper
    return found


def _in_words(revised: Mapping[str, Paper]) -> str:
    """`Of what you saved there is a new version: “…” (v2, https://…).`"""
    named = [
        f"“{paper.title}” (v{paper.version}{f', {paper.link}' if paper.link else ''})"
        for paper in list(revised.values())[:LIMIT]
    ]
    return f"Of what you saved there is a new version: {'; '.join(named)}." if named else ""


def announced_as_new(library: Library, papers: Sequence[Paper], *, cross: bool) -> list[Paper]:
    """Those of the papers that some listing gave as new, and those no listing spoke of.

    With `cross`, also those that were only cross-listed.
    """
    told = library.announcements([paper.id for paper in papers])
    wanted = {"new", "cross"} if cross else {"new"}
    kinds = {name: {str(a.kind) for a in announced} for name, announced in told.items()}
    return [p for p in papers if not kinds.get(p.id) or kinds[p.id] & wanted]


def illustrate(library: Library, *, chat: str, topic: str, due: datetime, zone: str) -> Digest:
    """What a digest would list if the newest papers of the library had just come in."""
    stored = library.since(max(0, library.sequence - ILLUSTRATED))
    papers = [paper for _, paper in stored if paper.status is Status.ACTIVE]
    topic, _ = without_cross(topic)
    listed, more = _listed(library, topic, papers)
    return Digest(
        chat=chat,
        due=due,
        checked=len(papers),
        papers=listed,
        more=more,
        note="" if listed else f"Nothing close to “{topic}” among {newest_of(len(papers))}.",
        topic=topic,
        zone=zone,
    )


def _listed(
    library: Library, topic: str, papers: Sequence[Paper]
) -> tuple[tuple[tuple[Paper, str], ...], int]:
    """At most ten of the papers close to the topic, with reasons, and how many more there are."""
    scored = _scored(library, topic, [paper.id for paper in papers])
    floor = floor_of(library)
    hits = [hit for hit in scored if _is_close(topic, hit, floor)]
    listed: list[tuple[Paper, str]] = []
    place = 0
    while place < len(hits) and len(listed) < LIMIT:
        if why := _reason(library, topic, hits[place]):
            listed.append((hits[place].paper, why))
        place += 1
    return tuple(listed), len(hits) - place


def _scored(library: Library, topic: str, papers: Sequence[str]) -> list[Hit]:
    """Best first; one paper that cannot be scored costs only itself."""
    hits: list[Hit] = []
    for start in range(0, len(papers), BATCH):
        batch = papers[start : start + BATCH]
        try:
            hits += library.score(topic, batch)
        except Exception:
            log.exception("new papers cannot be scored together; each is tried alone")
            hits += _scored_alone(library, topic, batch)
    return sorted(hits, key=lambda hit: (-closeness(hit), hit.paper.id))


def _scored_alone(library: Library, topic: str, papers: Sequence[str]) -> list[Hit]:
    hits: list[Hit] = []
    failed = 0
    for number, paper_id in enumerate(papers, 1):
        try:
            hits += library.score(topic, [paper_id])
        except Exception:
            failed += 1
            log.exception("left out of a digest: %s", paper_id)
            if failed == number == min(len(papers), 20):
                # A fault of the library and of no paper: an empty digest would hide it.
                raise
    return hits


def _is_close(topic: str, hit: Hit, floor: Floor) -> bool:
    try:
        return is_close(topic, hit, floor)
    except Exception:
        log.exception("left out of a digest: %s", hit.paper.id)
        return False


def _reason(library: Library, topic: str, hit: Hit) -> str:
    try:
        return reason(library, topic, hit.paper)
    except Exception:
        log.exception("left out of a digest: %s", hit.paper.id)
        return ""


def _note(library: Library, topic: str, zone: str, *, checked: int, coverage: Coverage) -> str:
    if coverage.missing and not checked:
        # Nobody knows whether there is anything new.
        return ""
    if checked:
        return f"Nothing close to “{topic}” among {_count(checked, 'new paper')}."
    if library.bundled:
        return "Only the bundled notes are in the library, and they are not news."
    if coverage.quiet:
        return coverage.quiet
    last = _last_added(library.since(max(0, library.sequence - 1)))
    if last is None:
        return "The library is empty."
    return f"No new papers came into the library since {day_in_words(last.astimezone(ZoneInfo(zone)).date())}."


def _last_added(stored: Sequence[tuple[int, Paper]]) -> datetime | None:
    return datetime.fromisoformat(stored[-1][1].added) if stored else None


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def newest_of(number: int) -> str:
    """`the newest paper` or `the newest 200 papers`."""
    return "the newest paper" if number == 1 else f"the newest {number:,} papers"
