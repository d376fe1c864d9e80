"""Answers to render: plain ones, and hostile ones by the hundred."""

from __future__ import annotations

from hypothesis import strategies as st

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
from tests.bot.telegram.hostile import long_texts, texts

GAIN = Citation("arxiv:2510.1", "activedpo", "ActiveDPO", "ActiveDPO gains 4 points.", 120)
COST = Citation("text:0123456789ab", "gas", "Guided Sampling", "It costs <2 GPU hours.", 0)

LORA = PaperItem(
    id="arxiv:2106.09685",
    handle="lora",
    title="LoRA: Low-Rank Adaptation of Large Language Models",
    authors=("Edward Hu", "Yelong Shen", "Phillip Wallis", "Zeyuan Allen-Zhu", "Yuanzhi Li"),
    published="2021-06-17",
    venue="ICLR 2022",
    link="https://arxiv.org/abs/2106.09685",
    reason="mentions low-rank adaptation",
)
ADAM = PaperItem(id="arxiv:1412.6980", handle="adam", title="Adam <b>& friends</b>")

citations = st.builds(
    Citation,
    st.sampled_from(["arxiv:1", "text:0123456789ab", "doi:10.1/x<y>&z", "openreview:a_b"]),
    st.sampled_from(["activedpo", "gas", ""]),
    texts,
    texts,
    st.integers(-1, 900),
)
sentences = st.builds(
    Sentence,
    st.one_of(texts, texts, texts, long_texts),
    st.lists(citations, max_size=3, unique=True).map(tuple),
    quoted=st.booleans(),
)
items = st.builds(
    PaperItem,
    id=st.sampled_from(["arxiv:1", "arxiv:2", "text:0123456789ab"]),
    handle=st.sampled_from(["activedpo", "gas", "lin2025active", ""]),
    title=texts,
    title_derived=st.booleans(),
    authors=st.lists(texts, max_size=6).map(tuple),
    authors_truncated=st.booleans(),
    published=st.sampled_from(["", "2026", "2026-03-04"]),
    venue=texts,
    link=st.sampled_from(
        ["", "https://x.org/?a=1&b=<2>", "javascript:alert(1)", "https://x.org/a b"]
    ),
    status=st.sampled_from(["active", "withdrawn", "retracted"]),
    reason=texts,
)
papers = st.lists(items, max_size=12).map(tuple)
rows = st.lists(
    st.builds(
        ComparisonRow, texts, st.lists(st.one_of(st.none(), sentences), max_size=4).map(tuple)
    ),
    max_size=5,
).map(tuple)
actions = st.builds(
    Action, texts, st.sampled_from(["summary", "similar", "compare", "show"]), st.just("gas")
)
blocks = st.one_of(
    st.builds(Prose, st.lists(sentences, max_size=6).map(tuple), texts),
    st.builds(PaperList, papers, texts),
    st.builds(PaperCard, items, st.lists(st.tuples(texts, sentences), max_size=5).map(tuple)),
    st.builds(Comparison, papers, rows),
    st.builds(Notice, texts),
    st.builds(Actions, st.lists(actions, max_size=4).map(tuple)),
)
answers = st.builds(Answer, st.lists(blocks, max_size=5).map(tuple))
