"""One friendly line for what is no question about papers."""

from __future__ import annotations

import re

HELLO = "Hello! Ask me about papers: name a topic, or ask what a paper says."
WELCOME = "You are welcome."
BYE = "Goodbye. This conversation will be here when you come back."
WELL = "All well, thank you. What would you like to read about?"
FINE = "Good. What next?"
WHO = (
    "I am Footnote, a research assistant: I find, summarise and compare papers, and each sentence "
    "I quote carries a footnote to the abstract it comes from."
)
HELP = (
    "Write a topic (“diffusion policies”), a question (“What score does SSE-H reach on AIME25?”), "
    "“summarise the second one”, “compare the first and last”, or “papers like ActiveDPO”."
)
EMPTY = "Nothing was asked. Write a topic, a question, or the name of a paper."

_LINES = (
    (r"(?:hi|hello|hey|hiya|howdy|greetings|good\s+(?:morning|afternoon|evening|day)|hi\s+there|hello\s+there|hey\s+there|yo)", HELLO),
    (r"(?:thanks?|thank\s+you|thx|ty|cheers|many\s+thanks|much\s+appreciated)(?:\s+(?:so\s+much|very\s+much|a\s+lot|for\s+(?:the\s+|your\s+)?help|for\s+that))?", WELCOME),
    (r"(?:bye|goodbye|bye\s+bye|see\s+you(?:\s+(?:later|soon))?|good\s+night|farewell|ciao)", BYE),
    (r"(?:how\s+are\s+you(?:\s+(?:doing|today))?|how(?:'s|\s+is)\s+it\s+going|what's\s+up|how\s+do\s+you\s+do)", WELL),
    (r"(?:ok(?:ay)?|cool|great|nice|perfect|awesome|good|wonderful|excellent|got\s+it|i\s+see|understood|alright|sure|fine|yes|no|yep|nope|never\s*mind|that's\s+(?:great|all|it)|lol|haha|wow|interesting|very\s+interesting)", FINE),
    (r"(?:who|what)\s+are\s+you|what(?:'s|\s+is)\s+(?:this|your\s+name|footnote)|are\s+you\s+(?:a\s+)?(?:bot|human|an?\s+ai|real)|introduce\s+yourself", WHO),
    (r"(?:help|help\s+me|/?help|\?+|what\s+can\s+(?:you|i)\s+(?:do|ask)(?:\s+(?:you|here|for\s+me))?|how\s+does\s+this\s+work|how\s+do\s+(?:i|you)\s+(?:use\s+(?:you|this|it)|work)|commands|/?start|what\s+do\s+you\s+do|usage|instructions)", HELP),
)  # fmt: skip
_ACKNOWLEDGES = re.compile(
    r"ok|okay|cool|great|nice|perfect|awesome|good|thanks|thank|you|yes|no|sure|fine|so|very|super|much|well|done|wow|oh|ah|right|alright",
    re.IGNORECASE,
)
_COMPILED = tuple(
    (re.compile(rf"^(?:{pattern})$", re.IGNORECASE), line) for pattern, line in _LINES
)


def small_talk(text: str) -> str:
    """The line to say, or an empty string where the message asks for something."""
    if not re.search(r"\w", text):
        return HELP if "?" in text else EMPTY
    words = re.sub(r"[\s.!,;:?…]+$", "", text.strip()).strip()
    words = re.sub(r"[,.!]\s*", " ", words)
    words = re.sub(r"\s+(?:footnote|bot|there|friend|buddy|mate)$", "", words, flags=re.IGNORECASE)
    for pattern, line in _COMPILED:
        if pattern.match(words):
            return line
    # "ok great thanks": several of them in a row.
    if len(words.split()) <= 4 and all(_ACKNOWLEDGES.fullmatch(word) for word in words.split()):
        return FINE
    # "great, thanks": two of them together.
    parts = [part for part in re.split(r"[.,;!]+\s*|\s+and\s+", text.strip(" .!,;:?")) if part]
    if len(parts) > 1 and all(small_talk(part) for part in parts):
        return small_talk(parts[-1])
    return ""
