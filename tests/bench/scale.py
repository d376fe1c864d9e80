"""How time and memory grow with the number of papers.

    python -m tests.bench.scale --library DIR [--sizes 10000 100000 1000000 3000000] [--plot FILE]

The vectors are made from real ones: those of the library in DIR, each many times with noise, so
that neighbours are real (a copy's cosine with the one it is made from is about .86). Each size is
opened and searched in a process of its own, whose memory is read; beside it FAISS's IndexFlatIP,
where it fits into memory.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import faiss
import numpy as np

from index.embed import Matrix
from index.papers import Papers
from index.vectors import Vectors

NOISE = 0.03
"""Standard deviation of what is added to each dimension."""
QUERIES = 200
K = 10
FLAT_FITS = 1_000_000
CHUNK = 20_000
SEED = 5


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--library", type=Path, required=True, help="a library with vectors")
    arguments.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    arguments.add_argument("--plot", type=Path, help="where to draw the figures, a PNG")
    chosen = arguments.parse_args()
    papers = Papers(chosen.library / "papers.sqlite")
    _, real = papers.vectors()
    papers.close()
    print(f"vectors of {len(real):,} papers, with noise of {NOISE} a dimension", flush=True)
    results = []
    for size in chosen.sizes:
        with tempfile.TemporaryDirectory() as folder:
            results.append(measured(Path(folder), real, size))
        print("  ".join(f"{k} {v}" for k, v in results[-1].items()), flush=True)
    print(table(results))
    if chosen.plot:
        draw(results, chosen.plot)


def measured(folder: Path, real: Matrix, size: int) -> dict[str, Any]:
    """All figures of one size."""
    count, dimension = size, real.shape[1]
    stored = np.memmap(folder / "float16", np.float16, "w+", shape=(count, dimension))
    chance = np.random.default_rng(SEED)
    for start in range(0, count, CHUNK):
        stored[start : start + CHUNK] = noisy(real, min(CHUNK, count - start), chance)
    queries = noisy(real, QUERIES, chance)
    one_in_100 = np.sort(chance.permutation(count)[: max(K, count // 100)])
    truth, truth_of_some = exact(stored, queries), exact(stored, queries, one_in_100)
    np.savez(folder / "asked", queries=queries, some=one_in_100)

    vectors = Vectors(dimension)
    began = time.perf_counter()
    vectors.build(
        np.arange(count), lambda rows: (rows, stored[rows].astype(np.float32)), generation=1
    )
    building = time.perf_counter() - began
    vectors.save(folder / "vectors.faiss")
    del vectors
    told = apart(used, folder, count, dimension)
    flat = apart(plain, folder, count, dimension) if count <= FLAT_FITS else {}
    found, found_some = told.pop("found"), told.pop("found of some")
    return {
        "papers": count,
        "build s": round(building, 1),
        **told,
        "recall": shared(found, truth),
        "recall of 1 %": shared(found_some, truth_of_some),
        **flat,
    }


def noisy(real: Matrix, count: int, chance: np.random.Generator) -> Matrix:
    """Some of these vectors with noise, of unit length."""
    made = real[chance.integers(0, len(real), count)]
    made = made + NOISE * chance.standard_normal(made.shape, dtype=np.float32)
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)


def exact(stored: Any, queries: Matrix, among: Any = None) -> Any:
    """Rows of the true nearest, (queries, K)."""
    rows = np.arange(len(stored)) if among is None else among
    scores = np.empty((len(queries), 0), np.float32)
    nearest = np.empty((len(queries), 0), np.int64)
    for start in range(0, len(rows), CHUNK):
        part = rows[start : start + CHUNK]
        scores = np.hstack([scores, queries @ stored[part].astype(np.float32).T])
        nearest = np.hstack([nearest, np.broadcast_to(part, (len(queries), len(part)))])
        best = np.argpartition(-scores, K - 1, axis=1)[:, :K]
        scores = np.take_along_axis(scores, best, axis=1)
        nearest = np.take_along_axis(nearest, best, axis=1)
    return nearest


def used(folder: Path, count: int, dimension: int) -> dict[str, Any]:
    """Open the index as a library does and search it; in a process of its own.

    The nearest are compared again by their vectors in 16 bits, which lie in a mapped file here and
    in the table of papers in a library.
    """
    asked = np.load(folder / "asked.npz")
    stored = np.memmap(folder / "float16", np.float16, "r", shape=(count, dimension))
    before = memory()
    opening, vectors = timed(lambda: Vectors.load(folder / "vectors.faiss", dimension, 1))
    assert vectors is not None

    def read(rows: Any) -> tuple[Any, Matrix]:
        return rows, stored[rows].astype(np.float32)

    some_rows = asked["some"]
    whole = [timed(lambda q=q: vectors.search(q, K, None, read)) for q in asked["queries"]]
    some = [timed(lambda q=q: vectors.search(q, K, some_rows, read)) for q in asked["queries"]]
    after = memory() - before
    fresh = asked["queries"][:1]
    adding, _ = timed(lambda: (vectors.put([10**7], fresh, 2), vectors.search(fresh[0], 1)))
    leaving = asked["some"][:1000]
    deleting, _ = timed(
        lambda: (vectors.put([], fresh[:0], 3, leaving), vectors.search(fresh[0], 1))
    )
    return {
        "found": [[row for row, _ in answer] for _, answer in whole],
        "found of some": [[row for row, _ in answer] for _, answer in some],
        "open ms": round(opening * 1000, 1),
        "p50 ms": spread(whole)[0],
        "p95 ms": spread(whole)[1],
        "1 % p50 ms": spread(some)[0],
        "one more ms": round(adding * 1000, 1),
        "1,000 deletes ms": round(deleting * 1000, 1),
        "MB": round(after),
        "file MB": round((folder / "vectors.faiss").stat().st_size / 1e6),
    }


def plain(folder: Path, count: int, dimension: int) -> dict[str, Any]:
    """What a person would use: IndexFlatIP; in a process of its own."""
    asked = np.load(folder / "asked.npz")
    stored = np.memmap(folder / "float16", np.float16, "r", shape=(count, dimension))
    index: Any = faiss.IndexFlatIP(dimension)
    before = memory(mapped=False)
    for start in range(0, count, CHUNK):
        index.add(stored[start : start + CHUNK].astype(np.float32))
    after = memory(mapped=False) - before
    faiss.omp_set_num_threads(1)
    took = [timed(lambda q=q: index.search(q[None], K)) for q in asked["queries"][:50]]
    return {"flat p50 ms": spread(took)[0], "flat MB": round(after)}


def apart(work: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Run in a fresh process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, arguments)


def memory(*, mapped: bool = True) -> float:
    """Resident memory of this process in MB, with or without what is mapped from files."""
    told = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(told["VmRSS" if mapped else "RssAnon"].split()[0]) / 1e3


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds, and what came of it."""
    began = time.perf_counter()
    made = work()
    return time.perf_counter() - began, made


def spread(took: list[tuple[float, Any]]) -> tuple[float, float]:
    """Median and 95th percentile in milliseconds."""
    seconds = sorted(second for second, _ in took)
    middle, late = statistics.median(seconds), seconds[int(0.95 * len(seconds))]
    return round(middle * 1000, 2), round(late * 1000, 2)


def shared(found: list[list[int]], truth: Any) -> float:
    """Recall: the share of the true nearest that was found."""
    pairs = zip(found, truth.tolist(), strict=True)
    return round(sum(len(set(a) & set(b)) for a, b in pairs) / truth.size, 4)


def table(results: list[dict[str, Any]]) -> str:
    """Markdown, a row a size."""
    names = list(max(results, key=len))
    lines = [" | ".join(names), " | ".join("---:" for _ in names)]
    lines += [" | ".join(shown(r[n]) if n in r else "–" for n in names) for r in results]
    return "\n".join(f"| {line} |" for line in lines)


def shown(value: Any) -> str:
    """A figure with its thousands apart, or a word."""
    return value if isinstance(value, str) else f"{value:,}"


def draw(results: list[dict[str, Any]], path: Path) -> None:
    """Time and memory over the number of papers."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    drawn = (
        (axes[0], "milliseconds a query, median", (("p50 ms", "Footnote"), ("1 % p50 ms", "Footnote, filtered to 1 %"), ("flat p50 ms", "IndexFlatIP"))),
        (axes[1], "megabytes in memory", (("MB", "Footnote"), ("flat MB", "IndexFlatIP"))),
    )  # fmt: skip
    for axis, label, lines in drawn:
        for name, title in lines:
            points = [(r["papers"], r[name]) for r in results if name in r]
            style = "--" if name.startswith("flat") else "-"
            axis.plot(*zip(*points, strict=True), style, marker="o", label=title)
        axis.set(xscale="log", yscale="log", xlabel="papers", ylabel=label)
        axis.grid(visible=True, which="major", alpha=0.3)
        axis.legend(frameon=False)
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main()
