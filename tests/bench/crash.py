"""Whether anything is lost when a writer is killed at any moment.

    python -m tests.bench.crash [--kills N] [--seed N]

A process adds, changes and takes out papers of a real library and writes a line after each step
that has ended. It is killed (SIGKILL) at a random moment, the library is opened again, and
everything that was reported must be there, once, with the text it was reported with, and be found.
The step that was not reported may have been done in part, each of its papers whole or not at all.
Then the next process goes on with the same library.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import index.library as library_module
from index import stamps
from index.library import Library, Progress
from tests.bench.hashed import hashed_library, made_up, name_of, restless

ROOT = Path(__file__).parents[2]
BATCH = 4
"""Papers a transaction, so that one step has several."""
FLAT = 60
"""So many papers make a great index here, so that a run has both kinds."""
NUMBERS = 400
"""Papers that come and go."""
FULL = 120
"""With so many papers there, more leave than come."""
LOOKED_FOR = 12
"""Papers that are searched for after each kill."""
LONGEST = 1.2
"""Seconds a process lives at most; its start takes about half a second."""
STRAY = ("*.new", "postings.*.npy")
"""Files that a killed writer may leave behind."""

Step = dict[int, int]
"""Number of each paper -> its take after the step, or 0 where it is gone."""


@dataclass
class Told:
    """What a library was reported to hold."""

    takes: dict[int, int] = field(default_factory=dict)
    """Number of a paper -> take; 0 where it was taken out."""
    pending: Step = field(default_factory=dict)
    """The step that had begun and was not reported."""
    operations: Counter[str] = field(default_factory=Counter)

    def hear(self, line: str) -> None:
        """Take one line of a writer."""
        said = json.loads(line)
        step = {int(number): take for number, take in said["papers"].items()}
        if said["word"] == "begins":
            self.pending = step
            return
        self.takes |= step
        self.pending = {n: take for n, take in self.pending.items() if n not in step}
        if said["word"] == "ended":
            self.operations[said["step"]] += 1


def main() -> None:
    """Kill and look, and print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--kills", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    chosen = arguments.parse_args()
    if chosen.work:
        work(chosen.work, chosen.seed)
        return
    with tempfile.TemporaryDirectory() as folder:
        told, problems, papers = killed(Path(folder), chosen.kills, chosen.seed)
    for problem in problems:
        print(problem)
    steps = ", ".join(f"{count:,} {name}" for name, count in sorted(told.operations.items()))
    print("\n| seed | kills | operations | papers at the end | problems |")
    print("| ---: | ---: | --- | ---: | ---: |")
    print(f"| {chosen.seed} | {chosen.kills} | {steps} | {papers} | {len(problems)} |")
    sys.exit(1 if problems else 0)


def killed(folder: Path, kills: int, seed: int) -> tuple[Told, list[str], int]:
    """What was reported in all, what is wrong, and how many papers there are at the end."""
    chance, told, problems, papers = random.Random(seed), Told(), [], 0
    small()
    for number in range(kills):
        run_and_kill(folder, told, seed * 1000 + number, chance.random() * LONGEST)
        with hashed_library(folder) as library:
            found = list(wrong(library, told, chance))
            papers = len(library)
        found += [f"{path.name} was left behind" for path in strays(folder)]
        problems += [f"kill {number + 1}: {problem}" for problem in found]
    return told, problems, papers


def small() -> None:
    """Make every limit so small that all that happens to great libraries happens here."""
    restless(changes=6, flat=FLAT)
    library_module.BATCH = BATCH
    # There is one writer at a time, so that what another left is nobody's at once.
    stamps.ABANDONED = 0.0


def run_and_kill(folder: Path, told: Told, seed: int, seconds: float) -> None:
    """Have a process work on the library for so long, and hear what it reports."""
    command = [sys.executable, "-m", "tests.bench.crash", "--seed", str(seed), "--work"]
    began = time.monotonic()
    process = subprocess.Popen(
        [*command, str(folder)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    lines: list[str] = []
    listening = threading.Thread(target=lambda: lines.extend(process.stdout or ()))
    process.stdin.write(json.dumps(told.takes))
    process.stdin.close()
    listening.start()
    while process.poll() is None and time.monotonic() - began < seconds:
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    status = process.wait()
    listening.join()
    process.stdout.close()
    for line in lines:
        # A line that breaks off was not reported.
        if line.endswith("\n"):
            told.hear(line)
    if status != -signal.SIGKILL:
        raise RuntimeError(f"the writer ended by itself with status {status}")


def work(folder: Path, seed: int) -> None:
    """Add, change and take out papers until killed; a line before, in and after each step."""
    chance = random.Random(seed)
    small()
    takes = {int(number): take for number, take in json.loads(sys.stdin.read()).items()}
    library = hashed_library(folder)
    there = {int(number) for number in range(NUMBERS) if library.get(made_up(number).id)}
    while True:
        name = chosen_step(chance, len(there))
        few = sorted(chance.sample(range(NUMBERS), chance.randint(1, 3 * BATCH)))
        step = {n: takes.get(n, 0) + 1 for n in few if (n in there) == (name != "add")}
        # A take is never told twice, so that it is known of which step a text is.
        takes |= step
        if name == "remove":
            step = dict.fromkeys(step, 0)
        if name == "save":
            library.close()
            library, step = hashed_library(folder), {}
        say("begins", name, step)
        if name == "remove" and step:
            library.delete([made_up(number).id for number in step])
        elif step:
            added = list(step.items())
            library.add((made_up(number, take) for number, take in added), so_far(name, added))
        there = there - step.keys() if name == "remove" else there | step.keys()
        say("ended", name, step)


def so_far(name: str, papers: list[tuple[int, int]]) -> Progress:
    """Reports those papers that an `add` says it has stored."""
    return lambda read, _: say("goes on", name, dict(papers[:read]))


def chosen_step(chance: random.Random, papers: int) -> str:
    """What to do next; a library that is full loses papers more often."""
    return chance.choices(
        ["add", "update", "remove", "save"], [5, 4, 8 if papers > FULL else 2, 1]
    )[0]


def say(word: str, step: str, papers: Mapping[int, int]) -> None:
    """Report by one line."""
    print(json.dumps({"word": word, "step": step, "papers": papers}), flush=True)


def wrong(library: Library, told: Told, chance: random.Random) -> Iterator[str]:
    """What is not as it was told; afterwards `told` holds what is there."""
    yield from library.check()
    stored = list(library.papers())
    for name, count in Counter(paper.id for paper in stored).items():
        if count > 1:
            yield f"{name} is there {count} times"
    titles = Counter(paper.title for paper in stored)
    yield from (f"{title} is there {count} times" for title, count in titles.items() if count > 1)
    there = {paper.id: paper for paper in stored}
    known = {made_up(number).id: number for number in {*told.takes, *told.pending}}
    yield from (f"{name} was never told of" for name in there.keys() - known.keys())
    for name, number in known.items():
        takes = {told.takes.get(number, 0), told.pending.get(number, told.takes.get(number, 0))}
        paper = there.get(name)
        if paper is None:
            if 0 not in takes:
                yield f"{name} is lost"
            told.takes[number] = 0
            continue
        of = [take for take in takes if take and paper.abstract == made_up(number, take).abstract]
        if not of:
            yield f"{name} does not hold take {sorted(takes)}, but: {paper.abstract[:40]}"
        told.takes[number] = (of or [paper.version])[0]
    told.pending = {}
    yield from unfound(library, told, chance)


def unfound(library: Library, told: Told, chance: random.Random) -> Iterator[str]:
    """Papers that their own words do not find, and those that are found though they are gone."""
    here = [number for number, take in told.takes.items() if take]
    gone = [number for number, take in told.takes.items() if not take]
    for number in chance.sample(here, min(LOOKED_FOR, len(here))):
        paper = made_up(number, told.takes[number])
        hits = library.search(paper.abstract, 3)
        if not hits or hits[0].paper.id != paper.id:
            yield f"{paper.id} is not found by its own abstract"
        elif hits[0].paper.abstract != paper.abstract:
            yield f"{paper.id} is found with another abstract"
    for number in chance.sample(gone, min(LOOKED_FOR, len(gone))):
        name = name_of(number)
        if library.get(made_up(number).id):
            yield f"{made_up(number).id} is gone and still goes by its id"
        if any(name in hit.paper.abstract for hit in library.search(f"the study {name}", 3)):
            yield f"{made_up(number).id} is gone and still found"


def strays(folder: Path) -> list[Path]:
    """Files that belong to nothing, once a library was opened and closed after a kill."""
    named = (folder / "postings.json").read_text() if (folder / "postings.json").exists() else ""
    left = [path for pattern in STRAY for path in folder.glob(pattern)]
    return [path for path in left if path.name not in named]


if __name__ == "__main__":
    main()
