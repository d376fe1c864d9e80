"""A digest as messages."""

from __future__ import annotations

from collections.abc import Sequence

from bot.answer import PaperItem, PaperList
from bot.digests.compose import Digest
from bot.digests.schedule import day_in_words, local_date
from bot.telegram.render import Part, block_spans, paper_row, parts
from bot.telegram.rich import Span, joined, shown
from index.paper import Paper


def render_digest(digest: Digest) -> list[Part]:
    """The messages of a digest that is due, with buttons for each paper."""
    day = day_in_words(local_date(digest.due, digest.zone))
    new = "new about " if digest.papers else ""
    head = [Span(f"{day}: {new}“{shown(digest.topic)}”", bold=True)]
    foot = [Span("/digest shows and changes this, /stop ends it.", italic=True)]
    return _messages(digest, [head], [foot])


def render_preview(lines: Sequence[str], digest: Digest | None) -> list[Part]:
    """What is said of a subscription, and under it the papers its digest would hold."""
    head = [Span("\n".join(shown(line) for line in lines))]
    if digest is None:
        return parts(head)
    return _messages(digest, [head], [])


def _messages(digest: Digest, above: list[list[Span]], below: list[list[Span]]) -> list[Part]:
    items = tuple(_item(paper, reason) for paper, reason in digest.papers)
    if digest.more:
        below = [[Span(f"and {digest.more:,} more; narrow the topic to see them.")], *below]
    if digest.note:
        below = [[Span(shown(digest.note), italic=True)], *below]
    listed = [list(block_spans(PaperList(items)))] if items else []
    rows = [
        paper_row(item.handle, [other for other in items if other is not item], f"{number} · ")
        for number, item in enumerate(items, 1)
        if item.handle
    ]
    return parts(list(joined([*above, *listed, *below])), rows)


def _item(paper: Paper, reason: str) -> PaperItem:
    return PaperItem(
        id=paper.id,
        handle=paper.handle,
        title=paper.title,
        title_derived=paper.title_derived,
        authors=paper.authors,
        authors_truncated=paper.authors_truncated,
        published=paper.published,
        updated=paper.updated,
        venue=paper.venue,
        link=paper.link,
        status=str(paper.status),
        reason=reason,
    )
