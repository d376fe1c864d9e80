"""One library beside what a person would use instead, in one run.

    python -m tests.bench.stores FILE --library DIR [--papers N] [--embed]
    pip install -c constraints.txt -e '.[bench]'      # the others; chromadb as well, where wanted

FILE is anything `index add` reads. Embedding is the same for all and takes an hour for 75,000
papers on two cores, so that vectors are made here with noise from those of the library in DIR,
unless `--embed` is given; times do not depend on what is in them. Building is measured without
embedding, and a search with that of its query. Each store is built and searched in a process of
its own, one query at a time.
"""

from __future__ import annotations

import argparse
import importlib.util
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from langchain_core.embeddings import Embeddings

from index.embed import Matrix, MiniLM, load_embeddings
from index.library import Library
from index.merge import embedded_text
from index.paper import Paper
from index.papers import Papers
from index.sources.files import read_file
from tests.bench.scale import apart, memory, noisy, spread, table, timed

K = 10
QUERIES = 200


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("file", type=Path)
    arguments.add_argument("--library", type=Path, help="a library whose vectors are varied")
    arguments.add_argument("--papers", type=int, default=100_000)
    arguments.add_argument("--embed", action="store_true", help="embed every paper in truth")
    chosen = arguments.parse_args()
    if chosen.library is None and not chosen.embed:
        arguments.error("name a --library whose vectors are varied, or --embed")
    records = islice(read_file(chosen.file), chosen.papers)
    papers = [record for record in records if isinstance(record, Paper)]
    texts = list(dict.fromkeys(embedded_text(paper) for paper in papers))
    model = load_embeddings()
    if not chosen.embed:
        stored = Papers(chosen.library / "papers.sqlite")
        _, real = stored.vectors()
        stored.close()
        made = noisy(real, len(texts), np.random.default_rng(5))
        model.remember(texts, made)
        print(f"vectors of {len(real):,} papers with noise")
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            row(
                "Footnote, words and meaning",
                Path(folder),
                build(Path(folder), papers, model),
                footnote,
            )
        ]
        print(rows[-1], flush=True)
        for name, package, make, use in (
            ("LangChain FAISS, meaning", "langchain_community", make_langchain, langchain),
            ("IndexFlatIP, meaning", "faiss", make_flat, flat),
            ("bm25s, words", "bm25s", make_bm25, bm25),
            ("Chroma, meaning", "chromadb", make_chroma, chroma),
        ):
            if importlib.util.find_spec(package) is None:
                rows.append({"store": f"{name} (not installed)"})
                continue
            rows.append(row(name, Path(folder), apart(make, Path(folder)), use))
            print(rows[-1], flush=True)
    print(f"{len(papers):,} papers, {QUERIES} queries\n")
    print(table(rows))


def row(store: str, folder: Path, building: float, use: Callable[..., Any]) -> dict[str, Any]:
    """The figures of one store in order."""
    return {"store": store, "build s": round(building, 1), **apart(used, folder, use)}


def used(folder: Path, use: Callable[[Path], Callable[[str], Any]]) -> dict[str, Any]:
    """Open a store and search it; in a process of its own, all of whose memory is counted."""
    queries = (folder / "queries").read_text(encoding="utf-8").splitlines()
    opening, search = timed(lambda: use(folder))
    search("warm up")
    took = [timed(lambda query=query: search(query)) for query in queries]
    middle, late = spread(took)
    return {
        "open ms": round(opening * 1000),
        "p50 ms": middle,
        "p95 ms": late,
        "MB": round(memory()),
    }


def build(folder: Path, papers: list[Paper], model: Any) -> float:
    """Make the library; seconds."""
    with Library.open(folder, create=True) as library:
        library.model._known = model._known
        seconds, _ = timed(lambda: library.add(papers))
    asked = papers[:: max(1, len(papers) // QUERIES)][:QUERIES]
    queries = "\n".join(" ".join(paper.title.split()[:8]) for paper in asked)
    (folder / "queries").write_text(queries, encoding="utf-8")
    return seconds


class Given(Embeddings):
    """Vectors that are there already for documents; the model's for queries."""

    def __init__(self, vectors: Matrix | None = None) -> None:
        self._vectors = vectors
        self._model = MiniLM()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """What was made before."""
        assert self._vectors is not None
        return self._vectors[: len(texts)].tolist()

    def embed_query(self, text: str) -> list[float]:
        """Embed a question."""
        return self._model.embed_query(text)


def read(folder: Path) -> tuple[list[str], Matrix]:
    """Texts and vectors of the library that was made."""
    papers = Papers(folder / "papers.sqlite")
    stored = [paper for _, paper in papers.many("1")]
    _, vectors = papers.vectors()
    papers.close()
    return [embedded_text(paper) for paper in stored], vectors


def footnote(folder: Path) -> Callable[[str], Any]:
    """Words and meaning fused and ranked again, names first, of a table with every field."""
    library = Library.open(folder)
    return lambda query: library.search(query, K)


def make_langchain(folder: Path) -> float:
    """Seconds of LangChain's FAISS.from_texts."""
    from langchain_community.vectorstores import FAISS

    texts, vectors = read(folder)
    embeddings = Given(vectors)
    building, store = timed(lambda: FAISS.from_texts(texts, embeddings))
    store.save_local(str(folder / "langchain"))
    return building


def langchain(folder: Path) -> Callable[[str], Any]:
    """By meaning alone; texts in memory."""
    from langchain_community.vectorstores import FAISS

    store = FAISS.load_local(
        str(folder / "langchain"), Given(), allow_dangerous_deserialization=True
    )
    return lambda query: store.similarity_search(query, K)


def make_flat(folder: Path) -> float:
    """Seconds of adding to a plain index."""
    _, vectors = read(folder)
    index: Any = faiss.IndexFlatIP(vectors.shape[1])
    building, _ = timed(lambda: index.add(vectors))
    faiss.write_index(index, str(folder / "flat"))
    return building


def flat(folder: Path) -> Callable[[str], Any]:
    """By meaning alone; numbers of papers and no texts."""
    index, embeddings = faiss.read_index(str(folder / "flat")), Given()
    return lambda query: index.search(np.array([embeddings.embed_query(query)], np.float32), K)


def make_bm25(folder: Path) -> float:
    """Seconds of bm25s with the same stemmer."""
    import bm25s
    import Stemmer

    texts, _ = read(folder)

    def make() -> Any:
        made = bm25s.BM25()
        stemmer = Stemmer.Stemmer("porter")
        made.index(bm25s.tokenize(texts, stemmer=stemmer, show_progress=False), show_progress=False)
        return made

    building, made = timed(make)
    made.save(str(folder / "bm25s"))
    return building


def bm25(folder: Path) -> Callable[[str], Any]:
    """By words alone; numbers of papers and no texts."""
    import bm25s
    import Stemmer

    made, stemmer = bm25s.BM25.load(str(folder / "bm25s")), Stemmer.Stemmer("porter")

    def search(query: str) -> Any:
        tokens = bm25s.tokenize(query, stemmer=stemmer, show_progress=False)
        return made.retrieve(tokens, k=K, show_progress=False)

    return search


def make_chroma(folder: Path) -> float:
    """Seconds of adding to a collection of Chroma on disk."""
    import chromadb

    texts, vectors = read(folder)
    client = chromadb.PersistentClient(str(folder / "chroma"))
    made = client.create_collection("papers", metadata={"hnsw:space": "ip"})
    began = time.perf_counter()
    for start in range(0, len(texts), 5000):
        part = slice(start, start + 5000)
        names = [str(place) for place in range(start, start + len(texts[part]))]
        made.add(names, embeddings=vectors[part], documents=texts[part])
    return time.perf_counter() - began


def chroma(folder: Path) -> Callable[[str], Any]:
    """By meaning alone; texts on disk."""
    import chromadb

    made = chromadb.PersistentClient(str(folder / "chroma")).get_collection("papers")
    embeddings = Given()
    return lambda query: made.query(query_embeddings=[embeddings.embed_query(query)], n_results=K)


if __name__ == "__main__":
    main()
