"""What each part of the retrieval method adds: nDCG@10 without it, collection by collection.

    python -m tests.bench.ablation DIR... [--cache FOLDER]

Each DIR holds corpus.jsonl, queries.jsonl and qrels.tsv. The settings are those of the product but
for the one that is named.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

from index import feedback, isotropy, search
from index.evaluate import Collection, asked, ndcg
from index.library import Library

NEVER = 10**12

WITHOUT: dict[str, list[tuple[Any, str, float]]] = {
    "all parts": [],
    "without turning the query": [(isotropy, "FEW", NEVER)],
    "without coverage": [(search, "COVERAGE_WEIGHT", 0.0)],
    "without pairs of words": [(feedback, "PAIR", 0.0)],
    "without words from feedback": [(feedback, "KEPT", 1.0)],
    "without meaning from feedback": [(feedback, "PULL", 0.0)],
    "without feedback": [
        (feedback, "KEPT", 1.0),
        (feedback, "PULL", 0.0),
        (search, "DENSE_WEIGHT_AGAIN", search.DENSE_WEIGHT),
    ],
    "fusion alone": [
        (isotropy, "FEW", NEVER),
        (search, "COVERAGE_WEIGHT", 0.0),
        (feedback, "PAIR", 0.0),
        (feedback, "KEPT", 1.0),
        (feedback, "PULL", 0.0),
        (search, "DENSE_WEIGHT_AGAIN", search.DENSE_WEIGHT),
    ],
}


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folders", type=Path, nargs="+")
    arguments.add_argument("--cache", type=Path)
    chosen = arguments.parse_args()
    print("| collection | " + " | ".join(WITHOUT) + " |")
    print("| --- |" + " --- |" * len(WITHOUT), flush=True)
    for folder in chosen.folders:
        collection = Collection.read(folder)
        with tempfile.TemporaryDirectory() as where:
            with Library.open(Path(where), create=True) as library:
                collection.fill(library, chosen.cache)
            figures = [
                f"{_measured(Path(where), collection, parts):.4f}" for parts in WITHOUT.values()
            ]
        print(f"| {folder.name} | " + " | ".join(figures) + " |", flush=True)


def _measured(folder: Path, collection: Collection, parts: list[tuple[Any, str, float]]) -> float:
    patches = [patch.object(module, name, value) for module, name, value in parts]
    for one in patches:
        one.start()
    try:
        with Library.open(folder) as library:
            values = [
                ndcg(asked(library, collection.queries[name], 10), relevant, 10)
                for name, relevant in collection.judged.items()
            ]
        return sum(values) / len(values)
    finally:
        for one in patches:
            one.stop()


if __name__ == "__main__":
    main()
