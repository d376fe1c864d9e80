"""What a chat model writes, as spans: its Markdown and TeX to Telegram's few styles."""

from __future__ import annotations

import re
from itertools import pairwise

from telegramify_markdown import MessageEntity, convert
from telegramify_markdown.config import RenderConfig

from bot.telegram.rich import Span, shown, usable_link

_MARKDOWN = re.compile(r"[*_`#\\$\[|>]|^\s*([-+]|\d+\.)\s", re.MULTILINE)
_TABLE = re.compile(r"(?:^[ \t]*\|.*\|[ \t]*(?:\n|$)){2,}", re.MULTILINE)
_RULE = re.compile(r"[\s|:-]+")

# A private character stands for <, since the converter takes <b> for HTML and drops it.
_LESS_THAN = "\ue000"


def _config() -> RenderConfig:
    config = RenderConfig.isolated()
    symbols = config.markdown_symbol
    symbols.heading_level_1 = symbols.heading_level_2 = ""
    symbols.heading_level_3 = symbols.heading_level_4 = ""
    symbols.unordered_list_item = "•"
    return config


_CONFIG = _config()


def prose(text: str) -> list[Span]:
    """Spans of a model's words; words without markup pass as they are."""
    text = shown(text).replace(_LESS_THAN, "")
    if not _MARKDOWN.search(text):
        return [Span(text)]
    markdown = _TABLE.sub(_rows, text).replace("<", _LESS_THAN)
    converted, entities = convert(markdown, config=_CONFIG)
    return _spans(converted.strip().replace(_LESS_THAN, "<"), entities)


def _rows(table: re.Match[str]) -> str:
    """A table as a heading a row and a bullet a cell, since phones show none."""
    lines = [line.strip().strip("|") for line in table[0].strip().splitlines()]
    rows = [[cell.strip().strip("*") for cell in line.split("|")] for line in lines]
    header, *body = [
        row for row, line in zip(rows, lines, strict=True) if not _RULE.fullmatch(line)
    ]
    written = []
    for row in body:
        pairs = zip(header[1:], row[1:], strict=False)
        bullets = [f"- {name}: {value}" for name, value in pairs if value]
        written.append("\n".join([f"**{row[0]}**", "", *bullets]))
    return "\n\n" + "\n\n".join(written or ["\n".join(" ".join(row) for row in rows)]) + "\n\n"


def _spans(text: str, entities: list[MessageEntity]) -> list[Span]:
    """Text and entities (offsets in UTF-16 units) as spans of one style each."""
    data = text.encode("utf-16-le")
    size = len(data) // 2
    edges = {0, size}
    for entity in entities:
        edges |= {min(entity.offset, size), min(entity.offset + entity.length, size)}
    ordered = sorted(edges)
    spans = []
    for start, end in pairwise(ordered):
        over = [e for e in entities if e.offset <= start and e.offset + e.length >= end]
        kinds = {entity.type for entity in over}
        link = next((e.url for e in over if e.type == "text_link" and e.url), "")
        piece = data[2 * start : 2 * end].decode("utf-16-le", "replace")
        code = bool(kinds & {"code", "pre"})
        spans.append(
            Span(
                piece,
                bold="bold" in kinds and not code,
                italic="italic" in kinds and not code,
                code=code,
                link="" if code else usable_link(link),
            )
        )
    return spans
