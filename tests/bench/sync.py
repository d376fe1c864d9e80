"""How fast arXiv's records go through a sync: HTTP, parsing, cleaning, storing; not embedding.

    python -m tests.bench.sync [--papers N]

A server on loopback gives pages as arXiv's API does, in arXiv's own page size. The pause between
two requests, which is arXiv's rule and not our work, is passed over by a clock that does not wait;
vectors cost nothing here, since `tests.bench.library` measures those.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
from langchain_core.embeddings import Embeddings

from index.embed import EmbeddingModel
from index.library import Library
from index.papers import Papers
from index.sources.arxiv import ArxivSearch
from index.sources.web import Web
from index.sync import Outcome, Sync
from tests.index.serving import FakeClock, Reply, serving
from tests.index.sources.arxiv_feeds import entry, feed

SENTENCES = (
    r"We revisit the estimation of L\'evy processes on $\mathbb{R}^d$ under weak assumptions.",
    r"Our method reaches 93.4\% accuracy, 12% more than Erd\H{o}s-type baselines at half the cost.",
    "The proposed architecture couples a recurrent encoder with sparse attention over long inputs.",
    r"Experiments on 14 benchmarks show gains of $\Delta = 2.1$ points for $n \le 10^4$ samples.",
    "We release code, models and the annotated corpus to support further research in this area.",
    r"An ablation shows that \textbf{both} components matter, and that neither suffices alone.",
    "Existing approaches assume that measurements are independent, which rarely holds in practice.",
    r"The bound $O(\sqrt{n \log n})$ is tight up to constants, as a construction of G\"odel type shows.",
    "A user study with 212 participants confirms that people prefer the shorter explanations.",
)


class Free(Embeddings):
    """Vectors that cost nothing."""

    def __init__(self) -> None:
        made = np.random.default_rng(7).normal(size=(64, 384)).astype(np.float32)
        self._made = [row.tolist() for row in made]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Some vector for each text."""
        return [self._made[number % len(self._made)] for number in range(len(texts))]

    def embed_query(self, text: str) -> list[float]:  # noqa: ARG002 - as the interface has it
        """Some vector."""
        return self._made[0]


@contextmanager
def free_library(folder: Path) -> Iterator[Library]:
    """An empty library whose vectors cost nothing."""
    model = EmbeddingModel("free", Free())
    papers = Papers.create(folder / "papers.sqlite", model.fingerprint)
    with Library(folder, papers, model) as library:
        yield library


def entries(count: int) -> list[str]:
    """Entries of the API, with abstracts of about 900 characters, all different."""
    chance = random.Random(7)
    made = []
    for number in range(count):
        said = " ".join(chance.sample(SENTENCES, k=len(SENTENCES)))
        # Letters by chance: papers whose titles give one handle would measure the naming of handles.
        word = "".join(chance.choices("aeiou bcdfg klmnp rstvw".replace(" ", ""), k=9)).title()
        title = f"{word}: L\\'evy Flights and Sparse Attention for {word[::-1].lower()}s"
        abstract = f"This is study {number} of its kind. {said}"
        made.append(entry(f"26{number // 9999 + 1:02}.{number % 9999 + 1:05}", title=title,
                          abstract=abstract, category="cs.LG"))  # fmt: skip
    return made


def measured(count: int, folder: Path) -> tuple[Outcome, float]:
    """What a sync of so many records comes to, and the seconds it took."""
    made = entries(count)

    def answer(path: str) -> Reply:
        asked = {name: values[0] for name, values in parse_qs(urlsplit(path).query).items()}
        start, size = int(asked["start"]), int(asked["max_results"])
        return Reply(feed(made[start : start + size], count).encode())

    clock = FakeClock()
    with serving() as server, free_library(folder) as library, Web("", clock) as web:
        server.routes["/api/query"] = answer
        source = ArxivSearch(categories=["cs.LG"], url=server.url)
        began = time.perf_counter()
        [outcome] = Sync(library, [source], web, clock=clock).run()
        return outcome, time.perf_counter() - began


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--papers", type=int, default=10_000)
    count = arguments.parse_args().papers
    with tempfile.TemporaryDirectory() as folder:
        outcome, seconds = measured(count, Path(folder))
    print(f"state                      {outcome.state.value} {outcome.why}")
    print(f"records                    {outcome.fetched:,}, {outcome.new:,} of them new")
    print(f"sync without embedding     {outcome.fetched / seconds * 60:,.0f} records/min")


if __name__ == "__main__":
    main()
