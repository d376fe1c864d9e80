"""What a person's words find in a library: narrowed exactly, and never fewer than there are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from index.__main__ import app
from index.commandline import run
from index.errors import LibraryError
from index.library import Library
from index.paper import Paper
from index.sources.records import SourceError
from tests.index.asked import (
    ATTENTION,
    CONVOLUTION,
    EXPERTS,
    GALAXY,
    LABELS,
    LINEAR,
    MIXED,
    MOE,
    PAPERS,
    RETRACTED,
    SURVEY,
    TRANSFORMER,
    ask,
    found,
    ids,
    paper,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("asked")
    with Library.open(made, create=True) as library:
        library.add(PAPERS)
    return made


@pytest.fixture
def asked(folder: Path) -> Iterator[Library]:
    with Library.open(folder) as library:
        yield library


EVERY = ids(*PAPERS)


def test_words_in_which_nothing_is_special_find_what_they_found(asked: Library) -> None:
    for words in ("forecasting time series", "dust", "QLoRA-8", "speech with a mixture"):
        plain = asked.search(words, 5)
        assert [hit.paper.id for hit in ask(asked, words, 5).hits] == [h.paper.id for h in plain]
        assert [hit.score for hit in ask(asked, "dust", 5).hits] == [
            hit.score for hit in asked.search("dust", 5)
        ]
    assert ask(asked, "forecasting time series").echo == ()


@pytest.mark.parametrize(
    ("words", "there"),
    [
        ("forecasts since March", (LINEAR, MIXED, SURVEY, GALAXY)),
        ("forecasts in March 2025", (MIXED, SURVEY)),
        ("forecasts last month", (LINEAR, SURVEY)),
        ("forecasts before 2024", (CONVOLUTION, EXPERTS, MOE, LABELS, ATTENTION)),
        ("forecasts on 2025-07-02", (GALAXY, SURVEY)),
        ("forecasts yesterday", (GALAXY, SURVEY)),
        ("forecasts in 2025", (LINEAR, MIXED, SURVEY, GALAXY)),
        ("forecasts between 2023 and 2024", (TRANSFORMER, CONVOLUTION, RETRACTED)),
        ("forecasts in Q2 2024", (TRANSFORMER,)),
    ],
)
def test_a_range_is_kept_to_and_a_vague_date_passes_where_it_may_lie_in_it(
    asked: Library, words: str, there: tuple[Paper, ...]
) -> None:
    assert found(asked, words) == ids(*there)


def test_the_date_of_a_revision_is_not_the_date_of_a_paper(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add(
            [
                paper(
                    "2305.00001",
                    "Old Tides",
                    "Tides are old.",
                    published="2023-05-02",
                    updated="2025-06-11",
                    version=4,
                )
            ]
        )
        assert ask(library, "tides since 2025-06-01").hits == ()
        assert len(ask(library, "tides in May 2023").hits) == 1


@pytest.mark.parametrize(
    ("words", "there"),
    [
        ("papers by Yu Chen", (TRANSFORMER, CONVOLUTION, SURVEY)),
        ("papers by yu chen", (TRANSFORMER, CONVOLUTION, SURVEY)),
        ("papers by Chen, Yu", (TRANSFORMER, CONVOLUTION, SURVEY)),
        ("forecasts by Ana Perez", (CONVOLUTION,)),
        ("papers by Ana Pérez", (CONVOLUTION,)),
        ("PAPERS BY ANA PÉREZ", (CONVOLUTION,)),
        ("papers by Y. Chen", (TRANSFORMER, CONVOLUTION, SURVEY)),
        ("papers by Yann Celik", (MIXED,)),
        ("Yu Chen's papers on forecasts before 2024", (CONVOLUTION,)),
        ("papers by Ana Pérez and Yu Chen", (CONVOLUTION,)),
        ("papers by Nobody Known", ()),
    ],
)
def test_an_author_is_one_person_however_the_name_is_written(
    asked: Library, words: str, there: tuple[Paper, ...]
) -> None:
    assert found(asked, words) == ids(*there)


def test_papers_of_an_author_without_a_topic_come_newest_first(asked: Library) -> None:
    dates = [hit.paper.published for hit in ask(asked, "papers by Yu Chen").hits]
    assert dates == sorted(dates, reverse=True)


def test_what_names_no_author_of_the_library_is_a_topic(asked: Library) -> None:
    hits = ask(asked, "speech recognition by Mixed Experts").hits
    assert hits[0].paper.id == EXPERTS.id


@pytest.mark.parametrize(
    ("words", "there"),
    [
        ("forecasts at ICML", (LINEAR,)),
        ("ICLR 2024 papers on forecasts", (TRANSFORMER,)),
        ("NeurIPS papers on forecasts", (CONVOLUTION,)),
        ("forecasts at CVPR", ()),
        ("stat.ML papers on forecasts", (LINEAR,)),
        ("retracted papers on forecasts", (RETRACTED,)),
        ("forecasts in cs.LG, newest first", (TRANSFORMER, LINEAR)),
    ],
)
def test_venue_category_and_status_narrow_exactly(
    asked: Library, words: str, there: tuple[Paper, ...]
) -> None:
    assert found(asked, words) == ids(*there)


def test_what_is_no_venue_is_a_topic(asked: Library) -> None:
    assert found(asked, "balanced load in MoE") == EVERY


@pytest.mark.parametrize(
    ("words", "gone"),
    [
        ("forecasting time series without transformers", (TRANSFORMER, MIXED)),
        ("forecasting time series, not with transformers", (TRANSFORMER, MIXED)),
        ("forecasting time series -transformer", (TRANSFORMER, MIXED, LINEAR)),
        ("forecasting time series excluding surveys", (SURVEY,)),
        ("forecasting time series without reviews or convolutions", (SURVEY, CONVOLUTION, MIXED)),
        ("forecasting time series but not of river flow", (CONVOLUTION,)),
        ("speech without MoE", (EXPERTS, MOE)),
        ("speech, no mixture of experts", (EXPERTS, MOE)),
        ("forecasting, excluding retracted papers", (RETRACTED,)),
    ],
)
def test_what_is_left_out_never_appears_and_all_else_may(
    asked: Library, words: str, gone: tuple[Paper, ...]
) -> None:
    assert found(asked, words) == EVERY - ids(*gone)


def test_the_reply_says_what_was_left_out_and_how_much(asked: Library) -> None:
    answer = ask(asked, "forecasting time series without transformers", 8)
    assert answer.left_out == 2
    assert "Leaving out papers on transformers (2)." in answer.echo


def test_a_paper_that_only_says_it_goes_without_is_kept(asked: Library) -> None:
    hits = ask(asked, "forecasting time series without transformers", 3).hits
    assert LINEAR.id in {hit.paper.id for hit in hits}


def test_training_without_labels_is_a_topic_and_says_how_to_take_that_back(asked: Library) -> None:
    answer = ask(asked, "pictures compared without labels", 3)
    assert answer.hits[0].paper.id == LABELS.id
    assert any("write -labels" in line for line in answer.echo)
    assert LABELS.id not in found(asked, "pictures compared -labels")


def test_a_title_that_reads_like_a_request_is_a_title(asked: Library) -> None:
    answer = ask(asked, "Training without Labels by Comparing Crops", 3)
    assert answer.hits[0].exact
    assert answer.echo == ()


def test_leaving_out_from_nothing_is_a_topic(asked: Library) -> None:
    assert ask(asked, "no transformer", 3).hits


def test_the_newest_on_a_topic_are_on_the_topic_and_by_date(asked: Library) -> None:
    hits = ask(asked, "newest papers on forecasting time series", 4).hits
    dates = [hit.paper.published for hit in hits]
    assert GALAXY.id not in {hit.paper.id for hit in hits}
    assert hits[0].paper.id == LINEAR.id
    assert dates == sorted(dates, reverse=True)


def test_what_is_new_at_all_is_by_date(asked: Library) -> None:
    assert ask(asked, "what's new?", 1).hits[0].paper.id == GALAXY.id


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("Atention is mosly what one neds", ATTENTION),
        ("atention is mostly what one needs: reeding by heads", ATTENTION),
        ("Sprase Mixtrue of Experts for Speech", EXPERTS),
        ("Dust in Galaxis sen at long waves", GALAXY),
    ],
)
def test_a_misspelt_title_is_offered(asked: Library, words: str, meant: Paper) -> None:
    answer = ask(asked, words, 3)
    assert answer.hits[0].paper.id == meant.id
    assert answer.offered[0].id == meant.id
    assert any(f"did you mean “{meant.title}”" in line for line in answer.echo)


@pytest.mark.parametrize(
    "words",
    ["forecasts of river levels", "zebra crossings", "dust", "qwertyuiop", "what is attention"],
)
def test_a_topic_is_not_taken_for_a_misspelt_title(asked: Library, words: str) -> None:
    assert ask(asked, words, 3).offered == ()


def test_short_and_long_forms_find_each_other(asked: Library) -> None:
    assert found(asked, "MoE", 2) == ids(EXPERTS, MOE)
    assert found(asked, "mixture of experts", 2) == ids(EXPERTS, MOE)


def test_ten_papers_are_found_where_ten_pass_however_far_down_they_are(tmp_path: Path) -> None:
    near = [
        paper(
            f"2403.{n:05}",
            f"Tide Forecast {n}",
            "Tides are forecast by a transformer.",
            published="2020-01-01",
        )
        for n in range(60)
    ]
    far = [
        paper(f"2404.{n:05}", f"Bread {n}", f"Dough number {n} rises.", published="2025-06-05")
        for n in range(12)
    ]
    with Library.open(tmp_path, create=True) as library:
        library.add([*near, *far])
        assert len(ask(library, "tide forecasts last month", 10).hits) == 10
        assert len(ask(library, "tide forecasts without transformers", 10).hits) == 10
        assert len(ask(library, "tide forecasts", 10).hits) == 10


@pytest.fixture
def shell(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LIBRARY_DIR", str(folder))


def index(*arguments: str) -> int:
    return run(app, "python -m index", (LibraryError, SourceError), arguments)


def test_the_shell_says_on_stderr_how_the_words_were_read(
    shell: None, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "forecasting time series by Yu Chen in 2024 without convolutions"
    assert index("search", words, "--json") == 0
    captured = capsys.readouterr()
    assert [hit["id"] for hit in json.loads(captured.out)] == [TRANSFORMER.id]
    assert "by Yu Chen, from 2024-01-01 to 2024-12-31" in captured.err
    assert "Leaving out papers on convolutions" in captured.err


def test_options_narrow_beside_the_words(shell: None, capsys: pytest.CaptureFixture[str]) -> None:
    def listed(*arguments: str) -> set[str]:
        assert index("search", *arguments, "--json") == 0
        return {hit["id"] for hit in json.loads(capsys.readouterr().out)}

    assert listed("forecasts", "--since", "2025-03", "--until", "2025-06-30") == ids(
        LINEAR, MIXED, SURVEY
    )
    assert listed("forecasts without transformers", "--year", "2025", "--until", "2025-06") == ids(
        LINEAR, SURVEY
    )
    assert listed("forecasts", "--status", "retracted") == ids(RETRACTED)


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["--since", "soon"], "write 2025, 2025-03"),
        (["--until", "2025-13-01"], "write 2025, 2025-03"),
        (["--since", "2025", "--until", "2024"], "the other way round"),
        (["--status", "lost"], "active, withdrawn, retracted"),
    ],
)
def test_a_range_that_is_none_costs_one_line(
    shell: None, arguments: list[str], advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert index("search", "tides", *arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert advice in captured.err


def test_a_misspelt_name_is_offered_where_a_paper_is_asked_for(
    shell: None, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("show", "similar"):
        assert index(command, "Dust in Galaxis Sen at Long Waves") == 2
        captured = capsys.readouterr()
        assert "did you mean “Dust in Galaxies Seen at Long Waves”" in captured.err
        assert captured.err.count("\n") == 1
