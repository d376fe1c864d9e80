"""What a person is told about digests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.chats.store import Chats
from bot.digests.verbs import Digests, NoSubscription
from index.library import Library
from tests.bot.clock import Clock

from .conftest import OLD, POLICY, SOIL, VISUOMOTOR


@pytest.fixture
def digests(chats: Chats, library: Library, clock: Clock) -> Digests:
    return Digests(chats, library, "Europe/Berlin", clock)


async def test_subscribing_says_when_the_next_one_comes_and_how_to_stop(digests: Digests) -> None:
    reply = await digests.handle_digest("7", "08:00 Asia/Tokyo diffusion policies")
    assert reply.lines == (
        "Every day at 08:00 Asia/Tokyo you get what is new in the library about “diffusion policies”.",
        "Next: Wed 2 Dec, 08:00 Asia/Tokyo. Days with nothing close to it stay silent.",
        "/stop ends it.",
        "Nothing new has come in yet. Of the newest paper in the library it would have listed:",
    )


async def test_without_a_zone_it_says_which_one_is_used_and_how_to_change_it(
    chats: Chats, digests: Digests
) -> None:
    reply = await digests.handle_digest("7", "08:00 diffusion policies")
    assert reply.lines[1].startswith("Next: Wed 2 Dec, 08:00 Europe/Berlin.")
    assert "/digest 08:00 America/New_York diffusion policies" in reply.lines[2]
    subscription = await chats.subscription("7")
    assert subscription is not None
    assert subscription.next_due == datetime(2026, 12, 2, 7, 0, tzinfo=UTC)


async def test_a_zone_once_said_is_remembered(digests: Digests) -> None:
    await digests.handle_digest("7", "08:00 Asia/Tokyo diffusion policies")
    reply = await digests.handle_digest("7", "09:30 alignment")
    assert "Wed 2 Dec, 09:30 Asia/Tokyo" in reply.lines[1]
    assert not any("to change it" in line for line in reply.lines)


async def test_only_a_time_or_only_a_zone_changes_just_that(chats: Chats, digests: Digests) -> None:
    await digests.handle_digest("7", "08:00 diffusion policies")
    await digests.handle_digest("7", "20:15")
    await digests.handle_digest("7", "Asia/Tokyo")
    subscription = await chats.subscription("7")
    assert subscription is not None
    assert (subscription.topic, subscription.hour, subscription.minute, subscription.zone) == (
        "diffusion policies",
        20,
        15,
        "Asia/Tokyo",
    )


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("08:00", "About what?"),
        ("diffusion policies", "At what time?"),
        ("25:00 diffusion", "no time of day"),
        ("08:00 Europe/Berln diffusion", "no time zone I know"),
    ],
)
async def test_what_is_missing_or_wrong_is_one_line_and_changes_nothing(
    chats: Chats, digests: Digests, args: str, says: str
) -> None:
    reply = await digests.handle_digest("7", args)
    [line] = reply.lines
    assert says in line
    assert "/digest" in line or "as in" in line
    assert await chats.subscription("7") is None


async def test_subscribing_previews_what_the_newest_papers_would_have_brought(
    library: Library, digests: Digests
) -> None:
    library.add([SOIL])
    reply = await digests.handle_digest("7", "08:00 diffusion policies")
    assert reply.preview is not None
    assert [paper.id for paper, _ in reply.preview.papers] == [OLD.id]


async def test_without_words_it_shows_what_is_set_and_what_waits(
    library: Library, digests: Digests
) -> None:
    await digests.handle_digest("7", "08:00 diffusion policies")
    library.add([POLICY])
    reply = await digests.handle_digest("7", "")
    assert reply.lines[0] == "Your digest: “diffusion policies”, every day at 08:00 Europe/Berlin."
    assert reply.lines[1] == "Next: Wed 2 Dec, 08:00 Europe/Berlin."
    assert reply.lines[-1] == "It would list so far:"
    assert reply.preview is not None
    assert [paper.id for paper, _ in reply.preview.papers] == [POLICY.id]


async def test_without_words_and_without_a_digest_it_says_how_to_begin(digests: Digests) -> None:
    reply = await digests.handle_digest("7", "")
    assert "/digest 08:00 diffusion policies" in reply.lines
    assert reply.preview is None


async def test_a_new_topic_begins_with_what_comes_after_it(
    library: Library, chats: Chats, digests: Digests
) -> None:
    await digests.handle_digest("7", "08:00 alignment")
    library.add([POLICY])
    await digests.handle_digest("7", "08:00 diffusion policies")
    subscription = await chats.subscription("7")
    assert subscription is not None
    assert subscription.seen == library.sequence


async def test_a_new_time_for_the_same_topic_loses_nothing_that_waits(
    library: Library, digests: Digests
) -> None:
    await digests.handle_digest("7", "08:00 diffusion policies")
    library.add([POLICY])
    reply = await digests.handle_digest("7", "09:00 Diffusion Policies")
    assert reply.preview is not None
    assert [paper.id for paper, _ in reply.preview.papers] == [POLICY.id]


async def test_stop_ends_it_and_says_how_to_begin_again(chats: Chats, digests: Digests) -> None:
    await digests.handle_digest("7", "08:00 diffusion policies")
    said = await digests.handle_stop("7")
    assert said == (
        "Stopped: no more digests about “diffusion policies”. "
        "/digest 08:00 Europe/Berlin diffusion policies begins again."
    )
    assert await chats.subscription("7") is None
    assert "nothing to stop" in await digests.handle_stop("7")
    assert "nothing to stop" in (await digests.handle_digest("7", "off")).lines[0]


async def test_a_dry_run_records_nothing_and_can_be_repeated(
    library: Library, chats: Chats, digests: Digests, clock: Clock
) -> None:
    await digests.handle_digest("7", "08:00 diffusion policies")
    library.add([POLICY])
    at = clock.now + timedelta(days=1)
    first = await digests.digest("7", at, dry_run=True)
    assert await digests.digest("7", at, dry_run=True) == first
    assert [paper.id for paper, _ in first.papers] == [POLICY.id]
    assert await chats.deliveries("7") == []


async def test_a_digest_taken_in_the_terminal_is_not_given_again(
    library: Library, chats: Chats, digests: Digests, clock: Clock
) -> None:
    await digests.handle_digest("7", "08:00 diffusion policies")
    library.add([POLICY])
    at = clock.now + timedelta(days=1)
    taken = await digests.digest("7", at, dry_run=False)
    assert [paper.id for paper, _ in taken.papers] == [POLICY.id]
    library.add([VISUOMOTOR])
    again = await digests.digest("7", at, dry_run=True)
    assert [paper.id for paper, _ in again.papers] == [VISUOMOTOR.id]
    subscription = await chats.subscription("7")
    assert subscription is not None
    assert subscription.next_due > at


async def test_a_digest_taken_early_leaves_the_next_one_at_its_time(
    library: Library, chats: Chats, digests: Digests, clock: Clock
) -> None:
    await digests.handle_digest("7", "08:00 diffusion policies")
    library.add([POLICY])
    before = await chats.subscription("7")
    await digests.digest("7", clock.now, dry_run=False)
    after = await chats.subscription("7")
    assert before is not None
    assert after is not None
    assert after.next_due == before.next_due
    assert await chats.delivered("7") == {POLICY.id}


async def test_a_chat_without_a_digest_is_told_how_to_set_one(digests: Digests) -> None:
    with pytest.raises(NoSubscription, match="chat 'nobody' has no digest"):
        await digests.digest("nobody", datetime(2026, 12, 2, tzinfo=UTC), dry_run=True)
