"""A digest as lines of plain text, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from bot.digests.compose import Digest
from bot.digests.schedule import day_in_words
from index.text.tex import readable


def lines(digest: Digest) -> Iterator[str]:
    """The headline, then each paper with its reason and link; the note where there is one."""
    if not digest.papers:
        yield digest.note
        return
    yield f"“{digest.topic}”, {day_in_words(digest.due.date())}"
    for number, (paper, reason) in enumerate(digest.papers, 1):
        yield ""
        yield f"{number}. {readable(paper.title)} ({paper.handle})"
        yield f"   {reason}"
        if paper.link:
            yield f"   {paper.link}"
    if digest.more:
        yield ""
        yield f"and {digest.more:,} more; narrow the topic to see them."
    if digest.note:
        yield ""
        yield digest.note
