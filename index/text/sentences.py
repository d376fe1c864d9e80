"""Where the sentences of an abstract begin and end, as offsets into it.

Rules rather than a model: quotations and citations count on the same numbers for ever.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from index.text.words import words


@dataclass(frozen=True, slots=True)
class Span:
    """One sentence: `text == abstract[start:end]`."""

    start: int
    end: int
    text: str


# Never the end of a sentence.
_ABBREVIATIONS = words(
    "e.g i.e e.g, i.e, cf vs viz resp approx fig figs eq eqs eqn eqns secs tab thm lem prop def ref "
    "refs nos vol pp dr prof mr mrs jr sr w.r.t s.t a.k.a i.i.d dept univ ltd algs suppl supp "
    "jan feb apr jun jul aug sept oct nov dec"
)
# Abbreviations that also end sentences: only a word that opens sentences parts after them.
_EITHER = words(
    "etc al u.s u.k u.n e.u ph.d m.sc b.sc a.m p.m sec no st ms max min avg std incl inc corp est ca "
    "p alg app spec obj subj temp seq mar sep"
)
_STARTERS = words(
    "a an the this these those that it its we our in on to for from with by as at however moreover "
    "furthermore additionally finally first second third here there thus hence therefore while when "
    "where although despite since because but and or yet if then such each both all many most some "
    "existing recent previous prior experiments extensive results evaluations empirical "
    "specifically instead unlike inspired building using given motivated notably overall also they "
    "he she i you one two three another unfortunately nevertheless consequently meanwhile code "
    "current after before under through across"
)
# `torch.Tensor`, `Node.Js`: names with a dot, not two sentences run together.
_DOTTED = words(
    "torch nn numpy np tf keras sklearn os sys github jax java node scipy pandas pd plt"
)
_END = re.compile(
    r"[.!?…]+(?:[\"'”’»)\]}*_]|\$(?=\s))*(?=\s)"  # an end, closing quotes, then a blank
    r"|(?:(?<=[a-z]{3})|(?<=[)\]%]))[.!?]+(?=[A-Z][a-z]*\s)"  # the blank after the stop was lost
    r"|。"
)


def split(text: str) -> list[Span]:
    """The sentences in order, without blanks around them; together they hold every non-blank."""
    spans, start = [], 0
    for match in _END.finditer(text):
        if _ends(text, start, match):
            spans += _span(text, start, match.end())
            start = match.end()
    return spans + _span(text, start, len(text))


def _span(text: str, start: int, end: int) -> list[Span]:
    inner = text[start:end]
    start += len(inner) - len(inner.lstrip())
    inner = inner.strip()
    return [Span(start, start + len(inner), inner)] if inner else []


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    before = text[start : match.start()]
    after = text[match.end() : match.end() + 60].lstrip()
    if not after or not before.strip():
        return False
    token = re.split(r"[\s(\[{“\"]", before)[-1]
    glued = not text[match.end() : match.end() + 1].isspace() and match[0] != "。"
    if glued and (re.search(r"[/:@_\\.]", token) or token.casefold() in _DOTTED):
        return False
    if not _opens(after) or _inside_brackets(before, text[match.start() :]):
        return False
    if not match[0].startswith("."):
        return True
    word = token.strip("'‘’“”*_").casefold()
    first = re.split(r"[\s,:;]", after)[0].casefold()
    if word in _EITHER or (len(word) == 1 and word.isalpha() and token.isupper()):
        return first in _STARTERS and not (word == "al" and first in {"a", "i"})
    return word not in _ABBREVIATIONS


def _opens(after: str) -> bool:
    """Whether a sentence can begin so: no lower-case word, but `vLLM`, `$k$` and `\\textsc{x}`."""
    word = re.match(r"[a-z][\w'’-]*", after)
    if word:
        return bool(re.search(r"[A-Z]", word[0]))
    return after[0] not in ",;:.!?)]}%&=<>+/|"


def _inside_brackets(before: str, rest: str) -> bool:
    """Whether a bracket opened in this sentence is still to be closed, and soon is."""
    if "(" not in before and "[" not in before:
        return False
    depth = 0
    for character in before:
        if character in "([":
            depth += 1
        elif character in ")]":
            depth = max(0, depth - 1)
    if not depth:
        return False
    closing = re.search(r"[)\]]", rest)
    opening = re.search(r"[(\[]", rest)
    return bool(
        closing and closing.start() < 400 and (not opening or closing.start() < opening.start())
    )
