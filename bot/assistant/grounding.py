"""The guard between a model's text and the person: what each sentence rests on, or why it falls.

A sentence about a paper stands only with a citation of a source of this conversation, and its
figures, quotation marks, names and negations must be found there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from bot.answer import Citation, Prose, Sentence
from bot.assistant.claims import is_claim, problems
from bot.assistant.disarm import speaks
from bot.assistant.markers import Kind, Reference, Statement, statements
from bot.assistant.sources import Source, Sources, support
from bot.assistant.wording import flat
from index.paper import Paper
from index.text.tex import readable

NO_CITATION = "it cites no paper"
_UNKNOWN = "its citation [{}] names no paper retrieved here"


@dataclass(frozen=True, slots=True)
class Checked:
    """One sentence of a model, without markers, with what the check found."""

    text: str
    citations: tuple[Citation, ...] = ()
    problem: str = ""
    """Why it must not be shown; empty where it stands."""
    about_papers: bool = False
    """True where it says something that only a paper can support."""
    quoted: bool = False
    """True where the whole of it is a paper's own words; `text` is then without quotation marks."""
    heading: bool = False
    """True for a heading of the text."""
    item: bool = False
    """True for the first sentence of a list item."""
    block: int = 0
    """Number of the paragraph, item or heading of the text that it stands in."""

    def sentence(self) -> Sentence:
        """It as part of an answer; a heading in running text ends with a colon."""
        bare = self.heading and self.text[-1:].isalnum()
        return Sentence(f"{self.text}:" if bare else self.text, self.citations, self.quoted)


@dataclass(frozen=True, slots=True)
class Grounded:
    """A model's text, sentence by sentence."""

    sentences: tuple[Checked, ...]

    @property
    def stands(self) -> bool:
        """Whether every sentence may be shown."""
        return not any(sentence.problem for sentence in self.sentences)

    def repair(self) -> str:
        """What is wrong, for the model to mend, a line a sentence; empty where all stands."""
        return "\n".join(f"- “{s.text}”: {s.problem}." for s in self.sentences if s.problem)


def ground(text: str, sources: Mapping[str, Paper]) -> Grounded:
    """Check a model's text against the papers retrieved in this conversation, by handle.

    Never raises, whatever the text is.
    """
    known = Sources(sources)
    return Grounded(
        tuple(
            _check(statement, known)
            for statement in statements(text, known.resolve, known.verbatim)
        )
    )


def best_quotation(
    sentence: Checked | str, sources: Mapping[str, Paper], floor: float = 0.25
) -> Sentence | None:
    """The words of a paper that say what the sentence wanted to say, ready to show; None if none do.

    Sentences of the papers that it cites come first.
    """
    known = Sources(sources)
    if isinstance(sentence, Checked):
        text, cited = sentence.text, {citation.paper_id for citation in sentence.citations}
    else:
        read = statements(sentence, known.resolve, known.verbatim)
        text = " ".join(statement.text for statement in read)
        keys = {reference.key for statement in read for reference in statement.references}
        cited = {known.by_handle[key].paper.id for key in keys}
    words = flat(text)
    for group in (
        [s for s in known.by_handle.values() if s.paper.id in cited],
        [s for s in known.by_handle.values() if s.paper.id not in cited],
    ):
        ranked = [
            (score, -n, s, n)
            for s in group
            for n, score in enumerate(support(words, s))
            if n and not speaks(s.sentences[n])
        ]
        if ranked and max(ranked, key=lambda row: row[:2])[0] >= floor:
            _, _, source, number = max(ranked, key=lambda row: row[:2])
            citation = source.citation(number)
            return Sentence(readable(citation.quote), (citation,), quoted=True)
    return None


def paragraphs(sentences: Iterable[Checked]) -> tuple[Prose, ...]:
    """The sentences that stand as blocks of an answer: paragraphs, lists, headings over them.

    Headings and lead-ins that nothing follows any more are left out.
    """
    kept = [sentence for sentence in sentences if not sentence.problem]
    made: list[Prose] = []
    heading, group = "", list[Checked]()
    for sentence, after in zip(kept, [*kept[1:], None], strict=True):
        if sentence.heading:
            heading = sentence.text
            continue
        if sentence.text.endswith(":") and not sentence.about_papers and _ends_here(after):
            continue
        group.append(sentence)
        both_items = after and after.item and sentence.item
        if after is None or after.heading or (after.block != sentence.block and not both_items):
            made.append(Prose(tuple(one.sentence() for one in group), heading))
            heading, group = "", []
    if group:
        made.append(Prose(tuple(one.sentence() for one in group), heading))
    return tuple(made)


def _ends_here(after: Checked | None) -> bool:
    return after is None or after.heading or not (after.about_papers or after.item)


def _check(statement: Statement, known: Sources) -> Checked:
    return replace(
        _judge(statement, known),
        heading=statement.kind is Kind.HEADING,
        item=statement.kind is Kind.ITEM,
        block=statement.block,
    )


def _judge(statement: Statement, known: Sources) -> Checked:
    shown = readable(statement.text).replace("**", "").strip()
    if statement.kind is Kind.ITEM:
        shown = f"- {shown}"
    cited = _cited(statement, known)
    whole = known.whole_quotation(statement.text, cited)
    if whole:
        source, numbers, inner = whole
        citations = tuple(source.citation(number) for number in numbers)
        return Checked(readable(inner), citations, about_papers=True, quoted=True)
    if not is_claim(statement, known, cited=bool(cited)):
        found = problems(statement.text, (), known, only_references=True)
        return Checked(shown, problem="; ".join(found))
    if not cited:
        unknown = statement.unknown[:1]
        problem = _UNKNOWN.format(unknown[0]) if unknown else NO_CITATION
        return Checked(shown, problem=problem, about_papers=True)
    found = problems(statement.text, cited, known)
    return Checked(shown, _citations(statement, known), "; ".join(found[:3]), about_papers=True)


def _cited(statement: Statement, known: Sources) -> tuple[Source, ...]:
    keys = dict.fromkeys(reference.key for reference in statement.references)
    return tuple(known.by_handle[key] for key in keys)


def _citations(statement: Statement, known: Sources) -> tuple[Citation, ...]:
    """The sentences named by the markers, and where none is named, the one that supports best."""
    found: dict[Citation, None] = {}
    words = flat(statement.text)
    for reference in _merged(statement.references):
        source = known.by_handle[reference.key]
        numbers = [n for n in reference.sentences if n < len(source.sentences)]
        for number in source.supporting(words, numbers):
            found[source.citation(number)] = None
    return tuple(found)


def _merged(references: tuple[Reference, ...]) -> list[Reference]:
    """One reference a paper, with all the sentences named."""
    merged: dict[str, tuple[int, ...]] = {}
    for reference in references:
        merged[reference.key] = (*merged.get(reference.key, ()), *reference.sentences)
    return [Reference(key, tuple(dict.fromkeys(numbers))) for key, numbers in merged.items()]
