"""The papers retrieved in a conversation, read for checking against."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from bot.answer import Citation
from bot.assistant.numbers import equal, numbers
from bot.assistant.quotations import Folded, fold, folded_quote, quotations
from bot.assistant.wording import GENERIC, content, flat, initials
from index.identity import canonical_id
from index.paper import Paper
from index.text.sentences import Span, split
from index.text.tex import readable


@dataclass(frozen=True)
class Source:
    """One paper: sentence 0 is its title, sentence n the n-th of its abstract."""

    paper: Paper

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        return tuple(split(self.paper.abstract))

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """Title and sentences, verbatim."""
        return (self.paper.title, *(span.text for span in self.spans))

    @cached_property
    def flat(self) -> tuple[str, ...]:
        """The same as plain words."""
        return tuple(flat(sentence) for sentence in self.sentences)

    @cached_property
    def stems(self) -> tuple[frozenset[str], ...]:
        """Stems of the words that carry meaning, a sentence each."""
        return tuple(frozenset(word.stem for word in content(text)) for text in self.flat)

    @cached_property
    def all_stems(self) -> frozenset[str]:
        return frozenset().union(*self.stems)

    @cached_property
    def folded(self) -> tuple[Folded, ...]:
        """Folded forms in which a quotation may be found: as stored, and as shown."""
        texts = [self.paper.title, self.paper.abstract]
        texts += [shown for text in texts if (shown := readable(text)) != text]
        return tuple(fold(text) for text in texts)

    @cached_property
    def folded_sentences(self) -> tuple[frozenset[str], ...]:
        return tuple(
            frozenset({fold(text).text, fold(readable(text)).text}) for text in self.sentences
        )

    @cached_property
    def named(self) -> str:
        """Everything of the record in which a name may stand, folded."""
        paper = self.paper
        parts = (
            paper.title, paper.abstract, paper.handle, paper.id, paper.venue, *paper.authors,
            *paper.categories,
        )  # fmt: skip
        return " ".join(fold(part).text for part in parts)

    @cached_property
    def initials(self) -> frozenset[str]:
        return initials(" . ".join(self.flat))

    def citation(self, number: int) -> Citation:
        """A footnote to sentence `number`, verbatim."""
        paper = self.paper
        start = self.spans[number - 1].start if number else -1
        return Citation(paper.id, paper.handle, paper.title, self.sentences[number], start)

    def says(self, quote: str) -> bool:
        """Whether the folded words stand in the title or abstract, in one piece."""
        return any(text.find(quote) for text in self.folded)

    def holding(self, quote: str) -> tuple[int, ...]:
        """Numbers of the sentences that a folded quotation touches; empty where it is not verbatim."""
        title, abstract = self.folded[:2]
        if place := abstract.find(quote):
            touched = [
                n
                for n, span in enumerate(self.spans, 1)
                if span.start < place[1] and place[0] < span.end
            ]
            return tuple(touched)
        if title.find(quote):
            return (0,)
        # Shown forms have other offsets than the stored text.
        for number, forms in enumerate(self.folded_sentences):
            if any(Folded(form, tuple(range(len(form)))).find(quote) for form in forms):
                return (number,)
        return ()

    def supporting(self, words: str, chosen: list[int]) -> list[int]:
        """Sentences to cite for a flat sentence: the chosen ones, or the best, and those that its
        figures and quotations need."""
        scores = support(words, self)
        best = max(range(len(scores)), key=lambda n: (scores[n], n > 0, -n))
        picked = chosen or [best]
        for quote in quotations(words, self._verbatim):
            held = self.holding(folded_quote(quote.inner))
            if held and not set(held) & set(picked):
                picked = ([] if not chosen else picked) + list(held)
        for figure in numbers(words):
            holders = [
                n
                for n, text in enumerate(self.flat)
                if any(equal(figure, g) for g in numbers(text))
            ]
            if holders and not set(holders) & set(picked):
                picked = [*picked, max(holders, key=lambda n: scores[n])]
        return list(dict.fromkeys(picked))

    def _verbatim(self, inner: str) -> bool:
        return self.says(folded_quote(inner))


@lru_cache(maxsize=512)
def read(paper: Paper) -> Source:
    """The paper, read once."""
    return Source(paper)


def support(words: str, source: Source) -> list[float]:
    """How much of a flat sentence each sentence of the source says, 0..1; the title first."""
    said = {word.stem for word in content(words)}
    figures = numbers(words)
    weights = {key: 0.3 if key in GENERIC else 1.0 for key in said}
    total = sum(weights.values()) + 2.0 * len(figures)
    if not total:
        return [0.0] * len(source.sentences)
    scores = []
    for text, stems in zip(source.flat, source.stems, strict=True):
        shared = sum(weight for key, weight in weights.items() if key in stems)
        given = numbers(text)
        shared += 2.0 * sum(any(equal(figure, other) for other in given) for figure in figures)
        scores.append(shared / total)
    return scores


class Sources:
    """The sources of a conversation by handle."""

    def __init__(self, sources: Mapping[str, Paper]) -> None:
        self.by_handle = {handle: read(paper) for handle, paper in sources.items()}
        self._keys = {handle.casefold(): handle for handle in sources}
        for handle, paper in sources.items():
            self._keys.setdefault(paper.id.casefold(), handle)
            if paper.handle:
                self._keys.setdefault(paper.handle.casefold(), handle)

    def resolve(self, name: str) -> str | None:
        """The key of the source that a name in a marker means, or None."""
        key = self._keys.get(name.strip().strip("`*").casefold())
        if key is None and re.search(r"[:/.]", name) and (known := canonical_id(name)):
            key = self._keys.get(known.casefold())
        return key

    def verbatim(self, inner: str) -> bool:
        """Whether any source says these words in one piece."""
        quote = folded_quote(inner)
        return bool(quote) and any(source.says(quote) for source in self.by_handle.values())

    def whole_quotation(
        self, text: str, cited: tuple[Source, ...]
    ) -> tuple[Source, tuple[int, ...], str] | None:
        """(source, sentence numbers, words) where all of a statement is one cited quotation."""
        found = list(quotations(text, self.verbatim))
        if len(found) != 1 or text[: found[0].start].strip(" *_-") or not cited:
            return None
        if text[found[0].end :].strip(" .,;*_"):
            return None
        inner = found[0].inner.strip()
        for source in cited:
            if numbers := source.holding(folded_quote(inner)):
                return source, numbers, inner
        return None
