"""An Answer in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import rich.console
from rich.table import Table
from rich.text import Text

from bot import plain
from bot.answer import (
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

NARROWEST_COLUMN = 30
"""Columns of a comparison with less room are stacked instead."""


def print_answer(answer: Answer, out: rich.console.Console | None = None) -> None:
    """Print a whole reply; plain text where the output is no terminal."""
    out = out or rich.console.Console(highlight=False)
    if not out.is_terminal:
        print(plain.render(answer), file=out.file)
        return
    page = Page(out)
    for block in answer.blocks:
        page.block(block)
    page.end()


class Page:
    """One reply on its way to the terminal, block by block."""

    def __init__(self, out: rich.console.Console) -> None:
        self._out = out
        self._notes = plain.Footnotes()
        self.blocks: list[Block] = []
        """What was printed."""

    def block(self, block: Block) -> None:
        """Print one block, with a blank line before it."""
        made = list(self._block(block))
        if not made:
            return
        if self.blocks:
            self._out.print()
        self.blocks.append(block)
        for part in made:
            self._out.print(part)

    def end(self) -> None:
        """Print the footnotes."""
        if not self._notes.numbers:
            return
        links = {item.id: item.link for block in self.blocks for item in _items(block)}
        self._out.print()
        for numbers, quote, citation in self._notes.entries(self.blocks):
            source = _source(citation, links.get(citation.paper_id, ""))
            note = Text.assemble((f"{numbers} ", "cyan"), (quote, "italic"), source)
            self._out.print(note, style="dim")

    def _block(self, block: Block) -> Iterator[Text | Table]:
        match block:
            case Prose():
                yield from self._prose(block)
            case PaperList():
                if heading := plain.line(block.heading):
                    yield Text(heading, style="bold")
                for number, item in enumerate(block.items, 1):
                    yield _paper(item, f"{number}. ")
            case PaperCard():
                yield _paper(block.item)
                for facet, sentences in plain.by_facet(block):
                    words = Text(" ").join(self._sentence(sentence) for sentence in sentences)
                    yield Text.assemble((f"{plain.facet_name(facet)}: ", "bold"), words)
            case Comparison():
                yield from self._comparison(block)
            case Notice():
                if notice := plain.line(block.text):
                    yield Text(notice, style="yellow")
            case Actions():
                if offered := plain.actions_line(block.items):
                    yield Text(offered, style="dim")

    def _prose(self, block: Prose) -> Iterator[Text]:
        if heading := plain.line(block.heading):
            yield Text(heading, style="bold")
        for sentences in plain.paragraphs(block.sentences):
            yield Text(" ").join(self._sentence(sentence) for sentence in sentences)

    def _sentence(self, sentence: Sentence) -> Text:
        text = Text(plain.said(sentence))
        return text.append(self._notes.markers(sentence.citations), style="cyan")

    def _comparison(self, block: Comparison) -> Iterator[Text | Table]:
        for number, item in enumerate(block.papers, 1):
            yield _paper(item, f"{number}. ")
        names = [item.handle or plain.title_of(item) for item in block.papers]
        if self._out.width < 12 + NARROWEST_COLUMN * len(names):
            for row in block.rows:
                yield Text(f"\n{plain.facet_name(row.facet)}", style="bold")
                for name, cell in zip(names, row.cells, strict=False):
                    yield Text.assemble((f"{name}: ", "bold cyan"), self._cell(cell))
            return
        table = Table(show_lines=True, expand=True)
        table.add_column("", style="bold", no_wrap=True)
        for name in names:
            table.add_column(Text(name), ratio=1, overflow="fold")
        for row in block.rows:
            table.add_row(plain.facet_name(row.facet), *(self._cell(cell) for cell in row.cells))
        yield table

    def _cell(self, cell: Sentence | None) -> Text:
        if cell is None or not cell.text.strip():
            return Text(plain.NOT_STATED, style="dim italic")
        return self._sentence(cell)


def _paper(item: PaperItem, prefix: str = "") -> Text:
    """A paper on a few lines; the title is a link (OSC 8) where the terminal knows them."""
    link = plain.address(item.id, item.link)
    text = Text(prefix)
    text.append(plain.title_of(item), style=f"bold link {link}" if link else "bold")
    if item.handle:
        text.append(f" ({item.handle})", style="cyan")
    for mark in plain.marks_of(item):
        text.append(f" [{mark}]", style="red" if mark.isupper() else "dim")
    margin = "\n" + " " * len(prefix)
    for line, style in (
        (plain.facts_of(item), ""),
        (link, f"dim link {link}"),
        (plain.line(item.reason), "italic"),
    ):
        if line:
            text.append(margin).append(line, style=style)
    return text


def _source(citation: Citation, link: str) -> Text:
    link = plain.address(citation.paper_id, link)
    text = Text(plain.source_of(citation), style=f"link {link}" if link else "")
    return text.append(f" {link}", style=f"link {link}") if link else text


def _items(block: Block) -> Iterable[PaperItem]:
    match block:
        case PaperList():
            return block.items
        case PaperCard():
            return (block.item,)
        case Comparison():
            return block.papers
        case _:
            return ()
