"""What the bundled notes cannot answer is refused; what they answer in other words is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.assistant.evaluate import read_questions
from index.library import Library
from tests.bench.abstention import QUESTIONS, ask_all, half, open_bundled


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder: Path = tmp_path_factory.mktemp("notes")
    with open_bundled(folder) as library:
        yield library


async def test_a_dataset_that_the_named_paper_never_mentions_is_refused(notes: Library) -> None:
    (row,) = await ask_all(
        notes, [{"kind": "none", "q": "How does ZeroGR do on Natural Questions?"}]
    )
    assert row.answer.abstained


async def test_a_noun_that_looks_like_an_auxiliary_is_asked_about(notes: Library) -> None:
    (row,) = await ask_all(notes, [{"kind": "none", "q": "How do I write a valid will?"}])
    assert row.answer.abstained


@pytest.mark.parametrize(
    ("question", "handle", "words"),
    [
        ("On which benchmarks was ZeroGR evaluated?", "zerogr", "On BEIR and MAIR"),
        ("On which dataset was latent diffusion trained?", "rombach2021highresolutio", "LAION"),
        (
            "How many image and caption pairs was CLIP trained on?",
            "radford2021transferable",
            "400 million",
        ),
        (
            "What happens to accuracy when chains of thought are trained to be shorter?",
            "ayoub2025reason",
            "preserved accuracy",
        ),
    ],
)
async def test_an_answer_in_other_words_is_found(
    notes: Library, question: str, handle: str, words: str
) -> None:
    (row,) = await ask_all(
        notes, [{"kind": "fact", "q": question, "seed": [handle], "must": [words]}]
    )
    assert row.right, row.answer


def test_the_set_is_large_enough_and_both_halves_hold_every_kind() -> None:
    questions = read_questions(QUESTIONS)
    none = [q for q in questions if q["kind"] == "none"]
    near = [q for q in none if q.get("near")]
    assert len(none) >= 60
    assert len(questions) - len(none) >= 60
    assert 0.4 <= len(near) / len(none) <= 0.6
    assert {half(q["q"]) for q in near} == {"first", "second"}
