"""One record from two of the same paper."""

from __future__ import annotations

from dataclasses import replace

from index.paper import Paper


def embedded_text(paper: Paper) -> str:
    """What stands for a paper in the vectors; a derived title would only repeat its abstract."""
    return f"{paper.title}. {paper.abstract}" if not paper.title_derived else paper.abstract


def merged(old: Paper, new: Paper) -> Paper:
    """The stored paper brought up to date; what the new record does not say is kept."""
    keep_title = new.title_derived and not old.title_derived
    return replace(
        new,
        title=old.title if keep_title else new.title,
        title_derived=old.title_derived if keep_title else new.title_derived,
        abstract=new.abstract or old.abstract,
        authors=new.authors or old.authors,
        authors_truncated=new.authors_truncated if new.authors else old.authors_truncated,
        published=new.published or old.published,
        updated=new.updated or old.updated,
        venue=new.venue or old.venue,
        categories=new.categories or old.categories,
        links=new.links or old.links,
        version=max(new.version, old.version),
        source=old.source,
        handle=old.handle,
        added=old.added,
    )
