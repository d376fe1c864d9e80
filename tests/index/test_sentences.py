"""An abstract falls into the sentences its readers see."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.text.sentences import split


def texts(abstract: str) -> list[str]:
    return [span.text for span in split(abstract)]


@pytest.mark.parametrize(
    "one",
    [
        "We use text, e.g. tables, i.e. rows, and others.",
        "As Smith et al. 2020 showed in Fig. 3 and Sec. 4, it holds.",
        "Generalisation w.r.t. Prompt complexity (cf. Eq. 2) vs. Length is hard.",
        "The U.S. Army runs v1.2 of Qwen2.5-3B at 64.5 on AIME24.",
        "See https://example.org/a.B/c?d=E.F for more.",
        "Three parts: (i) a generator (e.g., text. Tables too); (ii) a decoder; and (iii) a judge.",
        "Advantages include (1) Model-agnostic: any model; (2) Flexible: any trade-off.",
        "It calls torch.Tensor objects of numpy.Array kind.",
        "J. Smith and K. M. Jones agree.",
        "Is it really -thinking?",
        "A score of approx. 5.3 was reached!",
    ],
)
def test_abbreviations_numbers_and_addresses_part_nothing(one: str) -> None:
    assert texts(one) == [one]


@pytest.mark.parametrize(
    ("abstract", "sentences"),
    [
        ("It works. We show why.", ["It works.", "We show why."]),
        (
            "the pumps run on a fixed schedule.Trials in closed tanks agree.",
            ["the pumps run on a fixed schedule.", "Trials in closed tanks agree."],
        ),
        ("It uses RL (PPO).We test it.", ["It uses RL (PPO).", "We test it."]),
        ("Does it scale? Yes! It does.", ["Does it scale?", "Yes!", "It does."]),
        ("vLLM is fast. vLLM wins.", ["vLLM is fast.", "vLLM wins."]),
        ("We sum over $k$. $k$ is small.", ["We sum over $k$.", "$k$ is small."]),
        ('They said "it works." We agree.', ['They said "it works."', "We agree."]),
        ("Many of them, etc. However, few work.", ["Many of them, etc.", "However, few work."]),
        ("We gain 3.5%. 3D data helps.", ["We gain 3.5%.", "3D data helps."]),
        (r"It wins. \textsc{X} leads.", ["It wins.", r"\textsc{X} leads."]),
        ("The target is Y. Our model fits.", ["The target is Y.", "Our model fits."]),
        ("no stop at the end", ["no stop at the end"]),
        ("", []),
    ],
)
def test_sentences_end_where_they_end(abstract: str, sentences: list[str]) -> None:
    assert texts(abstract) == sentences


@given(st.text(alphabet=st.sampled_from("ab A.B?!() \"'$\\[]1。…\n"), max_size=200))
def test_spans_are_in_order_apart_and_hold_every_word(abstract: str) -> None:
    end = 0
    for span in split(abstract):
        assert span.start >= end
        assert not abstract[end : span.start].strip()
        assert span.text == abstract[span.start : span.end]
        assert span.text == span.text.strip() != ""
        end = span.end
    assert not abstract[end:].strip()
