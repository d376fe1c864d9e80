"""What a person's words ask for, before any library is asked."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index.query import parse
from index.query.about import about, forms, is_survey

TODAY = date(2025, 7, 3)
"""A Thursday."""


def days(text: str, today: date = TODAY) -> tuple[str | None, str | None] | None:
    return parse(text, today=today).filters.dates


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("last month", "2025-06-01", "2025-06-30"),
        ("from last month", "2025-06-01", "2025-06-30"),
        ("since March", "2025-03-01", None),
        ("since November", "2024-11-01", None),
        ("this year", "2025-01-01", "2025-12-31"),
        ("last year", "2024-01-01", "2024-12-31"),
        ("in 2024", "2024-01-01", "2024-12-31"),
        ("published in 2024", "2024-01-01", "2024-12-31"),
        ("before 2024", None, "2023-12-31"),
        ("after 2020", "2021-01-01", None),
        ("newer than 2022", "2023-01-01", None),
        ("since 2023", "2023-01-01", None),
        ("2023 or later", "2023-01-01", None),
        ("from 2023 onwards", "2023-01-01", None),
        ("until March 2024", None, "2024-03-31"),
        ("up to 2019", None, "2019-12-31"),
        ("between 2020 and 2022", "2020-01-01", "2022-12-31"),
        ("from 2020 to 2022", "2020-01-01", "2022-12-31"),
        ("2020-2022", "2020-01-01", "2022-12-31"),
        ("2022..2020", "2020-01-01", "2022-12-31"),
        ("from January to March 2024", "2024-01-01", "2024-03-31"),
        ("between 2025-02-10 and 2025-02-10", "2025-02-10", "2025-02-10"),
        ("on 2025-02-10", "2025-02-10", "2025-02-10"),
        ("10 February 2025", "2025-02-10", "2025-02-10"),
        ("February 10th, 2025", "2025-02-10", "2025-02-10"),
        ("in May", "2025-05-01", "2025-05-31"),
        ("in Feb 2024", "2024-02-01", "2024-02-29"),
        ("the past two weeks", "2025-06-19", "2025-07-03"),
        ("in the last 30 days", "2025-06-03", "2025-07-03"),
        ("over the past 6 months", "2025-01-03", "2025-07-03"),
        ("in the last year", "2024-07-03", "2025-07-03"),
        ("last week", "2025-06-23", "2025-06-29"),
        ("this week", "2025-06-30", "2025-07-06"),
        ("yesterday", "2025-07-02", "2025-07-02"),
        ("published today", "2025-07-03", "2025-07-03"),
        ("two years ago", "2023-01-01", "2023-12-31"),
        ("Q1 2025", "2025-01-01", "2025-03-31"),
        ("in the first quarter of 2025", "2025-01-01", "2025-03-31"),
        ("last quarter", "2025-04-01", "2025-06-30"),
        ("in the second half of 2024", "2024-07-01", "2024-12-31"),
        ("in late 2023", "2023-09-01", "2023-12-31"),
        ("in the 1990s", "1990-01-01", "1999-12-31"),
        ("since last Friday", "2025-06-27", None),
        ("from 2019 till now", "2019-01-01", "2025-07-03"),
        ("older than 2 years", None, "2023-07-02"),
        ("published less than a year ago", "2024-07-03", None),
        ("after June 2024 and before January 2025", "2024-07-01", "2024-12-31"),
    ],
)
def test_time_words_become_ranges_of_whole_days(
    words: str, first: str | None, last: str | None
) -> None:
    query = parse(f"papers on tides {words}", today=TODAY)
    assert query.filters.dates == (first, last)
    assert query.text == "tides"
    assert parse(words, today=TODAY).filters.dates == (first, last)


def test_ranges_reach_over_the_end_of_a_year_and_a_short_month() -> None:
    assert days("last month", date(2025, 1, 31)) == ("2024-12-01", "2024-12-31")
    assert days("the past month", date(2025, 3, 31)) == ("2025-02-28", "2025-03-31")
    assert days("last quarter", date(2025, 2, 1)) == ("2024-10-01", "2024-12-31")
    assert days("since March", date(2025, 2, 1)) == ("2024-03-01", None)
    assert days("last year", date(2024, 2, 29)) == ("2023-01-01", "2023-12-31")


def test_the_range_is_said_in_full() -> None:
    assert parse("tides last month", today=TODAY).echo == (
        "Only papers from 2025-06-01 to 2025-06-30.",
    )
    assert parse("tides since March", today=TODAY).echo == ("Only papers from 2025-03-01 on.",)


def test_what_is_said_later_narrows_what_was_said_before() -> None:
    assert days("tides since 2020 until 2022") == ("2020-01-01", "2022-12-31")
    assert days("tides since 2024, only 2021") == ("2021-01-01", "2021-12-31")


@pytest.mark.parametrize(
    "words",
    [
        "COCO 2017 detection",
        "SemEval-2014 Task 4",
        "images in 2048 pixels",
        "from 2000 images",
        "May Day parades",
        "the March of progress in vision",
        "what today's models lack",
        "MAR image generation",
        "Q1 journals",
        "past tense inflection",
        "last layer retraining",
        "blade runner 2049",
    ],
)
def test_numbers_and_names_are_no_dates(words: str) -> None:
    query = parse(words, today=TODAY)
    assert query.filters.dates is None
    assert query.text == words


@pytest.mark.parametrize(
    ("words", "text", "excluded"),
    [
        (
            "time-series forecasting without transformers",
            "time-series forecasting",
            ["transformers"],
        ),
        ("segmentation not on images", "segmentation", ["images"]),
        ("segmentation, not images or videos", "segmentation", ["images", "videos"]),
        ("LLM agents excluding surveys", "LLM agents", ["surveys"]),
        ("LLM agents, excluding survey papers since 2023", "LLM agents", ["survey"]),
        ("robot control, no reinforcement learning", "robot control", ["reinforcement learning"]),
        ("diffusion -transformer", "diffusion", ["transformer"]),
        ('diffusion -"vision transformer" -survey', "diffusion", ["vision transformer", "survey"]),
        ("retrieval but not dense retrieval", "retrieval", ["dense retrieval"]),
        ("vision except convolutional networks", "vision", ["convolutional networks"]),
        ("models that do not use attention", "models", ["attention"]),
        ("few-shot learning other than prompting", "few-shot learning", ["prompting"]),
        ("papers on tides but no papers on rivers", "tides", ["rivers"]),
        ("forecasting without using transformer models", "forecasting", ["transformer"]),
        (
            "tides without surveys, reviews and tutorials",
            "tides",
            ["surveys", "reviews", "tutorials"],
        ),
        ("graph learning w/o message passing", "graph learning", ["message passing"]),
        ("LLM reasoning (not chain-of-thought)", "LLM reasoning", ["chain-of-thought"]),
        ("tides but nothing on rivers", "tides", ["rivers"]),
        ("forecasting without GANs for energy", "forecasting for energy", ["GANs"]),
    ],
)
def test_what_is_to_be_left_out_is_no_part_of_the_topic(
    words: str, text: str, excluded: list[str]
) -> None:
    query = parse(words, today=TODAY)
    assert (query.text, list(query.excluded)) == (text, excluded)
    assert any(line.startswith("Leaving out papers on ") for line in query.echo)


@pytest.mark.parametrize(
    "words",
    [
        "not only attention",
        "without loss of generality",
        "papers showing no effect of dropout",
        "no-regret learning",
        "non-autoregressive translation",
        "non-convex optimisation",
        "attention is not explanation",
        "whether or not to prune",
        "learning without forgetting",
        "no free lunch theorems",
        "inference without access to weights",
        "compression without sacrificing accuracy",
        "pre- and post-training",
        "models that are not robust",
        "why transformers do not generalise",
        "text-to-image",
        "alignment with no need for rewards",
        "QLoRA-8",
        "not all layers are equal",
    ],
)
def test_a_topic_that_only_sounds_like_an_exclusion_stays_whole(words: str) -> None:
    query = parse(words, today=TODAY)
    assert (query.text, query.excluded, query.plain) == (words, (), True)


@pytest.mark.parametrize(
    ("words", "author", "text"),
    [
        ("papers by Ana Pérez", "Ana Pérez", ""),
        ("papers by ana pérez on tides", "ana pérez", "tides"),
        ("tides by Y. Chen", "Y. Chen", "tides"),
        ("papers by Chen, Yu on tides", "Chen, Yu", "tides"),
        ("Yu Chen's papers on tides", "Yu Chen", "tides"),
        ("work on noise by Paul de Bruyn Kops since 2020", "Paul de Bruyn Kops", "noise"),
        ('author:"Yu Chen" tides', "Yu Chen", "tides"),
        ("anything written by Berners-Lee", "Berners-Lee", ""),
        ("papers by Yu Chen and Li Ming on tides", "Yu Chen & Li Ming", "tides"),
        ("Chen et al. tides", "Chen", "tides"),
    ],
)
def test_an_author_is_read_out_of_the_request(words: str, author: str, text: str) -> None:
    query = parse(words, today=TODAY)
    assert (query.filters.author, query.text) == (author, text)


@pytest.mark.parametrize(
    "words", ["learning by demonstration", "counting birds by night", "stand by me"]
)
def test_not_every_by_names_an_author(words: str) -> None:
    assert parse(words, today=TODAY).plain


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("newest papers on graph coarsening", "graph coarsening"),
        ("latest on diffusion", "diffusion"),
        ("the most recent work about tides", "tides"),
        ("what's new on tides", "tides"),
        ("recent papers on tides", "tides"),
        ("tides, newest first", "tides"),
        ("tides sorted by date", "tides"),
        ("latest diffusion models", "diffusion models"),
        ("anything new on tides?", "tides"),
    ],
)
def test_the_newest_on_a_topic_are_asked_for_in_many_words(words: str, text: str) -> None:
    query = parse(words, today=TODAY)
    assert (query.newest, query.text) == (True, text)


@pytest.mark.parametrize(
    "words", ["recency bias", "new Keynesian models", "news recommendation", "newest vertex cover"]
)
def test_new_is_also_a_word_of_topics(words: str) -> None:
    assert parse(words, today=TODAY).text == words or words.startswith("newest")


def test_venue_category_source_and_status_are_filters() -> None:
    filters = parse("ICLR 2025 papers on pruning", today=TODAY).filters
    assert filters.venue == "ICLR 2025"
    assert parse("pruning at NeurIPS", today=TODAY).filters.venue == "NeurIPS"
    assert parse("cs.CL papers on tokenizers", today=TODAY).filters.category == "cs.CL"
    assert parse("tokenizers on arXiv", today=TODAY).filters.source == "arxiv"
    assert parse("withdrawn papers on waste", today=TODAY).filters.statuses == {"withdrawn"}
    assert parse("waste, excluding withdrawn papers", today=TODAY).filters.statuses == {
        "active",
        "retracted",
    }


def test_many_things_may_be_said_at_once() -> None:
    query = parse(
        "latest cs.LG papers on diffusion by Yu Chen since March, excluding surveys", today=TODAY
    )
    assert query.text == "diffusion"
    assert query.filters.category == "cs.LG"
    assert query.filters.author == "Yu Chen"
    assert query.filters.dates == ("2025-03-01", None)
    assert query.excluded == ("surveys",)
    assert query.newest


def test_a_reading_can_be_taken_back() -> None:
    query = parse("diffusion without transformers since March", today=TODAY)
    taken = query.without(*(part for part in query.parts if part.value == "transformers"))
    assert taken.excluded == ()
    assert taken.text == "diffusion without transformers"
    assert taken.filters.dates == ("2025-03-01", None)


@pytest.mark.parametrize(
    "name", ["arXiv:2401.00006v2", "https://arxiv.org/abs/2401.00006", "10.1145/3292500.3330701"]
)
def test_an_id_is_taken_as_it_is(name: str) -> None:
    assert parse(name, today=TODAY).plain


@given(st.text(max_size=120), st.dates(date(1990, 1, 1), date(2100, 1, 1)))
@settings(max_examples=500, deadline=None)
def test_any_text_can_be_read(text: str, today: date) -> None:
    query = parse(text, today=today)
    assert query.plain or query.echo


WORDS = "in since before between and 2024 last month week past two three to March may Q1 of without no not papers by Chen , - ( ) latest on tides".split()


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.dates(date(1990, 1, 1), date(2100, 1, 1)))
@settings(max_examples=500, deadline=None)
def test_any_order_of_the_words_it_knows_can_be_read(words: list[str], today: date) -> None:
    query = parse(" ".join(words), today=today)
    first, last = query.filters.dates or (None, None)
    assert not (first and last) or first <= last


def test_a_thing_is_known_in_singular_and_plural_and_by_no_other_word() -> None:
    assert set(forms("transformers")) == {"transformers", "transformer"}
    assert "studies" in forms("study")
    assert "pruned" in forms("pruning")
    names = ("transformers",)
    assert about(names, "A Transformer for Tides", "")
    assert about(names, "Tides", "A vision-transformer reads them.")
    assert not about(names, "Tides transformed", "We transform each transformation.")
    assert not about(names, "Tides without Transformers", "It is transformer-free.")
    assert not about(("RL",), "Url parsing", "rl")
    assert about(("fine-tuning",), "Tides", "We finetune and fine-tune a model.")


def test_a_survey_says_of_itself_that_it_is_one() -> None:
    assert is_survey("A Survey of Tides", "")
    assert is_survey("Tides: A Systematic Review", "")
    assert is_survey("Tides", "In this paper, we survey methods to forecast tides.")
    assert is_survey("Tides and Us", "This article reviews forty years of work.")
    assert not is_survey("Surveying Gear", "We describe gear for surveying coasts.")
    assert not is_survey("Peer Review of Tides by Models", "Reviewers agree.")
    assert not is_survey("Fishers", "We ran a survey among 300 fishers.")
