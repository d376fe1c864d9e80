"""One paper has one id, however people write it."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.identity import arxiv_version, canonical_id, file_name, normalised_title, text_id


@pytest.mark.parametrize(
    "written",
    [
        "2106.01345",
        "arXiv:2106.01345v2",
        "ARXIV: 2106.01345",
        "arXiv:2106.01345v2 [cs.LG]",
        "arXiv preprint arXiv:2106.01345",
        "https://arxiv.org/abs/2106.01345v12",
        "https://arxiv.org/pdf/2106.01345v1.pdf",
        "https://arxiv.org/pdf/2106.01345",
        "https://arxiv.org/html/2106.01345v2#S3",
        "http://arxiv.org/abs/2106.01345?context=cs",
        "http://export.arxiv.org/abs/2106.01345",
        "arxiv.org/abs/2106.01345",
        "https://www.alphaxiv.org/abs/2106.01345v1",
        "https://huggingface.co/papers/2106.01345",
        "10.48550/arXiv.2106.01345",
        "https://doi.org/10.48550/arXiv.2106.01345",
        "doi:10.48550/arxiv.2106.01345v2",
        " <https://arxiv.org/abs/2106.01345>. ",
        "(arXiv:2106.01345)",
    ],
)
def test_every_way_to_write_an_arxiv_paper_is_one_id(written: str) -> None:
    assert canonical_id(written) == "arxiv:2106.01345"


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("hep-th/9901001", "arxiv:hep-th/9901001"),
        ("cond-mat/0211034v3", "arxiv:cond-mat/0211034"),
        ("math.CA/0611800v2", "arxiv:math.CA/0611800"),
        ("atom-ph/9601001", "arxiv:atom-ph/9601001"),
        ("physics.flu-dyn/0611800", "arxiv:physics.flu-dyn/0611800"),
        ("https://arxiv.org/abs/hep-th/9901001v1", "arxiv:hep-th/9901001"),
        ("https://arxiv.org/pdf/quant-ph/0201082v1.pdf?download=1", "arxiv:quant-ph/0201082"),
        ("https://doi.org/10.48550/arXiv.hep-th/9901001", "arxiv:hep-th/9901001"),
        ("arXiv:astro-ph/0601001", "arxiv:astro-ph/0601001"),
    ],
)
def test_old_ids_keep_their_archive_and_lose_only_the_version(written: str, key: str) -> None:
    assert canonical_id(written) == key


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("https://openreview.net/forum?id=RD4XgyVyGh", "openreview:RD4XgyVyGh"),
        ("https://openreview.net/forum?id=RD4XgyVyGh&noteId=abc", "openreview:RD4XgyVyGh"),
        ("https://openreview.net/pdf?id=RD4XgyVyGh", "openreview:RD4XgyVyGh"),
        ("openreview.net/forum?id=RD4XgyVyGh#discussion", "openreview:RD4XgyVyGh"),
        ("openreview:RD4XgyVyGh", "openreview:RD4XgyVyGh"),
        ("https://doi.org/10.1145/3292500.3330701", "doi:10.1145/3292500.3330701"),
        ("http://dx.doi.org/10.1007/S11307-012-0572-0", "doi:10.1007/s11307-012-0572-0"),
        ("DOI: 10.1038/NATURE14539", "doi:10.1038/nature14539"),
        ("10.18653/v1/P19-1001", "doi:10.18653/v1/p19-1001"),
        ("10.1016/0370-2693(91)90001-v2", "doi:10.1016/0370-2693(91)90001-v2"),
        ("https://dl.acm.org/doi/abs/10.1145/3292500.3330701", "doi:10.1145/3292500.3330701"),
        ("text:0123456789ab", "text:0123456789ab"),
        ("https://openalex.org/W4387881419", "openalex:W4387881419"),
    ],
)
def test_openreview_and_doi_links_become_their_ids(written: str, key: str) -> None:
    assert canonical_id(written) == key


@pytest.mark.parametrize(
    "words",
    [
        "", " ", "Navigation", "ZeroGR", "9901001", "https://arxiv.org/list/cs.CL/recent",
        "https://example.org/2106.01345", "papers from 2106.01345 on", "2613.01345", "foo/9901001",
        "10.5", "10.5/3", "https://[::1", "openreview:", "doi:", "arXiv", "v2", "1234.5678910",
        "https://openreview.net/group?id=ICLR.cc/2026/Conference",
    ],
)  # fmt: skip
def test_what_is_no_id_is_none(words: str) -> None:
    assert canonical_id(words) is None


def test_the_version_is_read_beside_the_id() -> None:
    assert arxiv_version("arXiv:2106.01345v3") == 3
    assert arxiv_version("https://arxiv.org/pdf/cond-mat/0211034v12.pdf") == 12
    assert arxiv_version("2106.01345") == 0
    assert arxiv_version("10.18653/v1/P19-1001v2") == 0


@given(st.text(max_size=60))
def test_a_canonical_id_is_its_own_canonical_id(text: str) -> None:
    key = canonical_id(text)
    assert key is None or canonical_id(key) == key


@given(st.integers(7, 99), st.integers(1, 12), st.integers(0, 99999), st.integers(1, 99))
def test_every_new_id_survives_any_dress(year: int, month: int, number: int, version: int) -> None:
    bare = f"{year:02d}{month:02d}.{number:05d}"
    for dress in ("{}", "arXiv:{}", "https://arxiv.org/abs/{}", "https://arxiv.org/pdf/{}.pdf"):
        assert canonical_id(dress.format(f"{bare}v{version}")) == f"arxiv:{bare}"


def test_a_text_is_known_again_in_another_layout_and_by_nothing_else() -> None:
    first = text_id("We propose ZeroGR, a framework.\nIt works.")
    assert re.fullmatch(r"text:[0-9a-f]{12}", first)
    assert first == text_id("  we propose  ZeroGR, a framework. It works. ")
    assert first != text_id("We propose ZeroGR, a framework. It fails.")
    assert text_id("") != text_id("?!")


def test_titles_are_compared_without_case_accents_or_markup() -> None:
    assert normalised_title("On **Lévy** Flights: a $k$-NN View") == normalised_title(
        "on levy flights a k nn view"
    )
    assert normalised_title(r"\textsc{ZeroGR}!") == "zerogr"


@pytest.mark.parametrize("key", ["arxiv:hep-th/9901001", "doi:10.1000/a/b?c", "text:0123456789ab"])
def test_a_file_name_has_no_slash_and_gives_the_id_back(key: str) -> None:
    assert "/" not in file_name(key)
    assert unquote(file_name(key)) == key
