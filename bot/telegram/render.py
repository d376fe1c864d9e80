"""An Answer as messages: text, footnotes and buttons, each part the request that sends it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bot import plain as words
from bot.answer import (
    Action,
    Actions,
    Answer,
    Block,
    Citation,
    Comparison,
    Notice,
    PaperCard,
    PaperItem,
    PaperList,
    Prose,
    Sentence,
)
from bot.telegram.prose import prose
from bot.telegram.rich import (
    Span,
    Spans,
    cut,
    is_blank,
    joined,
    plain,
    shown,
    to_html,
    units,
    usable_link,
)

Part = dict[str, Any]
"""The request of one message without its chat. A button may hold `tap`, what it does, in place of
`callback_data`; the sender keeps it and writes its token."""

Tap = dict[str, Any]

MAX_MESSAGES = 5
"""A longer reply goes on in a file."""
MAX_BUTTON = 40
"""Characters of a label that phones still show."""
EMPTY = "I have nothing to say to that. Ask me about a topic, a paper, or write /help."
WHOLE = "The rest is in this file, with everything above."


def render(answer: Answer) -> list[Part]:
    """The messages of a reply, in order; never none, and none blank."""
    notes = _Notes(answer)
    blocks = [list(_block(block, notes)) for block in answer.blocks]
    blocks.append(notes.footnotes())
    return parts(list(joined(blocks)), keyboard(answer))


def line(text: str) -> list[Part]:
    """Words of the product itself, without markup."""
    return parts([Span(text)])


def parts(spans: Sequence[Span], rows: Sequence[Sequence[Part]] = ()) -> list[Part]:
    """Messages of spans, with the buttons under the last one."""
    messages = cut(spans) or cut([Span(EMPTY)])
    made = [_message(message) for message in messages[:MAX_MESSAGES]]
    if rows:
        made[-1]["reply_markup"] = {"inline_keyboard": [list(row) for row in rows]}
    if len(messages) > MAX_MESSAGES:
        text = plain(list(spans))
        made.append({"document": {"filename": "answer.txt", "text": text}, "caption": WHOLE})
    return made


def button(label: str, tap: Tap) -> Part:
    """A button that does what `tap` says."""
    text = shown(label) if not is_blank(label) else str(tap["verb"]).capitalize()
    if units(text) > MAX_BUTTON:
        text = plain(cut([Span(text[: MAX_BUTTON - 1])])[0]) + "…"
    return {"text": text, "tap": tap}


def _seen(text: str) -> str:
    """Words of a record, for a reader's eye and safe beside other text."""
    return shown(words.line(text))


def _message(spans: Spans) -> Part:
    return {
        "text": to_html(spans),
        "parse_mode": "HTML",
        "link_preview_options": {"is_disabled": True},
    }


class _Notes:
    """Footnotes: numbered in the order of the reply, their quotations at its end."""

    def __init__(self, answer: Answer) -> None:
        self.numbers = {citation: n for n, citation in enumerate(answer.citations, 1)}
        self._links = {item.id: item.link for item in _items(answer)}
        self._above = words.quoted_above(answer.blocks)

    def markers(self, citations: Sequence[Citation]) -> Iterator[Span]:
        """Linked numbers behind a sentence."""
        for citation in citations:
            if citation is citations[0]:
                yield Span(" ")
            yield Span(f"[{self.numbers[citation]}]", link=self.link(citation))

    def link(self, citation: Citation) -> str:
        """Where the cited paper can be read."""
        link = self._links.get(citation.paper_id, "")
        return usable_link(words.address(citation.paper_id, link))

    def footnotes(self) -> list[Span]:
        """Papers and quotations; a quotation that stands above is not said twice."""
        lines: list[list[Span]] = []
        for (paper_id, title, handle), citations in self._by_paper().items():
            numbers = "".join(f"[{self.numbers[c]}]" for c in citations)
            name = _seen(title) or paper_id
            head = [Span(f"{numbers} ", quote=True), Span(name, bold=True, quote=True)]
            if handle:
                head += [Span(" · ", quote=True), Span(handle, code=True, quote=True)]
            lines.append(head)
            for citation in citations:
                quote = _seen(citation.quote)
                if quote and citation.start >= 0 and words.line(citation.quote) not in self._above:
                    said = f"[{self.numbers[citation]}] " if len(citations) > 1 else ""
                    lines.append([Span(f"{said}“{quote}”", quote=True)])
        spans: list[Span] = []
        for number, words_of_line in enumerate(lines):
            spans += [Span("\n", quote=True)] if number else []
            spans += words_of_line
        return spans

    def _by_paper(self) -> dict[tuple[str, str, str], list[Citation]]:
        papers: dict[tuple[str, str, str], list[Citation]] = {}
        for citation in self.numbers:
            key = citation.paper_id, citation.title, citation.handle
            papers.setdefault(key, []).append(citation)
        return papers


def _items(answer: Answer) -> Iterator[PaperItem]:
    for block in answer.blocks:
        match block:
            case PaperList():
                yield from block.items
            case PaperCard():
                yield block.item
            case Comparison():
                yield from block.papers


def block_spans(block: Block) -> Iterator[Span]:
    """One block without footnotes."""
    return _block(block, _Notes(Answer(())))


def _block(block: Block, notes: _Notes) -> Iterator[Span]:
    match block:
        case Prose():
            yield from _prose(block, notes)
        case PaperList():
            yield from _list(block)
        case PaperCard():
            yield from _card(block, notes)
        case Comparison():
            yield from _comparison(block, notes)
        case Notice():
            if notice := _seen(block.text):
                yield Span(notice, italic=True)
        case Actions():
            return


def _prose(block: Prose, notes: _Notes) -> Iterator[Span]:
    if heading := _seen(block.heading):
        yield Span(heading, bold=True)
        yield Span("\n")
    for number, line_of in enumerate(words.paragraphs(block.sentences)):
        if number:
            yield Span("\n")
        for place, sentence in enumerate(line_of):
            if place:
                yield Span("\n" if "\n" in sentence.text else " ")
            if sentence.quoted and len(line_of) == 1 and len(block.sentences) > 1:
                yield Span("• ")
            yield from _sentence(sentence, notes)


def _sentence(sentence: Sentence, notes: _Notes) -> Iterator[Span]:
    if sentence.quoted:
        yield Span(f"“{_seen(sentence.text)}”")
    else:
        yield from prose(sentence.text)
    yield from notes.markers(sentence.citations)


def _list(block: PaperList) -> Iterator[Span]:
    head = [Span(_seen(block.heading), bold=True)]
    items = [[Span(f"{n}. "), *_paper(item)] for n, item in enumerate(block.items, 1)]
    yield from joined([head, *items])


def _paper(item: PaperItem) -> Iterator[Span]:
    """Title, then who, when and where, then why it is listed."""
    link = usable_link(words.address(item.id, item.link))
    yield Span(_title(item), bold=True, link=link)
    for mark in words.marks_of(item):
        yield Span(f" [{mark}]", bold=mark.isupper(), italic=not mark.isupper())
    if known := shown(words.facts_of(item)):
        yield Span(f"\n{known}")
    if item.handle:
        yield Span(" · " if known else "\n")
        yield Span(item.handle, code=True)
    if reason := _seen(item.reason):
        yield Span("\n")
        yield Span(reason, italic=True)


def _title(item: PaperItem) -> str:
    title = shown(words.title_of(item))
    return (item.handle or item.id) if is_blank(title) else title


def _card(block: PaperCard, notes: _Notes) -> Iterator[Span]:
    facets = [
        [Span(f"{shown(words.facet_name(facet))}: ", bold=True), *_sentence(sentence, notes)]
        for facet, sentence in block.facets
    ]
    yield from joined([list(_paper(block.item)), *facets])


def _comparison(block: Comparison, notes: _Notes) -> Iterator[Span]:
    """A facet a paragraph with a bullet a paper, since phones show no tables."""
    papers = [[Span(f"{n}. "), *_paper(item)] for n, item in enumerate(block.papers, 1)]
    rows = []
    for row in block.rows:
        spans = [Span(shown(words.facet_name(row.facet)), bold=True)]
        for item, cell in zip(block.papers, row.cells, strict=False):
            spans += [Span("\n• "), Span(item.handle or _title(item), bold=True), Span(": ")]
            if cell is None or is_blank(cell.text):
                spans.append(Span(words.NOT_STATED, italic=True))
            else:
                spans += _sentence(cell, notes)
        rows.append(spans)
    yield from joined([*papers, *rows])


def keyboard(answer: Answer) -> list[list[Part]]:
    """A row a paper: Summary, Similar, Compare…; then what else was offered."""
    rows: list[list[Part]] = []
    covered: set[tuple[str, str]] = set()
    for block in answer.blocks:
        match block:
            case PaperList():
                for number, item in enumerate(block.items, 1):
                    if item.handle:
                        others = [other for other in block.items if other.handle != item.handle]
                        rows.append(paper_row(item.handle, others, f"{number} · "))
            case PaperCard() if block.item.handle:
                rows.append(paper_row(block.item.handle, [], "")[1:])
    for row in rows:
        covered |= {(b["tap"]["verb"], b["tap"]["paper"]) for b in row}
    offered = [
        made
        for block in answer.blocks
        if isinstance(block, Actions)
        for action in block.items
        if ((made := _action(action))["tap"]["verb"], made["tap"]["paper"]) not in covered
    ]
    rows += [offered[i : i + 3] for i in range(0, len(offered), 3)]
    return rows[:30]


def paper_row(handle: str, others: Sequence[PaperItem], prefix: str) -> list[Part]:
    """The buttons of one paper; comparing takes a second tap, on one of the others."""
    choice = [[other.handle, _title(other)] for other in others if other.handle]
    return [
        button(f"{prefix}Summary", {"verb": "summary", "paper": handle}),
        button("Similar", {"verb": "similar", "paper": handle}),
        button("Compare…", {"verb": "choose", "paper": handle, "others": choice}),
    ]


def choice(handle: str, others: Sequence[tuple[str, str]]) -> list[Part]:
    """The question which paper to compare with, a button an answer."""
    rows = [
        [button(title, {"verb": "compare", "papers": [handle, other]})] for other, title in others
    ]
    return parts([Span("Compare "), Span(handle, code=True), Span(" with which one?")], rows)


def _action(action: Action) -> Part:
    verb = "choose" if action.verb == "compare" else action.verb
    tap: Tap = {"verb": verb, "paper": action.handle}
    return button(action.label, {**tap, "others": []} if verb == "choose" else tap)
