"""Answers as the front ends get them."""

from __future__ import annotations

from bot.answer import (
    Action,
    Actions,
    Answer,
    Citation,
    Comparison,
    ComparisonRow,
    Notice,
    PaperCard,
    PaperItem,
    PaperList,
    Prose,
    Sentence,
)

CACHE = Citation(
    "arxiv:2601.00101",
    "slimcache",
    "SlimCache: Dropping What Attention Forgets",
    r"It raises throughput by 62.5\%.",
    120,
)
TABLES = Citation(
    "openreview:RD4XgyVyGh", "tabmirror", "TabMirror", "The generator stays untouched.", 7
)
FIRST = PaperItem(
    id="arxiv:2601.00101",
    handle="slimcache",
    title="SlimCache: Dropping What Attention Forgets",
    authors=("Ines Okafor", "Tom Brandt", "Wei Zhang", "Lucia Moretti"),
    published="2026-01-05",
    venue="ICLR 2026",
    link="https://openreview.net/forum?id=abc",
    reason="about memory of stored keys",
)
SECOND = PaperItem(
    id="text:0123456789ab",
    handle="tabmirror",
    title="Watermarks for generated tables",
    title_derived=True,
    status="withdrawn",
)
PROSE = Prose(
    (
        Sentence("SlimCache is faster.", (CACHE,)),
        Sentence("TabMirror leaves the generator alone.", (TABLES, CACHE)),
    )
)
LIST = PaperList((FIRST, SECOND), heading="Two papers")
COMPARISON = Comparison(
    (FIRST, SECOND),
    (
        ComparisonRow("results", (Sentence(CACHE.quote, (CACHE,), quoted=True), None)),
        ComparisonRow("limits", (None, None)),
    ),
)
CARD = PaperCard(FIRST, (("results", Sentence(CACHE.quote, (CACHE,), quoted=True)),))


def answer(*blocks: Prose | PaperList | PaperCard | Comparison | Notice | Actions) -> Answer:
    return Answer(tuple(blocks))


NEXT = Actions(
    (Action("Summary", "summary", "slimcache"), Action("Similar", "similar", "slimcache"))
)
