"""`index remove`: papers leave the library, each named beyond doubt."""

from __future__ import annotations

from index.library import Library
from index.merge import same_title
from index.paper import Paper
from index.settings import load_index_settings
from index.shell import BadInput, out
from index.text.tex import readable


def remove(papers: list[str]) -> None:
    """Take papers out of the library: ids, links, handles or whole titles."""
    settings = load_index_settings()
    with Library.open(settings.library_dir, settings.embeddings) as library:
        # All are looked up before one leaves: a slip of the pen changes nothing.
        leaving = {paper.id: paper for paper in (_one(library, name) for name in papers)}
        library.delete(leaving)
        for paper in leaving.values():
            out.print(f"Removed “{readable(paper.title)}” ({paper.id}).", markup=False)
        out.print(f"{len(library):,} papers are left.")


def _one(library: Library, name: str) -> Paper:
    found = library.require(name)
    if library.get(name) is None:
        if not same_title(found.title, name):
            raise BadInput(
                f"“{name}” is a part of “{readable(found.title)}”; write its handle, {found.handle}"
            )
        if len(library.find(name, 2)) > 1:
            raise BadInput(f"more papers than one are called “{name}”; write a handle or an id")
    return found
