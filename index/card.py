"""Card: problem, method, data, results and limits of one paper, each line a quotation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from index.paper import Paper
from index.text.figures import Figure, figures
from index.text.mentions import datasets, methods
from index.text.names import method_name
from index.text.roles import Role, roles
from index.text.sentences import Span, split


class Facet(StrEnum):
    """What people ask of a paper, in the order of a card."""

    PROBLEM = "problem"
    METHOD = "method"
    DATA = "data"
    RESULTS = "results"
    LIMITS = "limits"


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the abstract: `text == abstract[start:end]`."""

    sentence: int
    """1-based number of the sentence in the abstract."""
    text: str
    start: int
    end: int
    score: float
    """How surely it states its facet, comparable within one facet of one paper only."""


@dataclass(frozen=True, slots=True)
class Card:
    """What one abstract says, by facet; a facet it does not state is no key."""

    paper_id: str
    facets: Mapping[Facet, tuple[Line, ...]]
    """Lines in reading order."""
    roles: tuple[Role, ...] = ()
    """The role of each sentence of the abstract, in order."""
    figures: tuple[Figure, ...] = ()
    """Numbers with their unit and what they measure, in reading order."""
    datasets: tuple[str, ...] = ()
    """Names of the data it speaks of."""
    methods: tuple[str, ...] = ()
    """Its own method's name first where it gives one, then the others it names."""

    def best(self, facet: Facet) -> Line | None:
        """The one line that states a facet best, or None where the abstract does not state it."""
        lines = self.facets.get(facet, ())
        return max(lines, key=lambda line: line.score, default=None)


@dataclass(frozen=True, slots=True)
class _Sentence:
    span: Span
    number: int
    place: float
    """0 for the first sentence, 1 for the last."""
    role: Role
    name: str
    """The paper's own method name, or an empty string."""
    begun: bool
    """Whether the paper has begun to speak of its own work, here or before."""
    impersonal: bool
    """Whether the abstract nowhere says "we": order and verbs tell more there than phrases."""

    def says(self, pattern: re.Pattern[str]) -> bool:
        return bool(pattern.search(self.span.text))


def _cue(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_WE = _cue(r"\b(?:we|our|ours|us)\b")
_OWN = _cue(
    r"\b(?:we|our|this (?:paper|work|article|study)|in this (?:paper|work|study)|here,? we|is (?:proposed|introduced|presented))\b"
)
_TROUBLE = _cue(
    r"\b(?:however|yet|challeng\w*|difficult\w*|problem|struggl\w+|fail\w*|lack\w*|limit(?:s|ed|ation|ations)|suffer\w*|cost(?:s|ly)?|"
    r"expensive|bottleneck|degrad\w+|unclear|underexplored|unexplored|overlook\w*|neglect\w*|hard to|restrict\w*|inconsisten\w+|poorly|"
    r"unable|prevents?|hinder\w*|remains?|gap|dilemma|break down|conflict\w*|prohibitive|burden|vulnerab\w+|hallucinat\w+|ignor\w+)\b"
)
_OPENS = _cue(r"^(?:in this (?:paper|work|article|study),? )?we (?:propose|introduce|present)\b")
_SETS_OUT = _cue(r"\b(?:problem of|stud(?:y|ies) the)\b")
_OF_OTHERS = _cue(r"\b(?:existing|previous|prior|current|recent|conventional|traditional)\b")
_TURNS = _cue(r"^(?:however|yet|unfortunately|despite|although|while)\b")
_PROPOSAL = _cue(
    r"\b(?:propos|introduc|present|develop|design|devis|formulat|reformulat|describ|consider|extend|revisit|study|studie|build|construct|releas|give|provide)\w*\b"
)
_WORKING = _cue(
    r"\b(?:consists?|compos\w+|component|stage|step|module|leverag\w+|uses?|using|learns?|encourag\w+|combin\w+|via|first|then|key idea|"
    r"specifically|by \w+ing|guide|generat\w+|select\w+|trains?|optimi[sz]\w+|exploit\w+|augment\w*|formulat\w+)\b"
)
_STUDY = _cue(
    r"\b(?:systematic comparison|study|stud(?:y|ied)|analy[sz]e|analysis|investigat\w+|examine|explore|compare)\b"
)
_DATA = _cue(
    r"\b(?:datasets?|benchmarks?|corpus|corpora|test ?sets?|testbeds?|collection of|suite of|image data|tabular(?:/image)? data|trials?|patients|"
    r"participants|cohort|samples?|subset|instances|queries|questions|domains?|tasks?|environments?|settings?|problems|modalities|data formats)\b"
)
_DATA_SURE = _cue(
    r"\b(?:datasets?|benchmarks?|corpus|corpora|test ?sets?|testbeds?|collection of|patients|participants|cohort)\b"
)
_EVALUATES = _cue(
    r"\b(?:experiment\w*|evaluat\w+|trained on|train(?:ing)? on|tested?|test on|empirical\w*|validat\w+|conduct\w*|across|including|collect\w+|"
    r"annotat\w+|covering|constructed from|pool of|mixed)\b"
)
# `ImageNet-1k`, `AIME24`, `BEIR`: names of data, in a sentence that speaks of data.
_NAMED = re.compile(r"\b(?:[A-Z][a-z]+[A-Z]\w*|[A-Z]{3,}\w*|[A-Z]+[a-z]*-?\d+\w*)(?:-\w+)?\b")
_COUNT = _cue(
    r"\b(?:\d[\d,.]*[kKMB]?\+?|one|two|three|four|five|six|seven|eight|nine|ten|several|various|diverse|multiple|widely[- ]used)\s+(?:[\w-]+\s+){0,3}?"
    r"(?:datasets?|benchmarks?|tasks|domains|images|samples|models|settings|problems|questions|instances|papers|pairs|patients|participants)\b"
)
_FINDS = _cue(
    r"\b(?:results?|experiments?|evaluations?|findings?|empirical\w*|we (?:\w+ )?(?:show|demonstrate|find|prove|observe)|outperform\w*|surpass\w*|"
    r"achiev\w+|improv\w+|reduc\w+|gains?|state[- ]of[- ]the[- ]art|effective\w*|superior|reveals?|confirm\w*|preserv\w+|lead(?:s|ing) to|yields?|"
    r"exceed\w*|degrad\w+)\b"
)
_FIGURE = re.compile(
    r"\d+(?:\.\d+)?\s?(?:\\?%|×|\$?\\times|x\b|percent|points?|-?fold)|\b\d+\.\d+\b|\d\s?[-–]\s?\d+\s?\\?%",
    re.IGNORECASE,
)
_NOT_STATED_BY = _cue(
    r"https?://|\b(?:code|data|models?|implementation|project page)\b[^.]{0,50}\b(?:available|released)\b"
)
# What an abstract that never says "we" writes of outcomes and of limits.
_OUTCOME = _cue(
    r"\b(?:reach|scor|match|beat|won|win|obtain|averag|rank|exceed|record|halv|cut|rais|lower|drop|r[au]n|took|take|rose|fell|climb|answer|help|"
    r"correct|agree|transfer|generali[sz]|do better|did better|best|ahead|faster|fewer|smaller|cheaper|better|times the|twice|half)\w*\b"
)
# Said of the paper's own work where it closes the abstract.
_CLOSING_LIMIT = _cue(
    r"\b(?:(?:is|are|was|were) not (?:yet )?(?:covered|handled|supported|modelled|modeled)|(?:does|do) not (?:extend|generali[sz]e|apply|carry over) to|"
    r"remains? (?:its|our|the) main (?:source of error|weakness|limitation|open question))\b"
)
_IMPERSONAL_LIMITS = _cue(
    r"\b(?:untested|(?:is|are|was|were|has|have) (?:not|never|only)(?: been)? (?:test|cover|compar|evaluat|stud|report|address|appl|tr[iy])\w*|stops? at|"
    r"stay(?:s|ed)? open|not (?:directly|examined|covered|claimed)|(?:does|do|did) not (?:extend|cover|address|apply|say|settle|remove|test|show)|"
    r"future work|limitations?|(?:main|one|its) limits?|limited to|restricted to|confined to|at the (?:cost|price) of|only (?:for|on|to|with|when|if|in)|"
    r"grows? with|depends? on|assum\w+|sensitive to|cannot|drawback|caveat|weak\w*|weakness\w*|struggle\w*|suffer\w*|"
    r"main (?:weakness|source|gap)|still)\b"
)
_LIMITS = _cue(
    r"(?:\blimitations? of (?:our|the proposed)|(?:one|our main|the main) (?:limitation|drawback|caveat) (?:of|is)|"
    r"we leave|which we leave|left (?:for|to) future|future work (?:will|should|must|is|remains|could|may)|"
    r"(?:is|are|was|were) not (?:addressed|considered|evaluated|tested|reported|studied) (?:here|in this)|we (?:do|did) not (?:address|consider|evaluate|test|report|study|claim)|"
    r"(?:our|the proposed) (?:\w+ ){1,2}(?:requires access|assumes|cannot|is (?:limited|restricted) to|remains? limited|still (?:fails?|lags?|struggles?|requires?))|"
    r"(?:our|the) (?:main )?limits are|^limitations? (?:is|are|include))\b"
)


def make_card(paper: Paper) -> Card:
    """The card of one paper, read from its own abstract alone; empty where it has no abstract."""
    sentences = _read(paper)
    facets: dict[Facet, tuple[Line, ...]] = {}
    for facet, (score, floor, most) in _FACETS.items():
        scored = [(score(sentence), sentence) for sentence in sentences]
        kept = sorted((pair for pair in scored if pair[0] >= floor), key=lambda pair: -pair[0])[
            :most
        ]
        # What is far below the best line says little beside it.
        kept = [pair for pair in kept if pair[0] >= 0.6 * kept[0][0]]
        lines = sorted(
            (_line(sentence, value) for value, sentence in kept), key=lambda x: x.sentence
        )
        if lines:
            facets[facet] = tuple(lines)
    texts = [sentence.span.text for sentence in sentences]
    own = sentences[0].name if sentences else ""
    data = datasets(texts)
    return Card(
        paper.id,
        facets,
        roles=tuple(sentence.role for sentence in sentences),
        figures=tuple(
            figure for s in sentences for figure in figures(s.span.text, s.number, s.span.start)
        ),
        datasets=data,
        methods=methods(texts, own, data),
    )


def _read(paper: Paper) -> list[_Sentence]:
    spans = split(paper.abstract)
    name = method_name("" if paper.title_derived else paper.title, paper.abstract) or ""
    impersonal = bool(spans) and not _WE.search(paper.abstract)
    begun = False
    sentences = []
    for number, (span, role) in enumerate(
        zip(spans, roles([s.text for s in spans]), strict=True), 1
    ):
        # Learnt roles call many a first sentence background, whatever it says.
        if role is Role.BACKGROUND and _OPENS.search(span.text):
            role = Role.OBJECTIVE  # noqa: PLW2901
        begun = begun or bool(_OWN.search(span.text)) or bool(name and name in span.text)
        # Where nobody speaks, the first sentence sets the scene and the second begins the work.
        begun = begun or (impersonal and number > 1)
        place = (number - 1) / max(1, len(spans) - 1)
        sentences.append(_Sentence(span, number, place, role, name, begun, impersonal))
    return sentences


def _line(sentence: _Sentence, score: float) -> Line:
    span = sentence.span
    return Line(sentence.number, span.text, span.start, span.end, round(score, 3))


def _problem(s: _Sentence) -> float:
    score = 1.5 * (s.role is Role.BACKGROUND) + 0.8 * (s.role is Role.OBJECTIVE)
    score += 1.5 * s.says(_TROUBLE) + (
        0.7 if s.says(_cue(r"^(?:however|yet|unfortunately|despite|although|while)\b")) else 0
    )
    if s.begun and not s.says(_SETS_OUT):
        # Some abstracts open with their own work and tell the trouble of others after it.
        score -= 0.6 if s.says(_OF_OTHERS) and not s.says(_OWN) and s.place < 0.5 else 2.5
    return score - 1.5 * s.place


def _method(s: _Sentence) -> float:
    own = s.says(_OWN)
    score = 1.0 * (s.role is Role.METHOD) + 1.0 * (s.role is Role.OBJECTIVE)
    score += (
        2.0 * (own and s.says(_PROPOSAL)) + 0.8 * s.says(_WORKING) + 0.8 * (own and s.says(_STUDY))
    )
    score += 1.0 * bool(s.name and re.search(rf"(?<!\w){re.escape(s.name)}(?!\w)", s.span.text))
    if s.impersonal and s.number > 1:
        score += max(0.0, 3.0 - 0.6 * s.number) - 2.0 * _is_outcome(s) - 2.0 * _is_limit(s)
    score -= 2.0 * (s.role is Role.RESULT) + 2.0 * s.says(_NOT_STATED_BY) + 3.0 * (not s.begun)
    return score - 0.8 * s.place


def _data(s: _Sentence) -> float:
    if not s.says(_DATA) or not s.begun or s.says(_NOT_STATED_BY):
        return 0
    score = 1.0 * s.says(_DATA_SURE) + 1.2 * s.says(_EVALUATES) + 1.2 * s.says(_COUNT)
    own_name = s.name.casefold()
    named = {match[0] for match in _NAMED.finditer(s.span.text) if match[0].casefold() != own_name}
    return score + 0.4 * min(3, len(named)) + 0.5 * s.place


def _results(s: _Sentence) -> float:
    if not s.begun or (s.says(_NOT_STATED_BY) and not s.says(_FIGURE)):
        return 0
    if s.impersonal and _is_limit(s):
        return 0
    if s.impersonal and _is_outcome(s):
        return 2.0 + 1.5 * s.says(_FIGURE) + 0.8 * s.says(_FINDS) + 0.6 * s.place
    # The place of a sentence alone makes no result of it.
    if not s.says(_FINDS) and not s.says(_FIGURE):
        return 0
    score = 2.0 * (s.role is Role.RESULT) + 1.2 * s.says(_FINDS) + 1.5 * s.says(_FIGURE)
    score += 0.4 * bool(s.name and s.name in s.span.text)
    return score + 0.6 * s.place if score >= 1.2 else 0


def _is_outcome(s: _Sentence) -> bool:
    """A sentence of an impersonal abstract that tells what came out."""
    number = bool(re.search(r"\d", s.span.text))
    return s.place > 0.25 and s.says(_OUTCOME) and (number or s.says(_FINDS) or s.place > 0.5)


def _is_limit(s: _Sentence) -> bool:
    """One of the last two sentences of an impersonal abstract, on what is not covered."""
    return s.place >= 0.75 and s.says(_IMPERSONAL_LIMITS) and not s.says(_FIGURE)


def _limits(s: _Sentence) -> float:
    if s.impersonal and _is_limit(s):
        return 2.0 + s.place
    if not s.begun or s.place <= 0.3 or s.says(_OF_OTHERS):
        return 0
    if s.place == 1 and s.says(_CLOSING_LIMIT):
        return 3.0
    return 2.0 + s.place if s.says(_LIMITS) else 0


_FACETS: dict[Facet, tuple[Callable[[_Sentence], float], float, int]] = {
    Facet.PROBLEM: (_problem, 1.0, 2),
    Facet.METHOD: (_method, 0.9, 3),
    Facet.DATA: (_data, 1.7, 2),
    Facet.RESULTS: (_results, 1.8, 3),
    Facet.LIMITS: (_limits, 2.0, 2),
}
"""For each facet its score, the floor below which it counts as not stated, and the most lines."""
