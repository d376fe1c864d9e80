"""Withdrawals: arXiv tells of them in the comment of a version or in place of the abstract."""

from __future__ import annotations

import re

_WHAT = (
    r"(?:paper|article|submission|manuscript|preprint|e-?print|work|version|note|draft|letter|"
    r"report|document|study|thesis|survey)"
)
_SAID = re.compile(
    # From the beginning of a sentence: "it supersedes a paper that has been withdrawn" is none.
    rf"(?:^|[.;:!?*]\s+|\n)\W*(?:"
    rf"(?:(?:this|the|our)\s+)?(?:(?:present|current|whole|entire|first|second|arxiv)\s+)?{_WHAT}"
    r"(?:\s+(?:has|have|had|was|is|were|been|being|be|now|hereby|temporarily|therefore|is\s+to))*"
    r"\s+withdrawn"
    r"|withdrawn(?=\s*(?:$|[.,;:!(\-–—]|by\b|due\b|because\b|as\b|for\b|since\b|owing\b|pending\b|at\b|until\b))"
    rf"|(?:we|the\s+authors?|i|authors?)\s+(?:have\s+|has\s+|hereby\s+|wish(?:es)?\s+to\s+|would\s+like\s+to\s+)*"
    rf"withdr(?:aw|ew|awn|aws)\s+(?:this|the|our)\s+{_WHAT}"
    r")(?!\s+from\s+(?!arxiv))",
    re.IGNORECASE,
)


def withdrawal(comment: str, abstract: str) -> str:
    """What is said of a withdrawal, with by whom and why where given; empty where none is told.

    >>> withdrawal("12 pages. Withdrawn by the author due to an error in Lemma 3", "We show.")
    'Withdrawn by the author due to an error in Lemma 3'
    """
    comment = " ".join(comment.split())
    if found := _SAID.search(comment):
        return comment[found.start() :].lstrip(" .;:!?*\n")
    abstract = " ".join(abstract.split())
    # Further on in an abstract, it is the subject of the study.
    found = _SAID.match(abstract)
    return abstract if found else ""
