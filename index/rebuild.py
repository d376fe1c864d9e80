"""Making everything derived again: vectors, the full-text index, the FAISS file."""

from __future__ import annotations

from pathlib import Path

from index.embed import load_embeddings
from index.errors import NoLibrary
from index.library import BATCH, Progress
from index.merge import embedded_text
from index.papers import Papers
from index.vectors import Vectors


def rebuild(directory: Path, embeddings: str, progress: Progress | None = None) -> int:
    """Embed every paper with these embeddings, whatever made the vectors; how many there are.

    A rebuild that is cut short leaves a library that asks for another, and no mixture.

    Raises:
        NoLibrary: the folder holds none.
        NewerSchema: it was written by a newer version.
    """
    path = directory / "papers.sqlite"
    if not path.exists():
        raise NoLibrary(f"{directory} holds no library; `python -m index add FILE` begins one")
    model = load_embeddings(embeddings)
    papers = Papers(path)
    try:
        papers.verify_schema()
        papers.set_model({"name": "a rebuild that was cut short"})
        stored = papers.many("1")
        for start in range(0, len(stored), BATCH):
            batch = stored[start : start + BATCH]
            vectors = model.encode_documents([embedded_text(paper) for _, paper in batch])
            papers.put(batch, list(vectors))
            if progress:
                progress(start + len(batch), len(stored))
        papers.reindex()
        papers.set_model(model.fingerprint)
        index = Vectors(model.dimension)
        rows, matrix = papers.vectors()
        index.build(rows, matrix, papers.generation)
        index.save(directory / "vectors.faiss")
        return len(stored)
    finally:
        papers.close()
