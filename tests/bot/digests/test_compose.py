"""A digest lists what is new and close to the topic, and says why."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.digests.compose import Digest, compose, illustrate, to_json
from bot.digests.reasons import reason
from index.library import Hit, Library

from .conftest import OLD, POLICY, SOIL, TREES, VISUOMOTOR, WITHDRAWN, paper

DUE = datetime(2026, 12, 2, 7, 0, tzinfo=UTC)


def _compose(
    library: Library,
    since: int = 1,
    topic: str = "diffusion policies",
    delivered: Collection[str] = (),
) -> Digest:
    return compose(
        library,
        chat="7",
        topic=topic,
        due=DUE,
        zone="Europe/Berlin",
        since=since,
        delivered=delivered,
    )


def _revised(library: Library, saved: datetime, delivered: Collection[str] = ()) -> Digest:
    library.announce("arxiv:cs.RO", "2026-12-01", {POLICY.id: "replaced"})
    return compose(
        library, chat="7", topic="diffusion policies", due=DUE, zone="Europe/Berlin",
        since=library.sequence, delivered=delivered, saved={POLICY.id: saved, SOIL.id: saved},
    )  # fmt: skip


def _ids(digest: Digest) -> list[str]:
    return [found.id for found, _ in digest.papers]


def test_what_came_in_since_the_last_one_and_is_close_is_listed_best_first(
    library: Library,
) -> None:
    library.add([SOIL, VISUOMOTOR, TREES, POLICY])
    digest = _compose(library)
    assert _ids(digest) == [POLICY.id, VISUOMOTOR.id]
    assert (digest.checked, digest.more, digest.note) == (4, 0, "")
    assert digest.seen == library.sequence


def test_what_was_there_before_is_not_news(library: Library) -> None:
    digest = _compose(library, since=library.sequence)
    assert OLD.id not in _ids(digest)
    assert digest.checked == 0


def test_each_line_says_which_words_of_the_topic_are_in_it_and_its_date(library: Library) -> None:
    library.add([POLICY])
    [(_, why)] = _compose(library).papers
    assert why == "“diffusion” and “policies” in its title · 3 Dec 2026"


def test_a_paper_without_the_words_is_explained_by_its_closest_sentence(library: Library) -> None:
    library.add([POLICY])
    why = reason(library, "speeding up the motions of machines", POLICY)
    quote = why.split("“")[1].split("”")[0]
    assert quote.removesuffix(" …") in POLICY.abstract
    assert why == f"closest: “{quote}” · 3 Dec 2026"


def test_a_withdrawn_paper_is_left_out(library: Library) -> None:
    library.add([WITHDRAWN, POLICY])
    digest = _compose(library)
    assert _ids(digest) == [POLICY.id]
    assert digest.checked == 1


def test_a_paper_the_chat_has_had_does_not_come_again(library: Library) -> None:
    library.add([POLICY, VISUOMOTOR])
    assert _ids(_compose(library, delivered={POLICY.id})) == [VISUOMOTOR.id]


def test_a_day_with_nothing_close_says_so(library: Library) -> None:
    library.add([SOIL, TREES])
    digest = _compose(library)
    assert digest.papers == ()
    assert digest.note == "Nothing close to “diffusion policies” among 2 new papers."


def test_a_day_without_new_papers_says_since_when(library: Library) -> None:
    digest = _compose(library)
    assert digest.note.startswith("No new papers came into the library since ")


def test_an_empty_library_says_so(tmp_path: Path) -> None:
    with Library.open(tmp_path / "empty", create=True) as empty:
        assert _compose(empty, since=0).note == "The library is empty."


def test_the_bundled_notes_are_no_news(tmp_path: Path) -> None:
    with Library.open_or_bundled(tmp_path / "none") as bundled:
        digest = _compose(bundled, since=0)
        assert (digest.papers, digest.checked, digest.seen) == ((), 0, 0)
        assert "bundled notes" in digest.note


def test_after_an_outage_ten_are_listed_and_the_rest_is_counted(library: Library) -> None:
    library.add(
        [
            replace(
                POLICY,
                id=f"arxiv:2612.1{n:04}",
                title=f"Diffusion Policies, Part {n}",
                abstract=f"{POLICY.abstract} This is part {n} of a series.",
            )
            for n in range(14)
        ]
    )
    digest = _compose(library)
    assert (len(digest.papers), digest.more, digest.checked) == (10, 4, 14)


def test_a_library_begun_anew_is_looked_at_from_its_beginning(library: Library) -> None:
    library.add([POLICY])
    assert _ids(_compose(library, since=5000, delivered={OLD.id})) == [POLICY.id]


class Faulty:
    """The library, but one paper cannot be read."""

    def __init__(self, library: Library, bad: str) -> None:
        self._library = library
        self._bad = bad

    def __getattr__(self, name: str) -> Any:
        return getattr(self._library, name)

    def score(self, query: str, paper_ids: Collection[str]) -> list[Hit]:
        if self._bad in paper_ids:
            raise ValueError("NaN in the embedding")
        return self._library.score(query, list(paper_ids))


def test_one_bad_paper_costs_only_itself(library: Library) -> None:
    library.add([POLICY, VISUOMOTOR])
    digest = _compose(Faulty(library, POLICY.id))  # type: ignore[arg-type]
    assert _ids(digest) == [VISUOMOTOR.id]


def test_a_library_that_cannot_be_searched_is_a_fault_and_no_quiet_day(library: Library) -> None:
    library.add([POLICY])
    with pytest.raises(ValueError, match="NaN in the embedding"):
        _compose(Faulty(library, POLICY.id))  # type: ignore[arg-type]


def test_a_preview_shows_what_the_newest_papers_would_have_brought(library: Library) -> None:
    library.add([SOIL, POLICY])
    digest = illustrate(library, chat="7", topic="diffusion policies", due=DUE, zone="UTC")
    assert set(_ids(digest)) == {OLD.id, POLICY.id}
    assert digest.checked == 3


def test_the_json_holds_what_scripts_rely_on(library: Library) -> None:
    library.add([POLICY])
    digest = to_json(_compose(library))
    assert list(digest) == ["chat", "due", "checked", "papers", "more", "note"]
    assert digest["due"] == "2026-12-02T07:00:00+00:00"
    [item] = digest["papers"]
    assert list(item) == ["id", "handle", "title", "reason"]
    assert item["id"] == POLICY.id
    assert library.get(item["handle"]) is not None


@pytest.mark.parametrize("topic", ["扩散策略", "$\\pi_0$", "C++", "the of and"])
def test_a_topic_of_any_letters_is_answered(library: Library, topic: str) -> None:
    library.add([paper(9, "A Title", "An abstract about nothing much, in one sentence.")])
    assert _compose(library, topic=topic).checked == 1


def test_a_saved_paper_that_was_replaced_is_one_line_and_only_once(library: Library) -> None:
    library.add([replace(POLICY, version=2), SOIL])
    digest = _revised(library, saved=datetime(2026, 11, 20, tzinfo=UTC))
    assert digest.papers == ()
    assert digest.revised == (f"{POLICY.id} v2",)
    assert f"there is a new version: “{POLICY.title}” (v2" in digest.note
    assert "new version" not in _revised(library, DUE, digest.revised).note


def test_a_version_that_was_there_when_the_paper_was_saved_is_no_news(library: Library) -> None:
    library.add([replace(POLICY, version=2)])
    assert _revised(library, saved=datetime(2026, 12, 2, tzinfo=UTC)).revised == ()


def test_who_saved_nothing_hears_of_no_versions(library: Library) -> None:
    library.add([replace(POLICY, version=2)])
    library.announce("arxiv:cs.RO", "2026-12-01", {POLICY.id: "replaced"})
    assert _compose(library, since=library.sequence).revised == ()
