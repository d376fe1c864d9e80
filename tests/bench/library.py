"""How fast papers go in, and how fast they are found.

    python -m tests.bench.library FILE [--papers N]

FILE is anything `index add` reads. Adding is compared with the bare embedding model on the same
texts, in turns within one run, since a machine's speed drifts. Search is timed with the query's
embedding included.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from index.embed import load_embeddings
from index.library import Library
from index.merge import embedded_text
from index.paper import Paper
from index.sources.files import read_file

SLICE = 512
"""Papers a turn."""


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("file", type=Path)
    arguments.add_argument("--papers", type=int, default=100_000)
    chosen = arguments.parse_args()
    records = islice(read_file(chosen.file), chosen.papers)
    papers = [record for record in records if isinstance(record, Paper)]
    model = load_embeddings()
    model.encode_query("warm up")
    bare = adding = 0.0
    with tempfile.TemporaryDirectory() as folder:
        with Library.open(Path(folder), create=True) as library:
            for start in range(0, len(papers), SLICE):
                part = papers[start : start + SLICE]
                texts = [embedded_text(paper) for paper in part]
                bare += _seconds(lambda texts=texts: model.encode_documents(texts))
                adding += _seconds(lambda part=part: library.add(part))
        opened = time.perf_counter()
        with Library.open(Path(folder)) as library:
            opening = time.perf_counter() - opened
            queries = [paper.title for paper in papers[:: max(1, len(papers) // 200)]]
            library.search("warm up")
            took = sorted(_seconds(lambda q=query: library.search(q)) for query in queries)
    print(f"papers                     {len(papers):,}")
    print(f"bare model                 {len(papers) / bare:.1f} papers/s")
    print(f"index add                  {len(papers) / adding:.1f} papers/s")
    print(f"add / bare model           {bare / adding:.1%}")
    print(f"open                       {opening * 1000:.0f} ms")
    print(f"search, p50                {statistics.median(took) * 1000:.1f} ms")
    print(f"search, p95                {took[int(0.95 * len(took))] * 1000:.1f} ms")


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
