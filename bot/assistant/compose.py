"""From the guarded reply and what the tools found to an Answer: every record field from the record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.answer import (
    Action,
    Actions,
    Answer,
    Block,
    Citation,
    Comparison,
    ComparisonRow,
    Notice,
    PaperCard,
    PaperItem,
    PaperList,
    Prose,
    Sentence,
)
from bot.assistant.artifacts import Artifact, FoundPaper, Quote, Remark
from bot.assistant.models import EXTRACTIVE
from bot.assistant.turn import Turn
from index.text.tex import readable

BUNDLED = (
    "This is the library that ships with Footnote: notes on known papers in our own words, not the "
    "authors' abstracts. `python -m index add FILE` begins your own."
)
QUOTES_ONLY = (
    "I quote and do not write: no chat model is connected. CHAT_MODEL in .env connects one, "
    "as in CHAT_MODEL=openai:gpt-5-mini."
)
SPENT = "Today's {:,} tokens of this chat are used up, so this is quoted; they begin anew at midnight UTC."
NOT_REACHED = "The chat model could not be reached, so this is quoted."


def compose(turn: Turn, found: Sequence[Artifact], once: Iterable[str] = ()) -> tuple[Block, ...]:
    """The blocks of a reply; `once` are notices that are due for the first time."""
    blocks: list[Block] = []
    if turn.ending:
        blocks.append(Notice(turn.ending))
    blocks += _withdrawn(found)
    if turn.said and not found:
        blocks.append(Notice(turn.said))
    said = False
    for artifact in found:
        blocks += _blocks(artifact, None if turn.sentences is None else [])
    if turn.sentences is not None:
        blocks = _with_prose(blocks, turn.sentences, found)
        said = True
    del said
    blocks += [Notice(text) for text in _about_the_guard(turn)]
    blocks += [Notice(text) for text in once]
    if actions := _actions(found):
        blocks.append(actions)
    return tuple(blocks) or (Notice("Nothing to say to that."),)


def answer_of(
    turn: Turn,
    found: Sequence[Artifact],
    tools: Sequence[str],
    *,
    once: Iterable[str] = (),
    seconds: float = 0.0,
) -> Answer:
    """The whole reply."""
    return Answer(
        blocks=compose(turn, found, once),
        tools=tuple(tools),
        abstained=bool(found) and all(a.abstained for a in found),
        model=turn.model,
        tokens=turn.tokens,
        spent=tuple(turn.spent.values()),
        seconds=seconds,
        papers=tuple(papers_of(turn, found)),
    )


def papers_of(turn: Turn, found: Sequence[Artifact]) -> list[str]:
    """Ids of the papers listed, compared, summarised or cited, in order."""
    ids = [paper.id for artifact in found for paper in artifact.named]
    for sentence in turn.sentences or ():
        ids += [citation.paper_id for citation in sentence.citations]
    return list(dict.fromkeys(ids))


def sentence_of(quote: Quote) -> Sentence:
    """A quotation, shown as people read it and cited as it stands."""
    return Sentence(readable(quote.text), (citation_of(quote),), quoted=True)


def citation_of(quote: Quote) -> Citation:
    """The citation of a quotation."""
    start = quote.start if quote.sentence else -1
    return Citation(quote.paper_id, quote.handle, quote.title, quote.text, start)


def _blocks(artifact: Artifact, sentences: list[Sentence] | None) -> Iterator[Block]:
    """What the artifact shows; without its quotations where a model wrote the words."""
    quoted = sentences is None
    for text in artifact.notices:
        yield Notice(readable(text))
    if artifact.asks:
        yield Notice(readable(artifact.asks))
    if artifact.abstained or artifact.asks:
        papers = artifact.nearest or (artifact.papers if artifact.asks else [])
        if papers:
            heading = (
                "Which of these?"
                if artifact.asks
                else "Nearest, though it may not be what you want:"
            )
            yield PaperList(
                items_of(papers), heading if len(papers) > 1 or artifact.asks else "Nearest:"
            )
        return
    match artifact.tool:
        case "search" | "similar" | "contrast":
            yield PaperList(items_of(artifact.papers), readable(artifact.heading))
        case "show":
            yield PaperCard(artifact.papers[0].item())
        case "summarise" if quoted:
            facets = tuple((q.facet, sentence_of(q)) for q in artifact.passages)
            yield PaperCard(artifact.papers[0].item(), facets)
        case "summarise":
            yield PaperCard(artifact.papers[0].item())
        case "answer" | "explain" | "survey" if quoted:
            yield from _remarks(artifact)
            yield Prose(tuple(sentence_of(q) for q in artifact.passages))
        case "compare":
            rows = tuple(
                ComparisonRow(row.facet, tuple(sentence_of(c) if c else None for c in row.cells))
                for row in artifact.rows
            )
            yield from _remarks(artifact)
            yield Comparison(items_of(artifact.papers), rows)


def _remarks(artifact: Artifact) -> Iterator[Prose]:
    if artifact.remarks:
        yield Prose(tuple(_remark(remark) for remark in artifact.remarks))


def _remark(remark: Remark) -> Sentence:
    return Sentence(readable(remark.text), tuple(citation_of(quote) for quote in remark.quotes))


def items_of(papers: Sequence[FoundPaper]) -> tuple[PaperItem, ...]:
    """Records as a reply lists them."""
    return tuple(paper.item() for paper in papers)


def _with_prose(
    blocks: list[Block], sentences: list[Sentence], found: Sequence[Artifact]
) -> list[Block]:
    """A model's words stand above lists and comparisons, and under a paper's record."""
    prose = Prose(tuple(sentences))
    if not sentences:
        return blocks
    place = 0
    for number, block in enumerate(blocks):
        if isinstance(block, Notice | PaperCard):
            place = number + 1
    del found
    return [*blocks[:place], prose, *blocks[place:]]


def _withdrawn(found: Sequence[Artifact]) -> Iterator[Notice]:
    """Said before any claim of theirs."""
    seen: set[str] = set()
    for artifact in found:
        for paper in artifact.named:
            if paper.status != "active" and paper.id not in seen:
                seen.add(paper.id)
                yield Notice(f"“{readable(paper.title)}” was {paper.status}.")


def _about_the_guard(turn: Turn) -> Iterator[str]:
    if turn.replaced:
        some = "One sentence" if turn.replaced == 1 else f"{turn.replaced} sentences"
        yield f"{some} of the model did not stand on its source, and a quotation takes its place."
    if turn.dropped:
        some = "One sentence" if turn.dropped == 1 else f"{turn.dropped} sentences"
        yield (
            f"{some} of the model had no support in the abstracts and was left out."
            if (turn.dropped == 1)
            else f"{some} of the model had no support in the abstracts and were left out."
        )
    if turn.limit:
        yield SPENT.format(turn.limit)
    if turn.failed and turn.model == EXTRACTIVE:
        yield NOT_REACHED
    elif turn.failed and turn.model not in turn.failed:
        yield f"{turn.failed[0]} did not answer, so this is from {turn.model}."


def _actions(found: Sequence[Artifact]) -> Actions | None:
    papers = [p for artifact in found if not artifact.asks for p in artifact.named]
    papers = list({p.id: p for p in papers}.values())
    if not papers or not found:
        return None
    tool = found[-1].tool
    items: list[Action] = []
    if len(papers) == 1:
        (paper,) = papers
        if tool != "summarise":
            items.append(Action("Summary", "summary", paper.handle))
        items.append(Action("Similar", "similar", paper.handle))
        items.append(Action("Compare with…", "compare", paper.handle))
    else:
        for number, paper in enumerate(papers[:5], 1):
            items.append(Action(f"Summary {number}", "summary", paper.handle))
    return Actions(tuple(items))
