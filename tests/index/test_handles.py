"""A handle is short, unique and says which paper it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.handles import make_handle
from index.paper import Paper
from index.sources.files import read_file


def paper(**fields: Any) -> Paper:
    return Paper(**{"id": "text:0123456789ab", "title": "", "abstract": "", **fields})


def free(_: str) -> bool:
    return False


@pytest.mark.parametrize(
    ("fields", "handle"),
    [
        ({"title": "ActiveDPO: Active Preference Optimization", "authors": ("Xiaoqiang Lin",)}, "activedpo"),
        ({"title": "An Untold Tale", "abstract": "We propose PebbleBench, a benchmark."}, "pebblebench"),
        ({"title": "x", "abstract": "We call the resulting method the Robust Tide Solver and test it."}, "rts"),
        (
            {"title": "Active Learning of Tides", "authors": ("Xiaoqiang Lin", "B"), "published": "2025-05-01"},
            "lin2025active",
        ),
        ({"title": "On Lévy Flights", "authors": ("Søren Łukasz-Ørsted",)}, "lukaszorstedlevy"),
        ({"title": "The Law of Tidal Memory"}, "lawtidal"),
        ({"title": "", "abstract": ""}, "0123456789ab"),
        ({"title": "愛", "id": "arxiv:2106.01345"}, "210601345"),
    ],
)  # fmt: skip
def test_a_handle_names_the_method_else_author_year_and_word(
    fields: dict[str, Any], handle: str
) -> None:
    assert make_handle(paper(**fields), free) == handle


def test_a_taken_handle_gets_a_number() -> None:
    taken = {"activedpo", "activedpo2"}
    assert make_handle(paper(title="ActiveDPO: Again"), taken.__contains__) == "activedpo3"


def test_the_number_fits_into_a_long_handle() -> None:
    long = paper(title="Counterfactualizationalism reconsidered", authors=("A Name",))
    first = make_handle(long, free)
    second = make_handle(long, {first}.__contains__)
    assert len(first) == len(second) == 24
    assert second.endswith("2")


@given(st.text(max_size=60), st.text(max_size=120), st.lists(st.text(max_size=20), max_size=2))
def test_every_paper_gets_a_handle_one_can_type(
    title: str, abstract: str, authors: list[str]
) -> None:
    subject = paper(title=title, abstract=abstract, authors=tuple(authors))
    handle = make_handle(subject, free)
    assert re.fullmatch(r"[a-z0-9]{1,24}", handle)
    assert handle == make_handle(subject, free)


def test_the_first_papers_are_called_by_their_methods(shared: Path) -> None:
    taken: set[str] = set()
    for item in read_file(shared / "data/seeds/iclr2026-abstracts.txt"):
        assert isinstance(item, Paper)
        taken.add(make_handle(item, taken.__contains__))
    assert len(taken) == 19
    assert {
        "activedpo",
        "zerogr",
        "dipole",
        "navigation",
        "sse",
        "iscs",
        "cgpo",
        "gas",
        "muse",
    } <= taken
