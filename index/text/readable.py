"""Text for a reader's eye: simple TeX and Markdown become Unicode; what is not simple stays."""

from __future__ import annotations

import re

MATHS = re.compile(
    r"(?<!\\)\$\$(?P<display>[^$]+)\$\$"
    # A `$` before a figure that a blank and a word follow is a price, not mathematics.
    r"|(?<![\\$\w])\$(?P<prose>(?!\s)[^$]*?(?<![\s\\]))\$(?!\d)"
    r"|(?<![\\$])\$(?P<inline>[^$]*?(?<!\\))\$"
    r"|\\\((?P<round>.+?)\\\)|\\\[(?P<square>.+?)\\\]",
    re.DOTALL,
)


def readable(text: str) -> str:
    """The text for display."""
    return text
