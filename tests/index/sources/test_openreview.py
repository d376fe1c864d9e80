"""OpenReview: both APIs, who was accepted, and counts that add up."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index.paper import Paper, Status
from index.sources.openreview import OpenReview, notes_of, read_note
from index.sources.records import Skipped, SourceError
from index.sources.source import Page, SourceFailure
from index.sources.web import Web
from tests.index.sources.server import Reply, Script

VENUE = "Eel.cc/2026/Conference"
MS = 1_770_000_000_000


def note(key: str, *, last: str = "", wrap: bool = True, **more: Any) -> dict[str, Any]:
    content = {"title": f"On {key}", "abstract": "We follow eels.", "authors": ["Ada Lund"],
               "keywords": ["eels", "rivers"], "pdf": f"/pdf/{key}.pdf", "venue": "Eel 2026",
               "venueid": VENUE + last}  # fmt: skip
    content.update(more)
    held = {name: {"value": value} for name, value in content.items()} if wrap else content
    return {"id": key, "forum": key, "cdate": MS, "mdate": MS + 86_400_000, "content": held}


def answer(*notes: object, count: int | None = None) -> str:
    return json.dumps({"notes": notes, "count": len(notes) if count is None else count})


def taken(pages: Iterable[Page]) -> list[Paper | Skipped]:
    return [one for page in pages for one in page.records]


def test_a_paper_is_the_same_from_either_api() -> None:
    new, old = read_note(note("eelOne1"), VENUE), read_note(note("eelOne1", wrap=False), VENUE)
    assert new == old
    assert isinstance(new, Paper)
    assert (new.id, new.published, new.updated) == (
        "openreview:eelOne1",
        "2026-02-02",
        "2026-02-03",
    )
    assert (new.venue, new.categories) == ("Eel 2026", ("eels", "rivers"))
    assert new.links[:2] == (
        "https://openreview.net/forum?id=eelOne1",
        "https://openreview.net/pdf/eelOne1.pdf",
    )


def test_pages_go_on_by_what_arrived(web: Web, served: Script) -> None:
    served.on("/notes", answer(note("eelOne1"), note("eelTwo2"), count=3),
              answer(note("eelThr3"), count=3))  # fmt: skip
    pages = list(OpenReview(VENUE, url=served.url).pages(web, {}))
    assert [getattr(one, "id", one) for one in taken(pages)] == [
        "openreview:eelOne1", "openreview:eelTwo2", "openreview:eelThr3",
    ]  # fmt: skip
    assert [one.query["offset"] for one in served.asked] == ["0", "2"]
    assert served.asked[0].query["content.venueid"] == VENUE
    assert pages[-1].state == {}
    assert all(page.complete for page in pages)


def test_the_other_api_is_asked_where_one_is_empty(web: Web, served: Script) -> None:
    served.on("/notes", answer(), answer(), answer(note("eelOld1", wrap=False, venueid="")))
    records = taken(OpenReview(VENUE, url=served.url).pages(web, {}))
    assert [getattr(one, "id", one) for one in records] == ["openreview:eelOld1"]
    assert served.asked[-1].query["invitation"] == f"{VENUE}/-/Blind_Submission"


def test_nothing_at_either_api_is_said(web: Web, served: Script) -> None:
    served.on("/notes", answer())
    (page,) = OpenReview(VENUE, url=served.url).pages(web, {})
    assert page.note.startswith(f"neither API of OpenReview lists accepted papers of {VENUE}")


def test_a_venue_nobody_knows_is_a_failure(web: Web, served: Script) -> None:
    served.on("/notes", Reply("{}", 404))
    with pytest.raises(SourceFailure, match=r"OpenReview refused \(404\)"):
        list(OpenReview(VENUE, url=served.url).pages(web, {}))


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        ("/Rejected_Submission", "it was rejected; ask for submissions"),
        ("/Desk_Rejected_Submission", "it was rejected without review"),
        ("/Submission", "it is under review"),
    ],
)
def test_what_was_not_accepted_comes_only_on_request(last: str, reason: str) -> None:
    skipped = read_note(note("eelOne1", last=last), VENUE)
    assert isinstance(skipped, Skipped)
    assert skipped.reason.startswith(reason)
    assert isinstance(read_note(note("eelOne1", last=last), VENUE, submissions=True), Paper)


def test_withdrawn_papers_are_marked_and_nobody_is_called_anonymous() -> None:
    made = read_note(note("eelOne1", last="/Withdrawn_Submission", authors=["Anonymous"]), VENUE)
    assert isinstance(made, Paper)
    assert (made.status, made.authors) == (Status.WITHDRAWN, ())


def test_replies_and_notes_without_content_are_skipped_with_the_reason() -> None:
    assert read_note({**note("eelRev1"), "forum": "eelOne1"}) == Skipped(
        "openreview:eelOne1", "it is a reply (a review, comment or decision) and no paper"
    )
    empty = read_note({"id": "eelOne1", "content": None})
    assert empty == Skipped("openreview:eelOne1", "it has no content; it may not be public")


def test_a_decision_among_the_replies_counts_where_the_venue_says_nothing() -> None:
    old = note("eelOld1", wrap=False, venue="", venueid="")
    verdict = {"invitation": "Eel.cc/Paper1/-/Decision", "content": {"decision": "Reject"}}
    assert isinstance(read_note({**old, "details": {"directReplies": [verdict]}}, VENUE), Skipped)
    verdict["content"] = {"decision": "Accept (Poster)"}
    assert isinstance(read_note({**old, "details": {"directReplies": [verdict]}}, VENUE), Paper)


def test_a_limit_stops(web: Web, served: Script) -> None:
    served.on("/notes", answer(note("eelOne1"), note("eelTwo2"), count=900))
    assert len(taken(OpenReview(VENUE, limit=1, url=served.url).pages(web, {}))) == 1
    assert len(served.asked) == 1


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
_fields = ["id", "forum", "content", "replyto", "cdate", "mdate", "details", "invitations", "ddate"]


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(_fields), _json, st.sampled_from(["title", "authors", "pdf", "venueid"]), _json
)
def test_a_mutated_note_is_a_paper_or_skipped(name: str, odd: Any, inner: str, held: Any) -> None:
    made = {**note("eelOne1", **{inner: held}), name: odd}
    assert isinstance(read_note(made, VENUE), Paper | Skipped)


@settings(max_examples=80, deadline=None)
@given(_json)
def test_a_mutated_answer_gives_only_source_errors(odd: Any) -> None:
    with pytest.raises(SourceError):
        notes_of(odd)


def test_constructed_pages_add_up(shared: Path, web: Web, served: Script) -> None:
    folder = shared / "data/payloads/openreview"
    files = [folder / f"CONSTRUCTED_api_v2_iclr2026_page{n}.json" for n in (1, 2)]
    served.on("/notes", *(path.read_bytes() for path in files))
    records = taken(OpenReview("ICLR.cc/2026/Conference", url=served.url).pages(web, {}))
    assert len({one.id for one in records if isinstance(one, Paper)}) == len(records) == 60


def test_recorded_notes_add_up(shared: Path) -> None:
    folder = shared / "data/payloads/openreview"
    (old,) = json.loads((folder / "api_v1_real_submissions.json").read_bytes())
    notes = [read_note(one, "NIPS.cc/2018/Workshop/CDNNRIA") for one in old["submissions"]]
    assert [one.id for one in notes if isinstance(one, Paper)] == [
        "openreview:HkghWScuoQ", "openreview:r1eLk2mKiX",
    ]  # fmt: skip
    (official,) = json.loads((folder / "api_v2_note_with_replies.json").read_bytes())["notes"]
    skipped = read_note(official, "TC/2024/Conference")
    assert isinstance(skipped, Skipped)
    assert skipped.reason.startswith("it is under review")
    replies = [read_note(one, submissions=True) for one in official["details"]["replies"]]
    assert replies
    assert all(isinstance(one, Skipped) and "a reply" in one.reason for one in replies)
    lines = [
        json.loads(line)
        for path in sorted((folder / "expertise_tests").glob("*/*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    read = [read_note(one) for one in lines]
    assert sum(isinstance(one, Paper) for one in read) == 24
    assert [one for one in read if isinstance(one, Skipped)] == [
        Skipped("openreview:dsPcInkL", "it has neither a title nor an abstract")
    ]
