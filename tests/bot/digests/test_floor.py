"""What is listed is about the topic; what only mentions it is not."""

from __future__ import annotations

import pytest

from bot.digests.floor import MINILM, WORDS_ALONE, Floor, is_close
from bot.digests.words import together, topic_words, without_notices
from index.library import Hit

from .conftest import paper


def _close(
    topic: str, title: str, abstract: str, cosine: float, coverage: float, floor: Floor = MINILM
) -> bool:
    hit = Hit(paper(1, title, abstract), score=0.5, cosine=cosine, coverage=coverage)
    return is_close(topic, hit, floor)


def test_a_title_that_names_the_topic_is_close_even_where_the_vectors_are_not() -> None:
    assert _close("time series", "TimeFlow: Efficient Time Series Generation", "We flow.", 0.2, 1.0)


def test_the_words_side_by_side_in_the_abstract_count_with_some_nearness() -> None:
    abstract = "A router sends each token to one of eight experts, a mixture of experts."
    assert _close("mixture of experts", "CHERRY", abstract, 0.3, 1.0)
    assert not _close("mixture of experts", "Finding People from the Air", abstract, 0.21, 1.0)


def test_words_that_only_stand_in_the_same_abstract_need_much_more() -> None:
    abstract = (
        "Medical reports are long and hard to read for anybody who is not a physician. "
        "Our model aligns every image with its report. It also helps with segmentation."
    )
    assert not _close("medical image segmentation", "Reading Reports", abstract, 0.4, 1.0)
    assert _close("medical image segmentation", "Reading Reports", abstract, 0.5, 1.0)


def test_code_is_available_makes_no_paper_about_code() -> None:
    abstract = "Agents plan experiments by generation of ideas. Our code is available on GitHub."
    assert not _close("code generation agents", "Planning Experiments", abstract, 0.46, 1.0)
    assert without_notices(abstract) == "Agents plan experiments by generation of ideas."


def test_a_single_word_must_be_in_the_title_or_the_paper_very_near() -> None:
    mentioned = "We discuss accuracy, speed and interpretability of reinsurance models."
    assert not _close("interpretability", "Models in Reinsurance", mentioned, 0.29, 1.0)
    assert _close("interpretability", "Fine-Grained Interpretability", mentioned, 0.36, 1.0)


def test_a_paper_without_the_words_is_listed_only_where_it_is_very_near() -> None:
    abstract = "Robots move by removing noise from random motions."
    assert not _close("diffusion policies", "Motion from Noise", abstract, 0.45, 0.0)
    assert _close("diffusion policies", "Motion from Noise", abstract, 0.6, 0.0)


def test_with_another_embedding_model_the_words_alone_decide() -> None:
    abstract = "Diffusion policies produce actions by denoising."
    assert _close("diffusion policies", "A Robot", abstract, 0.01, 1.0, WORDS_ALONE)
    assert not _close("soil microbes", "A Robot", abstract, 0.95, 0.0, WORDS_ALONE)


@pytest.mark.parametrize(
    ("topic", "words"),
    [
        ("recent papers about diffusion policies", ["diffusion", "policies"]),
        (
            "speech recognition for low-resource languages",
            ["speech", "recognition", "low", "resource", "languages"],
        ),
        ("Policy and policies", ["Policy"]),
        ("the of and", ["the", "of", "and"]),
        ("扩散模型", ["扩散模型"]),
    ],
)
def test_the_words_of_a_topic_are_those_that_say_something(topic: str, words: list[str]) -> None:
    assert topic_words(topic) == words


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("Segmentation of medical images", True),
        ("semi-supervised medical image segmentation", True),
        ("medical vision: image and video segmentation", True),
        ("medical reports say little, and an image may need segmentation", False),
    ],
)
def test_together_means_within_a_few_words_in_any_order(text: str, near: bool) -> None:
    assert together(["medical", "image", "segmentation"], text) is near
