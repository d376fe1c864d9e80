"""A card quotes what an abstract says, facet by facet."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from index.card import Facet, make_card
from index.paper import Paper
from index.text.roles import Role, roles
from index.text.sentences import split
from index.text.tex import clean

ABSTRACT = (
    "Choosing which pairs to label is costly. However, existing methods lack theory. "
    "To this end, we propose PickDPO, an algorithm that picks preference pairs by their gradient. "
    "PickDPO consists of a scorer and a sampler. "
    "We evaluate it on three datasets, including HelpSteer and UltraFeedback. "
    "Experiments show that PickDPO outperforms random choice by 12.5\\% at half the labels. "
    "One limitation of our method is its memory use. "
    "Code is available at https://example.org/pick."
)


def paper(abstract: str) -> Paper:
    return Paper(id="text:0123456789ab", title="T", title_derived=True, abstract=abstract)


def test_each_facet_quotes_the_sentence_that_states_it() -> None:
    card = make_card(paper(ABSTRACT))
    best = {facet: line.text for facet in Facet if (line := card.best(facet))}
    assert best[Facet.PROBLEM] == "However, existing methods lack theory."
    assert best[Facet.METHOD].startswith("To this end, we propose PickDPO")
    assert best[Facet.DATA].startswith("We evaluate it on three datasets")
    assert "12.5" in best[Facet.RESULTS]
    assert best[Facet.LIMITS] == "One limitation of our method is its memory use."


def test_what_is_not_stated_is_no_facet() -> None:
    card = make_card(paper("We propose PickDPO, an algorithm that picks pairs."))
    assert set(card.facets) == {Facet.METHOD}
    assert card.best(Facet.LIMITS) is None


def test_the_trouble_of_other_methods_is_no_limit_of_this_one() -> None:
    text = "We propose FooSort. Existing methods fall short of this and cannot handle noise. FooSort does."
    assert Facet.LIMITS not in make_card(paper(text)).facets


def test_a_paper_without_an_abstract_has_an_empty_card() -> None:
    assert make_card(paper("")).facets == {}


@given(st.text(max_size=300))
def test_every_line_is_a_verbatim_sentence_with_its_place(raw: str) -> None:
    subject = paper(clean(raw) + " We propose X-Ray, a method. It gains 3%.")
    spans = split(subject.abstract)
    for lines in make_card(subject).facets.values():
        assert list(lines) == sorted(lines, key=lambda line: line.sentence)
        for line in lines:
            assert line.text == subject.abstract[line.start : line.end]
            assert spans[line.sentence - 1].text == line.text


def test_roles_follow_the_course_of_an_abstract() -> None:
    told = roles([span.text for span in split(ABSTRACT)])
    assert told[0] is Role.BACKGROUND
    assert told[1] is Role.BACKGROUND
    assert told[5] is Role.RESULT
    assert told[7] is Role.OTHER
    assert roles([]) == []


def test_an_abstract_that_never_says_we_has_a_method_and_results_too() -> None:
    abstract = (
        "Stochastic tide tables ignore the wind, and harbours pay for it. "
        "HarbourCast keeps a running average of pressure maps and corrects the table with it. "
        "On 31 gauges HarbourCast reached an error of 6.2 cm, a third less than the tables. "
        "Rivers with locks were not covered."
    )
    card = make_card(Paper(id="text:1", title="HarbourCast: Tides with Wind", abstract=abstract))
    said = {facet: line.text for facet in Facet if (line := card.best(facet))}
    assert said[Facet.PROBLEM].startswith("Stochastic tide tables")
    assert said[Facet.METHOD].startswith("HarbourCast keeps")
    assert said[Facet.RESULTS].startswith("On 31 gauges")
    assert said[Facet.LIMITS].startswith("Rivers with locks")


def test_what_a_paper_closes_with_saying_it_does_not_cover_is_its_limit() -> None:
    abstract = (
        "Tide tables ignore the wind. We introduce HarbourCast, which corrects them with pressure "
        "maps. It lowers the error by 38%. Rivers with locks are not covered."
    )
    line = make_card(Paper(id="text:1", title="HarbourCast", abstract=abstract)).best(Facet.LIMITS)
    assert line is not None
    assert line.text == "Rivers with locks are not covered."


def test_a_card_holds_roles_figures_data_sets_and_methods() -> None:
    card = make_card(paper(ABSTRACT))
    assert len(card.roles) == len(split(ABSTRACT))
    assert [(f.value, f.unit, f.sentence) for f in card.figures] == [("12.5", "%", 6)]
    assert card.datasets == ("HelpSteer", "UltraFeedback")
    assert card.methods == ("PickDPO",)
    assert make_card(paper("")).roles == ()


def test_what_a_paper_opens_by_proposing_is_its_objective() -> None:
    card = make_card(paper("We introduce PickSort, a pipeline that sorts tides. " + ABSTRACT))
    assert card.roles[0] is Role.OBJECTIVE
