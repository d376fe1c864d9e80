"""How many false sentences the guard catches, and how few true ones it drops."""

from __future__ import annotations

from bot.assistant.grounding import ground
from tests.bot.assistant.grounding_papers import SOURCES, Case, cases


def _flagged(case: Case) -> bool:
    return any(sentence.problem for sentence in ground(case.text, SOURCES).sentences)


def _of(*edits: str) -> list[Case]:
    return [case for case in cases() if case.edit in edits]


def _missed(*edits: str) -> tuple[list[str], float]:
    """What was not caught, and its share."""
    chosen = _of(*edits)
    missed = [case.text for case in chosen if not _flagged(case)]
    return missed, len(missed) / len(chosen)


def test_the_set_is_large_enough_to_mean_something() -> None:
    assert len(cases()) >= 100
    assert len(_of("true")) >= 40


def test_swapped_figures_and_swapped_papers_are_caught() -> None:
    missed, share = _missed("number", "paper")
    assert share <= 0.05, missed


def test_negations_and_swapped_names_are_caught() -> None:
    missed, share = _missed("negated")
    assert share <= 0.2, missed
    missed, share = _missed("entity")
    assert share <= 0.2, missed


def test_false_quotations_and_made_up_references_are_caught() -> None:
    missed, share = _missed("quotation", "reference", "attribution")
    assert share <= 0, missed


def test_true_sentences_stand() -> None:
    dropped = [case.text for case in _of("true") if _flagged(case)]
    assert len(dropped) < 0.05 * len(_of("true")), dropped
