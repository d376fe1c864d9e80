"""A question brings its guide along: where in an abstract its answer stands."""

from __future__ import annotations

import pytest

from bot.assistant.navigation import Navigation, read, templates
from index.embed import load_embeddings


@pytest.fixture(scope="module")
def navigation() -> Navigation:
    return Navigation(load_embeddings())


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many milliseconds does one forecast take?", "figure"),
        ("Which corpora were used for evaluation?", "data"),
        ("How is the network put together?", "method"),
        ("Why did anybody need this?", "problem"),
        ("In which cases does it break down?", "limits"),
        ("Is it any faster than the old one?", "difference"),
        ("What does the abbreviation mean?", "term"),
    ],
)
def test_a_question_finds_its_kind(navigation: Navigation, question: str, kind: str) -> None:
    found = navigation.kind(question)
    assert found
    assert found.kind == kind


def test_small_talk_is_given_no_guide(navigation: Navigation) -> None:
    assert navigation.guide("good morning to you") == ""


def test_every_template_is_short_and_has_examples() -> None:
    assert len(templates()) >= 7
    for template in templates():
        assert len(template.examples) >= 3
        assert len(template.guide) < 500


def test_a_template_without_a_guide_is_refused_in_a_line() -> None:
    with pytest.raises(ValueError, match="needs lines that begin with"):
        read("empty", "? what is it")
