"""CSL JSON: items as reference managers export them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index.paper import Paper
from index.sources.csljson import read_csl
from index.sources.files import read_file
from index.sources.records import Skipped

ITEM: dict[str, Any] = {
    "id": "lund2024", "type": "article-journal", "title": "Eels <i>at</i> sea",
    "author": [{"family": "Berg", "given": "Ada", "non-dropping-particle": "van den"},
               {"literal": "The Eel Group"}],
    "issued": {"date-parts": [["2024", 3, 4]]}, "container-title": "Eels", "DOI": "10.1234/eel",
    "abstract": "We follow eels.", "keyword": "eels; rivers",
}  # fmt: skip


def test_a_file_of_items_is_read(tmp_path: Path) -> None:
    path = tmp_path / "refs.json"
    path.write_text(json.dumps([ITEM, {"id": "none", "type": "book"}, 3]), "utf-8")
    paper, empty, odd = read_file(path)
    assert isinstance(paper, Paper)
    assert (paper.id, paper.published, paper.venue) == ("doi:10.1234/eel", "2024-03-04", "Eels")
    assert paper.authors == ("Ada van den Berg", "The Eel Group")
    assert paper.categories == ("eels", "rivers")
    assert empty == Skipped("refs.json: record 2 (none)", "it has neither a title nor an abstract")
    assert isinstance(odd, Skipped)


def test_a_file_that_is_cut_short_says_where() -> None:
    (skipped,) = read_csl(json.dumps([ITEM])[:-9], "refs.json")
    assert isinstance(skipped, Skipped)
    assert skipped.reason.startswith("not valid JSON")


@pytest.mark.parametrize(
    ("issued", "published"),
    [({"date-parts": [[2024]]}, "2024"), ({"raw": "March 2024"}, "2024-03"), ({}, ""), (None, "")],
)
def test_dates_are_as_precise_as_written(issued: object, published: str) -> None:
    (paper,) = read_csl(json.dumps([{**ITEM, "issued": issued}]), "refs.json")
    assert getattr(paper, "published", None) == published


_odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(ITEM)), _odd)
def test_a_mutated_item_is_a_paper_or_skipped(name: str, odd: Any) -> None:
    (one,) = read_csl(json.dumps([{**ITEM, name: odd}]), "refs.json")
    assert isinstance(one, Paper | Skipped)
