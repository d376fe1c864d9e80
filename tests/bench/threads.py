"""Whether searches stay right while papers come and go, in one process and between two.

    python -m tests.bench.threads [--seconds N] [--readers N]

First, threads search one library while another thread adds and takes out papers. Each hit must be
what its id holds, and a paper that stays must be found by its own words. Then a process writes and
others read the same library: how long after it was reported each reader finds a paper.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from index.library import Library
from tests.bench.hashed import hashed_library, made_up, restless

ROOT = Path(__file__).parents[2]
THREADS = 16
STAY = 200
"""Papers that are there all the time."""
COME = 400
"""Papers that come and go."""
PATIENCE = 30.0
"""Seconds after which a reader gives a paper up; many more than it should need."""


@dataclass
class Seen:
    """What threads did, and what went wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, what: str, how_many: int = 1) -> None:
        """Count something."""
        with self._lock:
            self.counts[what] += how_many


def main() -> None:
    """Search and write, and print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seconds", type=float, default=60.0)
    arguments.add_argument("--readers", type=int, default=3, help="processes that read")
    arguments.add_argument("--papers", type=int, default=50, help="papers they wait for")
    arguments.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    chosen = arguments.parse_args()
    if chosen.read:
        read(chosen.read)
        return
    with tempfile.TemporaryDirectory() as folder:
        seen = searched(Path(folder), chosen.seconds)
    for problem in sorted(set(seen.problems))[:20]:
        print(problem)
    print("\n| seconds | threads | searches | hits | papers added | taken out | problems |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    counts = [f"{seen.counts[w]:,}" for w in ("searches", "hits", "added", "taken out")]
    print(f"| {chosen.seconds:g} | {THREADS} | {' | '.join(counts)} | {len(seen.problems)} |")
    with tempfile.TemporaryDirectory() as folder:
        waited = latencies(Path(folder), chosen.readers, chosen.papers)
    late = statistics.quantiles(waited, n=20)[-1]
    print("\n| readers | papers | median ms | p95 ms | longest ms |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    told = " | ".join(f"{1000 * s:.0f}" for s in (statistics.median(waited), late, max(waited)))
    print(f"| {chosen.readers} | {chosen.papers} | {told} |")
    sys.exit(1 if seen.problems else 0)


def searched(folder: Path, seconds: float) -> Seen:
    """Search from many threads for so long while one writes."""
    restless(changes=50)
    seen, end = Seen(), time.monotonic() + seconds
    with hashed_library(folder) as library:
        library.add(made_up(number) for number in range(STAY))
        work: list[Callable[[], None]] = [lambda: write(library, end, seen)]
        work += [lambda place=n: look(library, end, seen, place) for n in range(THREADS)]  # type: ignore[misc]
        threads = [threading.Thread(target=guarded, args=(each, seen)) for each in work]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seen.problems += library.check()
    return seen


def guarded(work: Callable[[], None], seen: Seen) -> None:
    """Keep what a thread fails of."""
    try:
        work()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a problem to be told
        seen.problems.append(f"{type(error).__name__}: {error}")


def write(library: Library, end: float, seen: Seen) -> None:
    """Add, change and take out papers, some at a time."""
    chance, takes = random.Random(5), dict.fromkeys(range(STAY, STAY + COME), 0)
    there: set[int] = set()
    while time.monotonic() < end:
        few = chance.sample(sorted(takes), chance.randint(1, 12))
        gone = [number for number in few if number in there and chance.random() < 0.6]
        come = [number for number in few if number not in gone]
        for number in come:
            takes[number] += 1
        library.add(made_up(number, takes[number]) for number in come)
        there |= set(come)
        if gone:
            seen.count("taken out", library.delete(made_up(number).id for number in gone))
            there -= set(gone)
        seen.count("added", len(come))


def look(library: Library, end: float, seen: Seen, place: int) -> None:
    """Search for papers by their own words, and look at each hit."""
    chance = random.Random(place)
    while time.monotonic() < end:
        number = chance.randrange(STAY + COME)
        paper = made_up(number)
        hits = library.search(paper.abstract, 5)
        seen.count("searches")
        seen.count("hits", len(hits))
        if number < STAY and (not hits or hits[0].paper.id != paper.id):
            seen.problems.append(f"{paper.id} is not found by its own abstract")
        if len({hit.paper.id for hit in hits}) < len(hits):
            seen.problems.append("a paper was found twice in one search")
        for hit in hits:
            found = hit.paper
            if found.abstract != made_up(number_of(found.id), found.version).abstract:
                seen.problems.append(f"{found.id} was found with the text of another")
        if number % 10 == 0 and number < STAY:
            library.similar(paper.id, 3)
            seen.count("searches")


def number_of(paper_id: str) -> int:
    """The number `made_up` was given for an id."""
    month, _, number = paper_id.removeprefix("arxiv:26").partition(".")
    return (int(month) - 1) * 90_000 + int(number) - 1


def latencies(folder: Path, readers: int, papers: int) -> list[float]:
    """Seconds from a paper's being reported until each other process finds it."""
    command = [sys.executable, "-m", "tests.bench.threads", "--read", str(folder)]
    with hashed_library(folder) as library:
        library.add(made_up(number) for number in range(STAY))
        processes = [
            subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            for _ in range(readers)
        ]
        waited = []
        try:
            for process in processes:
                heard(process)
            for number in range(STAY, STAY + papers):
                for process in processes:
                    ask(process, f"{number}\n")
                library.add([made_up(number)])
                reported = time.time()
                waited += [max(0.0, float(heard(process)) - reported) for process in processes]
        finally:
            for process in processes:
                process.communicate()
    return waited


def ask(process: subprocess.Popen[str], line: str) -> None:
    """Write a line to a reader."""
    assert process.stdin is not None
    process.stdin.write(line)
    process.stdin.flush()


def heard(process: subprocess.Popen[str]) -> str:
    """The next line of a reader."""
    assert process.stdout is not None
    return process.stdout.readline()


def read(folder: Path) -> None:
    """For each number on standard input, search until that paper is found; then say when."""
    with hashed_library(folder) as library:
        library.search("warm up", 1)
        print("ready", flush=True)
        for line in sys.stdin:
            paper, end = made_up(int(line)), time.time() + PATIENCE
            while True:
                hits = library.search(paper.abstract, 1)
                now = time.time()
                if (hits and hits[0].paper.id == paper.id) or now > end:
                    break
                time.sleep(0.005)
            print(now, flush=True)


if __name__ == "__main__":
    main()
