"""Disarming: a paper's text without anything that a chat model could take for ours."""

from __future__ import annotations

import re
import unicodedata

OPEN, CLOSE = "⟦data⟧", "⟦/data⟧"

_BRACKETS = str.maketrans({"⟦": "[", "⟧": "]", "〚": "[", "〛": "]"})
_CITATION = re.compile(r"\[\^?([\w.-]+(?::[\d,;\s-]+)?)\]")
_OURS = re.compile(
    r"\[\^?[\w.-]+:\d[\d,;\s-]*\]|[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069]"
)
_ROLE = re.compile(
    r"<\s*/?\s*(?:system|user|assistant|tool|data|papers?|instructions?)\b[^>]*>"
    r"|<\|[^|>]*\|>|\[/?INST\]|^\s*(?:system|assistant|user)\s*:",
    re.IGNORECASE | re.MULTILINE,
)


def harmless(text: str) -> str:
    """A paper's text without hidden characters, delimiters, roles of a chat, or keys of citations.

    Only the text a model reads is changed; quotations come from the record itself.
    """
    text = "".join(c for c in text if unicodedata.category(c) not in {"Cf", "Cc", "Co", "Cs"})
    text = text.translate(_BRACKETS)
    text = _CITATION.sub(r"(\1)", text)
    return " ".join(_ROLE.sub(" ", text).split())


def speaks(text: str) -> bool:
    """Whether a sentence of a paper speaks to the machine that reads it instead of its readers.

    Such a one is nobody's evidence: it holds the role of a chat, our delimiters or keys, or
    characters that nobody sees.
    """
    bare = text.strip()
    return bool(_ROLE.search(bare) or _OURS.search(bare) or bare.translate(_BRACKETS) != bare)
