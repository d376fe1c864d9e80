"""Needs: what a person wants a paper for, in words that abstracts use for it."""

from __future__ import annotations

import re

from index.card import Line
from index.lexical import STOP_WORDS, fold, stem
from index.paper import Paper
from index.text.sentences import split

_NEEDS = {
    r"small (?:lab|team|group|budget)|cheap|low.cost|little (?:money|compute)|afford|budget|single gpu|laptop|"
    r"phone|mobile|edge|embedded|limited (?:compute|hardware|resources)|low.resource hardware|few gpus": (
        "cost costs cheap cheaper compute gpu gpus cpu memory efficient efficiency hardware device devices phone "
        "phones mobile edge parameters lightweight small smaller budget overhead footprint training-free bits"
    ),
    r"fast|speed|real.?time|latency|quick": (
        "speed speedup faster fast latency real-time throughput seconds milliseconds minutes overhead runtime"
    ),
    r"accura|best results|quality|strong(?:est)? results|performance": (
        "accuracy outperforms outperform state-of-the-art improves improvement error score gains"
    ),
    r"little data|few (?:labels|examples)|small data|unlabel|without labels|low.data": (
        "few-shot unlabeled unlabelled labels annotations annotation data-efficient samples sample semi-supervised "
        "self-supervised zero-shot examples"
    ),
    r"robust|reliab|noise|attack|adversar|safe": (
        "robust robustness noise noisy attack attacks adversarial reliable safety safe failure distribution shift"
    ),
    r"explain|interpret|transparen|understand": (
        "interpretable interpretability explain explanation explanations explainable transparent"
    ),
    r"open.?source|code|reproduc|available": "code open open-source released release available public publicly",
    r"long (?:documents?|texts?|contexts?|sequences?)": "long-context long-document length",
    r"many languages|multilingual|languages": "multilingual languages cross-lingual",
}  # fmt: skip
_ASKS = re.compile(
    r"^(?:so\s+|and\s+)?(?:which|what)(?:\s+(?:one|paper|method|of\s+(?:them|these|those|the\s+\w+)|would|is|should|do|"
    r"fits|suits|to))*\b.*?\b(?:for|suits?|fits?|on|with|when|if)\s+(?P<need>.{3,80}?)[\s?.!]*$",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    r"\b(?:which|what)\b.{0,40}\b(?:should\s+(?:i|we)|would\s+you|do\s+you\s+recommend|is\s+(?:best|better|right)|"
    r"suits?|fits?|to\s+(?:use|pick|choose|try|take)|would\s+(?:suit|fit|work|you))\b"
    r"|^which\s+(?:one\s+|of\s+(?:them|these|those|the\s+\w+)\s+)?(?:for|suits?|fits?)\b",
    re.IGNORECASE,
)


def need_of(text: str) -> str:
    """What a message wants one of several papers for, or an empty string.

    >>> need_of("which for a small lab?")
    'a small lab'
    """
    said = " ".join(text.split())
    if not _CHOOSES.search(said):
        return ""
    match = _ASKS.match(said)
    return match["need"] if match else ""


def reason(paper: Paper, need: str) -> Line | None:
    """The sentence that speaks most to a need, or None where the abstract says nothing on it."""
    wanted, own = _cues(need)
    best: tuple[int, int, Line] | None = None
    for number, span in enumerate(split(paper.abstract), 1):
        words = re.findall(r"[^\W_]+(?:-[^\W_]+)*", fold(span.text))
        said = {stem(word) for word in words} | {stem(p) for word in words for p in word.split("-")}
        # A person's own words count as they are written: a language is not languages.
        found = len(wanted & said) + len(own & set(words))
        if not found:
            continue
        # A figure beside it is a better reason than a promise.
        worth = 2 * found + bool(re.search(r"\d", span.text))
        if best is None or worth > best[0]:
            best = (worth, number, Line(number, span.text, span.start, span.end, float(worth)))
    return best[2] if best else None


def _cues(need: str) -> tuple[set[str], set[str]]:
    """Stems of what abstracts say for a need, and the words of the need itself."""
    listed = [cues for pattern, cues in _NEEDS.items() if re.search(pattern, need, re.IGNORECASE)]
    own = {word for word in re.findall(r"[^\W_]+", fold(need)) if word not in STOP_WORDS}
    cues = " ".join(listed).split()
    plural = {word for word in cues if word == "languages"}
    return {stem(word) for word in cues if word not in plural}, own | plural
