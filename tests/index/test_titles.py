"""A paper's own name, and a title for an abstract that came without one."""

from __future__ import annotations

import gzip
import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.text.names import full_name
from index.text.readable import readable
from index.text.tex import clean
from index.text.titles import derive_title, method_name


@pytest.mark.parametrize(
    ("abstract", "name"),
    [
        ("Labels are costly. We propose FooBar, a sampler that picks them. FooBar beats GPT-4.", "FooBar"),
        ("Labels are costly. We introduce Hubble: a suite of models.", "Hubble"),
        ("To this end, we propose an algorithm, PickDPO, that picks pairs.", "PickDPO"),
        ("We present Sparse Kernel Routing (SKR), which routes tokens. SKR is fast.", "SKR"),
        ("We propose TRACE (Truncated Reasoning AUC Evaluation).", "TRACE"),
        ("We call the resulting method the Robust Tide Solver and show that it works.", "Robust Tide Solver"),
        ("This paper presents a new steering method called AlphaGuide. It steers.", "AlphaGuide"),
        ("In this work, we propose **C**lever **G**raph **S**earch (**CGS**), a framework.", "CGS"),
        (r"We introduce \textsc{ZeroIndex}, a zero-shot index.", "ZeroIndex"),
        ("Our method, VidSieve, adapts a model through training.", "VidSieve"),
        ("We propose PebbleBench—a benchmark for pebbles.", "PebbleBench"),
        ("We introduce Sail, a novel training-free framework that steers models.", "Sail"),
    ],
)  # fmt: skip
def test_the_name_is_found_where_papers_give_it(abstract: str, name: str) -> None:
    assert method_name("", abstract) == name


@pytest.mark.parametrize(
    "abstract",
    [
        "Large language models (LLMs) are costly. We study how they forget on ImageNet and GLUE.",
        "We compare BERT, RoBERTa and T5 on SQuAD. BERT wins.",
        "Reinforcement learning (RL) is hard. We prove a bound for Q-learning.",
        "Recent work proposes FooNet. However, FooNet fails. We analyse why it fails.",
        "We propose a new procedure that listens to the checker.",
        "",
    ],
)
def test_other_peoples_names_and_words_of_the_field_are_not_the_papers_own(abstract: str) -> None:
    assert method_name("", abstract) is None


def test_a_title_with_a_name_before_its_colon_decides() -> None:
    abstract = "We propose a sampler. It uses SVD and is fast."
    assert method_name("QuickPick: Sampling Made Fast", abstract) == "QuickPick"
    assert method_name("Lost in the Woods: Sampling Made Slow", abstract) is None
    assert method_name("LLMs: A Survey", abstract) is None


def test_an_abbreviation_is_spelled_out_by_its_abstract() -> None:
    assert full_name("SKR", "We present Sparse Kernel Routing (SKR).") == "Sparse Kernel Routing"
    assert full_name("TRACE", "TRACE (Truncated Reasoning AUC Evaluation) works.").startswith(
        "Trunc"
    )
    assert full_name("SKR", "SKR is fast.") == ""


@pytest.mark.parametrize(
    ("abstract", "title"),
    [
        (
            "Labels are costly. We propose PickDPO, a novel sampler that picks preference pairs.",
            "PickDPO: a sampler that picks preference pairs",
        ),
        (
            "This paper studies the problem of sparse neural representations, aiming for speed.",
            "Sparse neural representations",
        ),
        (
            "We present a comprehensive analysis of how prompt length influences the cost of decoding.",
            "How prompt length influences the cost of decoding",
        ),
        (
            "Caches are slow. We propose a novel method that uses access logs to evict entries early.",
            "Using access logs to evict entries early",
        ),
    ],
)
def test_an_untitled_abstract_gets_a_title_of_its_own_words(abstract: str, title: str) -> None:
    assert derive_title(abstract) == title


@given(st.text(max_size=400))
def test_a_derived_title_is_one_short_line(abstract: str) -> None:
    stored = clean(abstract)
    title = derive_title(stored)
    assert 1 <= len(title) <= 90
    assert "\n" not in title
    assert title == derive_title(stored)


def seeds(shared: Path) -> list[str]:
    text = (shared / "data/seeds/iclr2026-abstracts.txt").read_text(encoding="utf-8")
    return [clean(block) for block in text.split("\n\n")[1:]]


def test_the_named_methods_of_the_first_papers_are_found(shared: Path) -> None:
    names = [method_name("", abstract) for abstract in seeds(shared)]
    assert names[1] == "ActiveDPO"
    assert names[4] == "ZeroGR"
    assert [names[n] for n in (7, 8, 10, 12, 16, 18)] == [
        "DIPOLE", "Navigation", "SSE", "ISCS", "CGPO", "MUSE",
    ]  # fmt: skip
    assert names[17] in {"GAS", "Generalized Adversarial Solver"}
    assert [names[n] for n in (0, 2, 3, 5, 6, 9, 11, 13, 14, 15)] == [None] * 10


def test_titles_of_the_first_papers_are_short_and_differ(shared: Path) -> None:
    titles = [derive_title(abstract) for abstract in seeds(shared)]
    assert len(set(titles)) == 19
    for title, abstract in zip(titles, seeds(shared), strict=True):
        assert 20 <= len(title) <= 90
        assert not readable(abstract).startswith(title)


def test_names_found_in_abstracts_agree_with_those_in_titles(shared: Path) -> None:
    """Measured at 0.89 of the papers whose abstract says the name of the title."""
    rows = []
    with gzip.open(shared / "data/corpora/iclr2026.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            title, abstract = readable(clean(record["title"])), clean(record["abstract"])
            if (named := re.match(r"([^\s:]*[A-Z][^\s:]*): ", title)) and named[1] in abstract:
                rows.append((named[1], abstract))
    sample = random.Random(7).sample(rows, 300)
    right = sum(
        (method_name("", abstract) or "").casefold() == name.casefold() for name, abstract in sample
    )
    assert right / len(sample) >= 0.85
