"""The process is really killed, and started again."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.chats.store import Chats
from index.library import Library

from .conftest import POLICY, VISUOMOTOR
from .test_service import DUE

BOT = """
import asyncio, os, signal, sys
from datetime import datetime
from pathlib import Path

from bot.chats.store import Chats
from bot.digests.service import DigestService
from index.library import Library

url, folder, sent, kill_at, now = sys.argv[1:]


def die_at(step):
    if step == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)


def render(digest):
    die_at("composed")
    return [{"text": paper.title} for paper, _ in digest.papers]


async def send(chat, part):
    with open(sent, "a+") as file:
        file.seek(0)
        die_at(f"sending {len(file.readlines()) + 1}")
        file.write(part["text"] + "\\n")
    return 1


async def main():
    chats = await Chats.open(url)
    with Library.open(Path(folder)) as library:
        service = DigestService(
            chats, library, lambda: datetime.fromisoformat(now), send=send, render=render
        )
        for _ in range(2):
            await service.resume()
            await service.tick()
    await chats.close()


asyncio.run(main())
"""


@pytest.mark.parametrize("kill_at", ["composed", "sending 2"])
async def test_a_digest_whose_sender_is_killed_arrives_once_and_whole(
    tmp_path: Path, url: str, chats: Chats, library: Library, kill_at: str
) -> None:
    before = library.sequence
    library.add([POLICY, VISUOMOTOR])
    await chats.subscribe("7", "diffusion policies", 8, 0, "Europe/Berlin", before, DUE)
    sent = tmp_path / "sent.txt"

    def run(kill: str) -> int:
        words = [url, str(tmp_path / "library"), str(sent), kill, DUE.isoformat()]
        return subprocess.run([sys.executable, "-c", BOT, *words], check=False).returncode

    assert run(kill_at) == -signal.SIGKILL
    assert run("never") == 0
    assert sent.read_text().splitlines() == [POLICY.title, VISUOMOTOR.title]
