"""The bot follows its sources by itself, over a real server, and says what it could not read."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.harness import ADA, OWNER, running_bot
from tests.index.serving import Reply, Server, serving
from tests.index.sources.arxiv_feeds import item, listing
from tests.peer import Peer


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        running.routes["/rss/q-bio.PE"] = lambda _: _list("2603.00001", "2603.00002")
        yield running


def _list(*numbers: str) -> Reply:
    return Reply(listing([item(number) for number in numbers]).encode())


@pytest.mark.asyncio(loop_scope="module")
async def test_papers_come_by_themselves_and_a_failure_is_told_and_never_silence(
    peer: Peer, tmp_path: Path, server: Server
) -> None:
    settings = {
        "SOURCES": "arxiv:q-bio.PE",
        "CONTACT": "owner@example.org",
        "ARXIV_RSS_URL": server.url,
        "ARXIV_URL": server.url,
    }
    async with running_bot(peer, tmp_path, **settings) as bot:
        refused = await peer.ask(ADA, "/sync", seconds=60)
        assert "ADMIN_USERS" in refused.text
        report = await peer.ask(OWNER, "/sync", seconds=60)
        assert report.text.startswith("arxiv:q-bio.PE: ")
        assert "failed" not in report.text
        shown = await peer.ask(ADA, "/digest 08:00 eels", seconds=60)
        assert "On Eel 2603.00001" in shown.text

        server.routes["/rss/q-bio.PE"] = lambda _: Reply(b"", 403)
        assert "q-bio.PE: failed" in (await peer.ask(OWNER, "/sync", seconds=60)).text
        before = len(peer.replies(ADA))
        bot.make_due()
        digest = await peer.reply(ADA, before, 60)
        assert "arXiv could not be read for q-bio.PE since" in digest.text
        assert "nothing" not in digest.text.lower()

        # A source that hangs does not keep the bot from leaving.
        server.routes["/rss/q-bio.PE"] = lambda _: Reply(hang=True)
        asked = len(server.asked)
        await peer.message(OWNER, "/sync")
        async with asyncio.timeout(60):
            while len(server.asked) == asked:  # noqa: ASYNC110 - it is the bot's request
                await asyncio.sleep(0.02)
        assert await bot.stop() == 0
