"""Formatted text, as Telegram's own parser sees it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import tdjson

MAX_TEXT = 4096
"""Unicode code points of a message after parsing; a caption has 1,024."""
MAX_CAPTION = 1024
MAX_RAW_BYTES = 1 << 15
MAX_ENTITIES = 100
"""The server keeps the first hundred and drops the rest without a word."""

Entity = dict[str, Any]

_MODES: dict[str, dict[str, Any]] = {
    "html": {"@type": "textParseModeHTML"},
    "markdownv2": {"@type": "textParseModeMarkdown", "version": 2},
    "markdown": {"@type": "textParseModeMarkdown", "version": 1},
}
_TYPES = {
    "Bold": "bold",
    "Italic": "italic",
    "Underline": "underline",
    "Strikethrough": "strikethrough",
    "Spoiler": "spoiler",
    "Code": "code",
    "Pre": "pre",
    "PreCode": "pre",
    "BlockQuote": "blockquote",
    "ExpandableBlockQuote": "expandable_blockquote",
    "TextUrl": "text_link",
    "Mention": "mention",
    "Hashtag": "hashtag",
    "Cashtag": "cashtag",
    "BotCommand": "bot_command",
    "Url": "url",
    "EmailAddress": "email",
    "PhoneNumber": "phone_number",
}


class BadRequest(Exception):
    """What the server would refuse with code 400; the text is its own."""


@dataclass(frozen=True)
class Formatted:
    """A text without markup, and its entities in UTF-16 units."""

    text: str
    entities: tuple[Entity, ...]

    def of(self, kind: str) -> list[str]:
        """The stretches of text an entity type covers, in order."""
        units = self.text.encode("utf-16-le")
        return [
            units[2 * e["offset"] : 2 * (e["offset"] + e["length"])].decode("utf-16-le")
            for e in self.entities
            if e["type"] == kind
        ]


def utf16(text: str) -> int:
    """Length in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def parse(text: str, mode: str | None) -> Formatted:
    """Parse markup alone, as `parse_mode` asks for.

    Raises:
        BadRequest: with the parser's own words.
    """
    if not mode or not text:
        return Formatted(text, ())
    if mode.lower() not in _MODES:
        raise BadRequest("unsupported parse_mode")
    answer = _tdlib(
        {"@type": "parseTextEntities", "text": text, "parse_mode": _MODES[mode.lower()]}
    )
    if answer["@type"] == "error":
        raise BadRequest(_lower_first(answer["message"]))
    return Formatted(answer["text"], tuple(_entities(answer["entities"])))


def automatic(text: str) -> list[Entity]:
    """Links, mentions, hashtags and commands the server finds by itself."""
    if not text:
        return []
    return _entities(_tdlib({"@type": "getTextEntities", "text": text}).get("entities", []))


def accept(
    text: str, mode: str | None, entities: list[Entity] | None, limit: int = MAX_TEXT
) -> Formatted:
    """What the server makes of the text of a message.

    Raises:
        BadRequest: it is empty, too long, or does not parse.
    """
    if len(text.encode()) > MAX_RAW_BYTES:
        raise BadRequest("text is too long")
    parsed = parse(text, mode) if mode else Formatted(text, tuple(entities or ()))
    stripped = parsed.text.strip(" \n\t\r")
    shift = utf16(parsed.text) - utf16(parsed.text.lstrip(" \n\t\r"))
    own = [{**e, "offset": max(0, e["offset"] - shift)} for e in parsed.entities]
    if not stripped and limit == MAX_TEXT:
        raise BadRequest("message text is empty")
    if len(stripped) > limit:
        raise BadRequest(
            "message is too long" if limit == MAX_TEXT else "message caption is too long"
        )
    fixed = [e for e in own if e["type"] in {"code", "pre", "text_link"}]
    own += [e for e in automatic(stripped) if not any(_overlap(e, f) for f in fixed)]
    own.sort(key=lambda e: (e["offset"], -e["length"]))
    return Formatted(stripped, tuple(own[:MAX_ENTITIES]))


def _tdlib(request: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(tdjson.td_execute(json.dumps(request).encode()))
    return answer


def _entities(found: list[dict[str, Any]]) -> list[Entity]:
    entities = []
    for entity in found:
        kind = entity["type"]["@type"].removeprefix("textEntityType")
        if kind not in _TYPES:
            continue
        made: Entity = {
            "type": _TYPES[kind],
            "offset": entity["offset"],
            "length": entity["length"],
        }
        if kind == "TextUrl":
            made["url"] = entity["type"]["url"]
        if kind == "PreCode":
            made["language"] = entity["type"]["language"]
        entities.append(made)
    return entities


def _overlap(one: Entity, other: Entity) -> bool:
    return bool(
        one["offset"] < other["offset"] + other["length"]
        and one["offset"] + one["length"] > other["offset"]
    )


def _lower_first(message: str) -> str:
    # The server lowers the first letter unless the word is written in capitals or a constant.
    if len(message) > 1 and (message[1] == "_" or message[1].isupper()):
        return message
    return message[:1].lower() + message[1:]


_tdlib({"@type": "setLogVerbosityLevel", "new_verbosity_level": 0})
