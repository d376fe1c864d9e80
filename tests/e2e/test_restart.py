"""Nothing is lost and nothing is said twice, wherever the bot is killed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from index.library import Library
from index.paper import Paper
from tests.e2e.harness import ADA, BOB, running_bot
from tests.peer import Peer, running_peer


@pytest_asyncio.fixture
async def peer() -> AsyncIterator[Peer]:
    """A server of its own for each test."""
    async with running_peer() as running:
        yield running


def add_papers(folder: Path, count: int, title: str, first: int = 0) -> None:
    """Put papers about low-rank adaptation into the bot's library."""
    papers = [
        Paper(
            id=f"arxiv:2612.{first + n:05}",
            title=f"{title} {first + n}",
            abstract=f"Low-rank adaptation of language models, variant {first + n}. "
            f"Low-rank adaptation trains few parameters. It saves {n + 2} GPU hours.",
            authors=("Ada Lovelace", "Charles Babbage"),
            published="2026-12-01",
        )
        for n in range(count)
    ]
    with Library.open(folder / "library", create=True) as library:
        assert library.add(papers).added == count


async def settled(peer: Peer, chat: int) -> list[str]:
    """Texts that reached a chat, once everything before a last command is through."""
    await peer.message(chat, "/cancel")
    await peer.wait_until(lambda: any("Nothing" in c.text for c in peer.replies(chat)), 60)
    await peer.message(chat, "/stop")
    await peer.wait_until(
        lambda: any("no digest" in c.text or "Stopped:" in c.text for c in peer.replies(chat)), 60
    )
    texts = [call.text for call in peer.replies(chat)]
    return [t for t in texts if not t.startswith(("Nothing", "You have no digest", "Stopped:"))]


async def test_a_message_is_answered_once_when_the_bot_is_killed_over_it(
    peer: Peer, tmp_path: Path
) -> None:
    async with running_bot(peer, tmp_path) as bot:
        await peer.ask(BOB, "/help", seconds=60)
        # Killed while the answer is being made.
        await peer.message(ADA, "How does LoRA reduce the number of trainable parameters?")
        await peer.wait_until(lambda: peer.calls("sendChatAction", ADA))
        await bot.kill()
        await peer.message(ADA, "/find attention")  # and written to while it is down
        await bot.start()
        await peer.wait_until(lambda: len(peer.replies(ADA)) == 2, 60)
        # Killed while the answer is on its way.
        sending = peer.fail("sendMessage", 500, "Internal Server Error", chat_id=ADA, delay=10)
        await peer.message(ADA, "/find diffusion")
        await peer.wait_until(lambda: peer.calls("sendChatAction") and sending.times == 0, 60)
        await bot.kill()
        await bot.start()
        answers = await settled(peer, ADA)
        assert len(answers) == 3
        assert "low-rank" in answers[0].lower()
        assert "attention" in answers[1].lower()
        assert "diffusion" in answers[2].lower()
        assert len(await settled(peer, BOB)) == 1


async def test_sigterm_ends_it_at_once_and_what_waits_is_answered_later(
    peer: Peer, tmp_path: Path
) -> None:
    async with running_bot(peer, tmp_path) as bot:
        await peer.ask(BOB, "/help", seconds=60)
        flood = peer.fail(
            "sendMessage", 429, "Too Many Requests: retry after 60", chat_id=ADA, retry_after=60
        )
        for words in ("/find attention", "/find diffusion"):
            await peer.message(ADA, words)
        await peer.wait_until(lambda: flood.times == 0)
        assert await bot.stop() == 0
        assert peer.replies(ADA) == []
        await bot.start()
        answers = await settled(peer, ADA)
        assert len(answers) == 2
        assert "attention" in answers[0].lower()


async def test_a_digest_that_was_due_while_the_bot_was_down_arrives_once(
    peer: Peer, tmp_path: Path
) -> None:
    await asyncio.to_thread(add_papers, tmp_path, 1, "Old low-rank adaptation")
    async with running_bot(peer, tmp_path) as bot:
        reply = await peer.ask(ADA, "/digest 08:00 low-rank adaptation", seconds=60)
        assert "08:00" in reply.text
        await bot.confirmed()
        await bot.kill()
        await asyncio.to_thread(add_papers, tmp_path, 2, "New low-rank adaptation", 100)
        bot.make_due()
        await bot.start()
        digest = await peer.reply(ADA, 1, 60)
        assert "New low-rank adaptation 100" in digest.text
        assert "New low-rank adaptation 101" in digest.text
        assert "Old" not in digest.text
        assert digest.buttons[0][0]["text"] == "1 · Summary"
        await bot.confirmed()
        await bot.kill()
        await bot.start()
        assert len(await settled(peer, ADA)) == 2


async def test_a_digest_cut_off_in_the_middle_of_sending_arrives_whole(
    peer: Peer, tmp_path: Path
) -> None:
    await asyncio.to_thread(add_papers, tmp_path, 1, "Old low-rank adaptation")
    async with running_bot(peer, tmp_path) as bot:
        await peer.ask(ADA, "/digest 08:00 low-rank adaptation", seconds=60)
        await bot.confirmed()
        await bot.kill()
        title = "New low-rank adaptation " + "with a title that goes on and on " * 14
        await asyncio.to_thread(add_papers, tmp_path, 8, title.strip(), 100)
        bot.make_due()
        # The first message of the digest arrives, the second is on its way when the bot is killed.
        second = peer.fail(
            "sendMessage", 500, "Internal Server Error", chat_id=ADA, delay=10, after=1
        )
        await bot.start()
        await peer.wait_until(lambda: second.times == 0, 60)
        assert len(peer.replies(ADA)) == 2
        await bot.kill()
        await bot.start()
        await peer.reply(ADA, 2, 60)
        parts = (await settled(peer, ADA))[1:]
        assert len(parts) == 2
        whole = "\n\n".join(parts)
        assert [whole.count(f"on and on {n}\n") for n in range(100, 108)] == [1] * 8


async def test_a_second_process_with_the_same_token_gives_way(peer: Peer, tmp_path: Path) -> None:
    async with running_bot(peer, tmp_path) as bot:
        await peer.ask(ADA, "/help", seconds=60)
        peer.fail(
            "getUpdates",
            409,
            "Conflict: terminated by other getUpdates request; "
            "make sure that only one bot instance is running",
            times=10,
        )
        assert await bot.exit_code() == 1
        assert bot.logged().count("Another process runs this bot") == 1


@pytest.mark.parametrize("token", ["123456:a-token-the-server-does-not-know", "no token at all"])
async def test_a_wrong_token_is_said_in_a_line(peer: Peer, tmp_path: Path, token: str) -> None:
    peer.server.tokens = {peer.token}
    async with running_bot(peer, tmp_path, TELEGRAM_TOKEN=token, LOG_LEVEL="WARNING") as bot:
        assert await bot.exit_code() == 2
        assert bot.logged().strip().splitlines() == [
            "Telegram does not know this TELEGRAM_TOKEN; copy it again from @BotFather."
        ]
