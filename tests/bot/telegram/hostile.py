"""Texts that break renderers: markup, scripts from right to left, invisible and joined characters."""

from __future__ import annotations

from hypothesis import strategies as st

FRAGMENTS = (
    "<b>",
    "</b>",
    "<script>alert(1)</script>",
    "&",
    "&amp;lt;",
    "p<0.05 & a_b*c [x](y",
    "_*[]()~`>#+-=|{}.!",
    "**bold** __x__ `code",
    "```\nfence",
    "| a | b |\n|---|---|\n| **x** | 2 |",
    "$\\frac{a}{b}$",
    "costs $5 to $10",
    "\\textsc{Foo} 3\\% of \\%",
    "مرحبا بالعالم",
    "שלום 12 (x)",
    "\u202eevil\u202c",
    "👩‍👩‍👧‍👦",
    "👍🏽",
    "🇩🇪🇫🇷",
    "e\u0301\u0302\u0303",
    "क्षि",
    "각",
    "\u200b",
    "\u00ad",
    "\u2800",
    "\x00\x1f",
    "\ud800",
    "@mention #tag /find cs.CL a@b.cd https://x.org/?a=1&b=<2>",
    "“quoted” [1] [foo:2]",
    "- item\n- item",
    "# Heading",
    "<|endoftext|>",
    "深度学习。",
    "\n\n",
    "",
)

texts = st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=20)), max_size=8).map(
    " ".join
)

long_texts = st.builds(
    lambda text, times, joint: joint.join([text] * times),
    texts,
    st.sampled_from([1, 30, 120]),
    st.sampled_from(["", " ", ". ", "\n", "\n\n"]),
)
