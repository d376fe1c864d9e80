"""Filters see what the table holds now, whoever wrote it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from index.filters import Filters
from index.library import Library
from index.paper import Status
from index.papers import Papers
from tests.papers import PAPERS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Library.open(tmp_path, create=True) as library:
        library.add(PAPERS)
    return tmp_path


ASKED = [
    Filters(years=(2024, 2025)),
    Filters(dates=("2024-01-01", None)),
    Filters(venue="NeurIPS"),
    Filters(category="CS.cl"),
    Filters(author="Yu Chen"),
    Filters(source="arxiv"),
    Filters(statuses=frozenset({Status.ACTIVE})),
    Filters(without=("labels",)),
]


@pytest.mark.parametrize("asked", ASKED, ids=repr)
def test_papers_that_came_changed_and_went_pass_as_they_are_now(
    folder: Path, asked: Filters
) -> None:
    papers = Papers(folder / "papers.sqlite")
    before = asked.rows(papers)
    assert before is not None
    like = next(p for r, p in papers.many("1") if r in before.tolist())
    other = next((p for r, p in papers.many("1") if r not in before.tolist()), None)
    with Library.open(folder) as writer:
        fresh = replace(like, id="arxiv:2402.00001", handle="", title="Harpsichord tuning")
        writer.add([replace(fresh, abstract="Strings of brass are set by ear, or by a fork.")])
        if other:
            changed = replace(like, id=other.id, version=like.version + 1, handle=other.handle)
            writer.add([changed])
    came = papers.rows("id = 'arxiv:2402.00001'").tolist()
    assert len(came) == 1
    now = asked.rows(papers)
    assert now is not None
    assert set(before.tolist()) | set(came) <= set(now.tolist())
    with papers.transaction() as connection:
        connection.execute("DELETE FROM papers WHERE id = 'arxiv:2402.00001'")
        connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
    left = asked.rows(papers)
    assert left is not None
    assert not set(came) & set(left.tolist())
    papers.close()


def test_what_is_asked_together_must_all_pass(folder: Path) -> None:
    papers = Papers(folder / "papers.sqlite")
    together = Filters(venue="NeurIPS", years=(2022, None), author="Chen").rows(papers)
    assert together is not None
    apart = [
        Filters(venue="NeurIPS").rows(papers),
        Filters(years=(2022, None)).rows(papers),
        Filters(author="Chen").rows(papers),
    ]
    common = set.intersection(*(set(rows.tolist()) for rows in apart if rows is not None))
    assert set(together.tolist()) == common
    assert Filters().rows(papers) is None
    papers.close()


def test_signs_that_mean_something_to_sql_stand_for_themselves(folder: Path) -> None:
    papers = Papers(folder / "papers.sqlite")
    for sign in ("%", "_", "'", "\\"):
        rows = Filters(source=sign).rows(papers)
        assert rows is not None
        assert rows.tolist() == []
    papers.close()
