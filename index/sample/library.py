"""The bundled notes as a library, built once in the user's cache folder."""

from __future__ import annotations

import hashlib
import io
import tempfile
from collections.abc import Iterator
from importlib import metadata, resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import platformdirs

from index import schema
from index.embed import EmbeddingModel, load_embeddings
from index.errors import EmbeddingError, LibraryError
from index.merge import embedded_text
from index.paper import Paper
from index.sources.jsonlines import read_json

if TYPE_CHECKING:
    from index.library import Library

NOTES = "notes.jsonl"
VECTORS = "vectors.npy"


def notes() -> list[Paper]:
    """The bundled notes as papers."""
    text = (resources.files("index.sample") / NOTES).read_text(encoding="utf-8")
    return [record for record in read_json(text, NOTES) if isinstance(record, Paper)]


def build(library: type[Library], embeddings: str) -> Path:
    """The folder of the bundled library; built where this version of it is not there yet.

    Raises:
        LibraryError: no folder to build it in can be written to.
    """
    papers = notes()
    name = f"notes-{_key(papers, embeddings)}"
    for folder in _folders():
        directory = folder / name
        if (directory / "whole").exists():
            return directory
        try:
            directory.mkdir(parents=True, exist_ok=True)
            with library.open(directory, embeddings, create=True) as made:
                remember(made.model, papers)
                made.add(papers)
            (directory / "whole").touch()
        except EmbeddingError:
            raise
        except (OSError, LibraryError):
            continue
        return directory
    raise LibraryError(
        "the bundled library found no folder it can be built in; set XDG_CACHE_HOME to one you own, "
        "or begin your own library with `python -m index add FILE`"
    )


def remember(model: EmbeddingModel, papers: list[Paper]) -> None:
    """Give the model the vectors that ship with the notes, if they are of these notes and of it."""
    vectors = np.load(
        io.BytesIO((resources.files("index.sample") / VECTORS).read_bytes()), allow_pickle=False
    )
    if model.name == "minilm" and len(vectors) == len(papers):
        model.remember([embedded_text(paper) for paper in papers], vectors.astype(np.float32))


def save_vectors(folder: Path) -> int:
    """Embed the notes and write their vectors beside them; how many there are."""
    papers = notes()
    vectors = load_embeddings().encode_documents([embedded_text(paper) for paper in papers])
    np.save(folder / VECTORS, vectors.astype(np.float16), allow_pickle=False)
    return len(papers)


def _key(papers: list[Paper], embeddings: str) -> str:
    try:
        version = metadata.version("footnote")
    except metadata.PackageNotFoundError:
        version = ""
    said = [version, str(schema.VERSION), embeddings, *map(repr, papers)]
    return hashlib.sha256("\0".join(said).encode()).hexdigest()[:12]


def _folders() -> Iterator[Path]:
    yield Path(platformdirs.user_cache_dir("footnote"))
    yield Path(tempfile.gettempdir()) / "footnote"
    yield Path(tempfile.mkdtemp(prefix="footnote-"))
