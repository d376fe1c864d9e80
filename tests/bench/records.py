"""How many arXiv records a minute are parsed and cleaned, without embedding or store.

    python -m tests.bench.records [FEED.xml …]

Feeds are daily lists (RSS) or pages of the API (Atom); without any, papers of our own are read.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from index.sources.arxiv.feed import read_feed
from index.sources.arxiv.listing import read_listing
from index.text.tex import clean
from tests.index.sources.arxiv_feeds import entry, feed

SECONDS = 5.0
ABSTRACT = " ".join(
    f"In river {n} we follow $x_{{{n}}}<y$ eels of L\\'evy and find a {n}% gain." for n in range(20)
)


def main(names: list[str]) -> None:
    """Print a line for parsing with cleaning, and one for cleaning alone."""
    bodies = [Path(name).read_bytes() for name in names] or [
        feed([entry(f"2603.{n:05}", abstract=ABSTRACT) for n in range(200)]).encode()
    ]
    _report("parse and clean", lambda: sum(map(_records, bodies)))
    _report("clean one abstract of ours", lambda: sum(1 for _ in range(200) if clean(ABSTRACT)))


def _records(body: bytes) -> int:
    if b"<rss" in body[:2000]:
        return len(read_listing(body).items)
    return read_feed(body).arrived


def _report(what: str, once: Callable[[], int]) -> None:
    began, done = time.perf_counter(), 0
    while (passed := time.perf_counter() - began) < SECONDS:
        done += once()
    print(f"{what}: {done / passed * 60:,.0f} a minute ({done:,} in {passed:.1f} s)")


if __name__ == "__main__":
    main(sys.argv[1:])
