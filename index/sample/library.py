"""The bundled notes as a library, built once in the user's cache folder."""

from __future__ import annotations

import hashlib
import tempfile
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from index.sources.files import read_file

if TYPE_CHECKING:
    from index.library import Library


def build(library: type[Library], embeddings: str) -> Path:
    """The folder of the bundled library; built where this version of the notes is not there yet."""
    with resources.as_file(resources.files("index.sample") / "notes.jsonl") as notes:
        key = hashlib.sha256(notes.read_bytes() + embeddings.encode()).hexdigest()[:12]
        for folder in (Path(platformdirs.user_cache_dir("footnote")), Path(tempfile.gettempdir())):
            directory = folder / f"notes-{key}"
            try:
                directory.mkdir(parents=True, exist_ok=True)
            except OSError:
                continue
            with library.open(directory, embeddings, create=True) as made:
                made.add(read_file(notes))
            return directory
    return Path(tempfile.mkdtemp(prefix="footnote-"))
