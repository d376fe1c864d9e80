"""A digest as messages."""

from __future__ import annotations

from bot.answer import PaperItem, PaperList
from bot.digests.compose import Digest
from bot.digests.schedule import day_in_words, local_date
from bot.telegram.render import Part, block_spans, paper_row, parts
from bot.telegram.rich import Span, joined, shown
from index.paper import Paper


def render_digest(digest: Digest, *, preview: bool = False) -> list[Part]:
    """The messages of a digest, with buttons for each paper."""
    when = "As it would look" if preview else day_in_words(local_date(digest.due, digest.zone))
    head = [Span(f"{when}: new about “{shown(digest.topic)}”", bold=True)]
    items = tuple(_item(paper, reason) for paper, reason in digest.papers)
    tail = []
    if digest.more:
        tail.append(
            [Span(f"{digest.more} more came close; /find {shown(digest.topic)} lists them.")]
        )
    if digest.note:
        tail.append([Span(shown(digest.note), italic=True)])
    if not preview:
        tail.append([Span("/digest shows and changes this, /stop ends it.", italic=True)])
    listed = list(block_spans(PaperList(items))) if items else []
    rows = [
        paper_row(item.handle, [o for o in items if o is not item], f"{number} · ")
        for number, item in enumerate(items, 1)
        if item.handle
    ]
    return parts(list(joined([head, listed, *tail])), rows)


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
