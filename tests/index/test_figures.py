"""Figures, data sets and methods that a card reads from a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.text.figures import figures
from index.text.mentions import datasets, methods


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("It reaches an accuracy of 91.5% on held-out tides.", ("91.5", "%", "accuracy")),
        ("HarbourCast improves F1 by 3.2 points.", ("3.2", "points", "F1")),
        ("This halves memory and gives a 2.5$\\times$ speedup.", ("2.5", "×", "speedup")),
        ("It lowers the mean error to 6.2 cm at low water.", ("6.2", "cm", "mean error")),
        ("We collect 12,400 labelled gauges by hand.", ("12,400", "gauges", "labelled gauges")),
        ("Errors fall by 12.5\\% at half the labels.", ("12.5", "%", "Errors")),
        ("The model runs in 34 ms.", ("34", "ms", "model runs")),
    ],
)
def test_a_figure_comes_with_its_unit_and_what_it_measures(
    sentence: str, told: tuple[str, str, str]
) -> None:
    (figure,) = figures(sentence, 3, 100)
    assert (figure.value, figure.unit, figure.quantity) == told
    assert figure.sentence == 3
    assert sentence[figure.start - 100 :].startswith(figure.value)


@pytest.mark.parametrize(
    "sentence",
    [
        "We fine-tune GPT-4 and compare with Llama 3 on CIFAR-10.",
        "Since 2019 this has been open; see Section 3.",
        "Our contributions are (1) a scorer and (2) a sampler.",
        "No number stands here.",
    ],
)
def test_numbers_in_names_years_and_lists_are_no_figures(sentence: str) -> None:
    assert figures(sentence, 1, 0) == []


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        (
            "We test on three benchmarks (TideBench, CIFAR-10 and WaveQA).",
            "TideBench CIFAR-10 WaveQA",
        ),
        ("Experiments on TideNet-1k and BAYS show gains.", "TideNet-1k BAYS"),
        ("It is trained on the HarbourQA dataset.", "HarbourQA"),
        ("We use data sets such as TideBench and WaveQA.", "TideBench WaveQA"),
        ("Results on Llama-3-8B and Qwen2.5 agree.", ""),
        ("Large LLMs are trained on GPUs.", ""),
    ],
)
def test_data_sets_are_told_by_how_they_are_spoken_of(sentence: str, told: str) -> None:
    assert datasets([sentence]) == tuple(told.split())


def test_methods_begin_with_the_papers_own_and_hold_no_data_set() -> None:
    sentences = ["PickDPO outperforms SimPO and DPO-Max on TideBench.", "It beats TideBench."]
    assert methods(sentences, "PickDPO", ["TideBench"]) == ("PickDPO", "SimPO", "DPO-Max")
    assert methods(["Nothing has a name here."], "", []) == ()


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error_and_every_figure_stands_in_it(text: str) -> None:
    for figure in figures(text, 1, 0):
        assert text[figure.start :].startswith(figure.value)
    datasets([text])
