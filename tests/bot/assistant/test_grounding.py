"""What a model may say of papers, and what it may not."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.assistant.grounding import Checked, best_quotation, ground, paragraphs
from index.paper import Paper
from index.text.sentences import split
from index.text.tex import clean, readable
from tests.bot.assistant.grounding_papers import SOURCES, cases


def check(text: str) -> Checked:
    """The only sentence of a text."""
    (sentence,) = ground(text, SOURCES).sentences
    return sentence


def sentence_of(handle: str, number: int) -> str:
    paper = SOURCES[handle]
    return split(paper.abstract)[number - 1].text if number else paper.title


@pytest.mark.parametrize(
    "marker",
    [
        "[slimcache:2]",
        "[^slimcache:2]",
        "[SlimCache:2]",
        "(slimcache:2)",
        "【slimcache:2】",
        "[slimcache:2][slimcache:2]",
        "[arxiv:2601.00101:2]",
    ],
)
def test_a_marker_is_read_in_every_form_models_write_it(marker: str) -> None:
    found = check(f"SlimCache needs no retraining {marker}.")
    assert found.text == "SlimCache needs no retraining."
    assert [c.quote for c in found.citations] == [sentence_of("slimcache", 2)]
    assert not found.problem


def test_several_sentences_and_papers_can_be_cited_at_once() -> None:
    found = check("SlimCache and QuickStep are fast [slimcache:2,3; quickstep:2-3].")
    assert [(c.handle, c.quote) for c in found.citations] == [
        ("slimcache", sentence_of("slimcache", 2)),
        ("slimcache", sentence_of("slimcache", 3)),
        ("quickstep", sentence_of("quickstep", 2)),
        ("quickstep", sentence_of("quickstep", 3)),
    ]


def test_the_title_is_sentence_zero() -> None:
    (citation,) = check("SlimCache drops what attention forgets [slimcache:0].").citations
    assert (citation.quote, citation.start) == (SOURCES["slimcache"].title, -1)


def test_a_handle_alone_cites_the_sentence_that_supports_best() -> None:
    found = check("Training took 36 hours on eight GPUs [graphpilot].")
    assert [c.quote for c in found.citations] == [sentence_of("graphpilot", 4)]


def test_a_figure_adds_the_sentence_that_gives_it() -> None:
    found = check("SlimCache raises throughput by 62.5% [slimcache:1].")
    assert sentence_of("slimcache", 3) in [c.quote for c in found.citations]


def test_a_citation_knows_where_its_quotation_stands() -> None:
    for case in cases():
        for sentence in ground(case.text, SOURCES).sentences:
            for citation in sentence.citations:
                paper = SOURCES[citation.handle]
                end = citation.start + len(citation.quote)
                expected = (
                    paper.title if citation.start < 0 else paper.abstract[citation.start : end]
                )
                assert citation.quote == expected


@pytest.mark.parametrize("marker", ["[2]", "[1, 3]", "[nosuchpaper]", "[nosuchpaper:4]", "[^1]"])
def test_an_unknown_citation_is_removed_and_supports_nothing(marker: str) -> None:
    found = check(f"SlimCache needs no retraining {marker}.")
    assert found.text == "SlimCache needs no retraining."
    assert "names no paper" in found.problem


def test_brackets_that_are_no_citations_stay() -> None:
    found = check("It fills [MASK] tokens with x[i] from [0, 1] [slimcache:2].")
    assert found.text == "It fills [MASK] tokens with x[i] from [0, 1]."


def test_markers_before_their_sentences_are_read_as_well() -> None:
    first, second = ground(
        "[slimcache:2] SlimCache needs no retraining. [softlin:3] Two layers close the gap.",
        SOURCES,
    ).sentences
    assert first.citations[0].handle == "slimcache"
    assert second.citations[0].handle == "softlin"


@pytest.mark.parametrize(
    "text",
    [
        "Here are two papers on that:",
        "I found three papers about caching.",
        "Would you like a summary of SlimCache?",
        "Let me know if you want to compare them.",
        "I can also compare SlimCache with QuickStep.",
        "The abstract does not state the batch size.",
        "Neither abstract mentions the learning rate.",
        "You're welcome!",
        "## Method",
        "SlimCache: Dropping What Attention Forgets",
        "I found nothing about crop yields in the library.",
    ],
)
def test_what_is_no_claim_needs_no_citation(text: str) -> None:
    found = check(text)
    assert not found.problem
    assert not found.about_papers


@pytest.mark.parametrize(
    "text",
    [
        "SlimCache is the best method for serving.",
        "Diffusion models generate images by removing noise.",
        "Here is the result: accuracy reaches 99%.",
        "Did you know that SlimCache beats every other method?",
        "The abstract does not state the batch size, but the accuracy is 93%.",
        "I found that SlimCache outperforms all other methods.",
    ],
)
def test_a_claim_without_a_citation_falls(text: str) -> None:
    found = check(text)
    assert found.problem
    assert found.about_papers


def test_a_figure_of_another_quantity_falls() -> None:
    assert not check("TabMirror has an accuracy of 97.3% [tabmirror].").problem
    assert "another figure for F1" in check("TabMirror has an F1 of 97.3% [tabmirror].").problem
    assert check("TabMirror needs 97.3% fewer rows [tabmirror].").problem


def test_rounding_must_be_said() -> None:
    assert check("Its accuracy is 97% [tabmirror].").problem
    assert not check("Its accuracy is about 97% [tabmirror].").problem
    assert not check("Its accuracy is over 97% [tabmirror].").problem


def test_a_quotation_must_stand_in_the_cited_paper_in_one_piece() -> None:
    good = 'The authors say that labels "are expensive" [dualpref].'
    assert not check(good).problem
    stitched = 'The mark "survives editing … several candidate rows" [tabmirror].'
    assert "not in the cited abstract" in check(stitched).problem
    elsewhere = 'The labels "are expensive" [slimcache].'
    assert "quoted from dualpref" in check(elsewhere).problem


def test_space_case_dashes_and_tex_do_not_change_a_quotation() -> None:
    found = check("“It  needs 84–88% FEWER rows” is said of TabMirror [tabmirror:3].")
    assert not found.problem


def test_a_sentence_about_another_source_names_the_right_one() -> None:
    found = check("Two layers of linear attention close the gap [slimcache:2].")
    assert "wrong paper" in found.problem
    assert "[softlin]" in found.problem


def test_a_comparison_must_not_be_turned_round() -> None:
    paper = Paper(
        id="arxiv:2601.00200",
        title="Pruning Trees",
        abstract="On CIFAR-10 our PrunTree outperforms ResTree by 2.1%. It is slower than FastTree.",
        handle="pruntree",
    )
    sources = {"pruntree": paper}
    (good,) = ground("PrunTree outperforms ResTree on CIFAR-10 [pruntree].", sources).sentences
    (bad,) = ground("ResTree outperforms PrunTree on CIFAR-10 [pruntree].", sources).sentences
    assert not good.problem
    assert "the other way round" in bad.problem


def test_a_figure_of_one_cited_paper_is_not_given_to_another() -> None:
    found = check("QuickStep raises throughput by 62.5% [slimcache:3; quickstep:3].")
    assert "62.5% is of slimcache, not of quickstep" in found.problem


def test_what_falls_is_told_to_the_model_a_line_a_sentence() -> None:
    grounded = ground(
        "SlimCache needs no retraining [slimcache:2]. It is 99% accurate [slimcache]. It is great.",
        SOURCES,
    )
    assert not grounded.stands
    first, second = grounded.repair().splitlines()
    assert "“It is 99% accurate.”" in first
    assert "99% is not in the cited abstract" in first
    assert "cites no paper" in second


def test_what_falls_can_be_replaced_by_the_words_of_the_paper() -> None:
    fallen = check("Throughput rises by 65% [slimcache].")
    instead = best_quotation(fallen, SOURCES)
    assert instead
    assert instead.quoted
    assert instead.citations[0].quote == sentence_of("slimcache", 3)
    assert "62.5%" in instead.text
    assert best_quotation("Bananas are yellow.", SOURCES) is None


@pytest.mark.parametrize("handle", SOURCES)
def test_every_sentence_of_a_paper_can_be_quoted_alone_and_in_a_row(handle: str) -> None:
    spans = split(SOURCES[handle].abstract)
    for marks in ('""', "“”"):
        parts = [
            f"{marks[0]}{span.text}{marks[1]} [{handle}:{number}]"
            for number, span in enumerate(spans, 1)
        ]
        for text in (" ".join(parts), "\n".join(parts), "\n".join(f"- {part}" for part in parts)):
            found = ground(text, SOURCES).sentences
            assert [s.text for s in found] == [readable(span.text) for span in spans]
            assert [s.citations[0].quote for s in found] == [span.text for span in spans]
            assert all(s.quoted and not s.problem for s in found)


def test_every_sentence_of_real_abstracts_can_be_quoted(shared: Path) -> None:
    with gzip.open(shared / "data/corpora/iclr2026.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for number, line in enumerate(lines) if number % 100 == 0]
    for record in records:
        abstract = clean(record["abstract"])
        paper = Paper(id="text:0", title=clean(record["title"]), abstract=abstract, handle="it")
        spans = split(abstract)
        text = " ".join(f"“{s.text}” [it:{n}]" for n, s in enumerate(spans, 1))
        found = ground(text, {"it": paper}).sentences
        assert [s.citations[0].quote for s in found] == [span.text for span in spans]
        assert all(s.quoted and not s.problem for s in found)


def test_lists_headings_and_paragraphs_keep_their_shape() -> None:
    text = """# Two papers

They differ in aim:

- **SlimCache** needs no retraining [slimcache:2].
- Two layers of linear attention close the gap [softlin:3].

## Nothing stands here

SlimCache is the best.

Would you like more?"""
    first, second, third = paragraphs(ground(text, SOURCES).sentences)
    assert first.heading == "Two papers"
    assert [s.text for s in first.sentences] == ["They differ in aim:"]
    assert [s.text for s in second.sentences] == [
        "- SlimCache needs no retraining.",
        "- Two layers of linear attention close the gap.",
    ]
    assert [s.text for s in third.sentences] == ["Would you like more?"]


def test_a_table_is_read_row_by_row() -> None:
    text = "| Paper | Gain |\n|---|---|\n| SlimCache | throughput up 62.5% [slimcache:3] |"
    found = ground(text, SOURCES).sentences[-1]
    assert not found.problem
    assert found.citations[0].quote == sentence_of("slimcache", 3)


_PIECES = st.sampled_from(
    ["[slimcache:2]", "[", "]", '"', "“", "”", "'", "$", "\\", "\n", "- ", "# ", "|", ". ", "87%", "1e9999",
     "10^-99999", "[slimcache:0-99999]", "SlimCache", "not", "arXiv:2601.00101", "https://[", "\ue000", "(Smith, 2020)",
     "Labels for preference optimization are expensive", "x" * 50, "[^1]: ", "```", "½", "²", "三", "\x00", "\ud800"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(_PIECES | st.text(max_size=12), max_size=25).map("".join))
def test_any_text_is_read_and_every_quotation_is_verbatim(text: str) -> None:
    for sentence in ground(text, SOURCES).sentences:
        assert sentence.text.strip()
        for citation in sentence.citations:
            paper = SOURCES[citation.handle]
            assert citation.quote in (paper.title if citation.start < 0 else paper.abstract)
    best_quotation(text, SOURCES)


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=300), st.text(max_size=60))
def test_any_paper_can_be_a_source(abstract: str, title: str) -> None:
    paper = Paper(id="text:1", title=clean(title), abstract=clean(abstract), handle="odd")
    text = f"It says so [odd]. “{paper.abstract}” [odd:1] “{paper.title}” [odd:0]"
    for sentence in ground(text, {"odd": paper}).sentences:
        for citation in sentence.citations:
            assert citation.quote in (paper.title if citation.start < 0 else paper.abstract)
