"""A sync whose process is killed goes on from where it was, and nothing is twice or missing."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from index.ledger import Ledger
from index.library import Library
from index.synclock import SyncLock
from tests.index.followed import page, pages, paper
from tests.index.serving import Server, serving

ROOT = Path(__file__).parents[2]

SYNC = """
import os, signal, sys
from pathlib import Path

from index.library import Library
from index.sources.web import Web
from index.sync import Sync
from tests.index.followed import Daily

url, folder, kill_at = sys.argv[1:]


class Dying(Library):
    pass


def dies(name):
    honest = getattr(Library, name)

    def call(self, *args, **options):
        done = honest(self, *args, **options)
        Dying.calls[name] = Dying.calls.get(name, 0) + 1
        if kill_at == f"{name} {Dying.calls[name]}":
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    return call


Dying.calls = {}
for name in ("add", "announce", "save_source_state"):
    setattr(Dying, name, dies(name))

with Dying.open(Path(folder), create=True) as library, Web("") as web:
    Sync(library, [Daily("eels:all", url + "/eels")], web).run()
"""


@pytest.mark.parametrize(
    "kill_at", ["add 1", "save_source_state 1", "announce 2", "save_source_state 3"]
)
def test_after_a_kill_at_any_step_the_next_sync_brings_the_rest_once(
    tmp_path: Path, kill_at: str
) -> None:
    folder = tmp_path / "library"
    with serving() as server:
        server.routes["/eels"] = pages(
            page([paper(1), paper(2)], more=True, batch="2026-03-04"),
            page([paper(3, "cross")], batch="2026-03-04"),
        )
        assert _sync(server, folder, kill_at) == -signal.SIGKILL
        with Library.open(folder) as library, SyncLock(folder):
            assert Ledger.of(library, "eels:all").done in {"", "2026-03-04"}
            whole = Ledger.of(library, "eels:all").done != ""
            assert whole == (kill_at == "save_source_state 3")
            assert library.check() == []
        server.asked.clear()
        assert _sync(server, folder, "never") == 0
    begun_at = {"add 1": 0, "save_source_state 3": 2}.get(kill_at, 1)
    assert server.asked[0] == f"/eels/{begun_at}"
    with Library.open(folder) as library:
        assert sorted(p.id for p in library.papers()) == [f"arxiv:2603.{n:05}" for n in (1, 2, 3)]
        assert library.batches("eels:all") == [
            ("2026-03-04", {"new": 2, "cross": 1, "replaced": 0})
        ]
        assert Ledger.of(library, "eels:all").done == "2026-03-04"


def _sync(server: Server, folder: Path, kill_at: str) -> int:
    words = [server.url, str(folder), kill_at]
    return subprocess.run([sys.executable, "-c", SYNC, *words], cwd=ROOT, check=False).returncode


def test_a_killed_process_holds_no_lock(tmp_path: Path) -> None:
    program = (
        "import sys, time\nfrom pathlib import Path\nfrom index.synclock import SyncLock\n"
        "with SyncLock(Path(sys.argv[1])):\n    print('held', flush=True)\n    time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    process.kill()
    process.communicate()
    with SyncLock(tmp_path):
        pass
