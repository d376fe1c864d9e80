"""Which sources a word names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from index.settings import IndexSettings
from index.sources.catalogue import UnknownSource, Wish, category, followed, sources_of, words


def settings(**values: Any) -> IndexSettings:
    return IndexSettings(_env_file=None, **values)  # type: ignore[call-arg]


def names(word: str, **wish: Any) -> list[str]:
    return [source.name for source in sources_of(word, settings(), Wish(**wish))]


def test_each_category_is_a_source_of_its_own() -> None:
    assert names("arxiv:cs.CL,cs.LG") == ["arxiv:cs.CL", "arxiv:cs.LG"]
    assert names("arXiv: cs.cl , physics.AO-PH") == ["arxiv:cs.CL", "arxiv:physics.ao-ph"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [("cs.CL", "cs.CL"), ("CS.lg", "cs.LG"), ("hep-th", "hep-th"), ("q-bio.pe", "q-bio.PE"),
     ("cond-mat.mes-hall", "cond-mat.mes-hall"), ("transformers", None), ("cs.", None),
     ("10.1000/x", None)],
)  # fmt: skip
def test_categories_are_told_from_words(written: str, meant: str | None) -> None:
    assert category(written) == meant


def test_days_and_limits_make_a_search_of_the_categories() -> None:
    assert names("arxiv:cs.CL", since="2026-01-01") == ["arxiv:cat:cs.CL 2026-01-01.."]
    assert names("arxiv:cs.CL,cs.LG", limit=5) == ["arxiv:(cat:cs.CL OR cat:cs.LG) limit 5"]


def test_ids_and_links_are_fetched_as_such_and_anything_else_is_words() -> None:
    assert names("arxiv:2510.23127v2, https://arxiv.org/abs/hep-th/9901001") == [
        "arxiv:2510.23127,hep-th/9901001"
    ]
    assert names("arxiv:graph transformers") == ["arxiv:all:graph AND all:transformers"]
    assert names('arxiv:ti:"eel migration"') == ['arxiv:(ti:"eel migration")']
    assert names("arxiv:oai:all", since="2026-01-01") == ["arxiv:oai:all 2026-01-01.."]


def test_a_file_goes_by_its_name_with_or_without_a_scheme(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "refs.bib").touch()
    assert names("refs.bib") == names("file:refs.bib") == ["file:refs.bib"]


def test_sources_is_parted_by_blanks_that_quotation_marks_keep_together() -> None:
    assert words('arxiv:cs.CL  arxiv:"graph transformers"\tfile:C:\\refs.bib') == [
        "arxiv:cs.CL", "arxiv:graph transformers", "file:C:\\refs.bib",
    ]  # fmt: skip
    assert followed(settings()) == []


def test_what_is_named_twice_is_followed_once() -> None:
    found = followed(settings(sources="arxiv:cs.CL arxiv:cs.LG,cs.CL"))
    assert [source.name for source in found] == ["arxiv:cs.CL", "arxiv:cs.LG"]


@pytest.mark.parametrize("word", ["pubmed:eels", "arxiv", "arxiv:", "cs.CL", ""])
def test_a_word_that_names_nothing_is_refused_with_what_to_write(word: str) -> None:
    with pytest.raises(UnknownSource, match=r"write one like arxiv:cs\.CL"):
        sources_of(word, settings(), Wish())
