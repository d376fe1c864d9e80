"""Words: what a query looks for, stemmed and folded the way the full-text index does it."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache

import Stemmer

STOP_WORDS = frozenset(
    """a about above after again against all also am an and any are aren't as at be because been before
    being below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't
    down during each etc few for from further had hadn't has hasn't have haven't having he her here hers
    herself him himself his how i i'm i've if in into is isn't it it's its itself just let like made make me
    more most my myself no nor not of off on once only or other our ours ourselves out over own please same
    shall she should so some such than that that's the their theirs them themselves then there there's
    these they this those through to too under until up upon us use used using very via was wasn't we were
    weren't what what's when where which while who whom why will with within without won't would you your
    yours yourself yourselves""".split()
)

_TOKEN = re.compile(r"[^\W_]+")
_COMPOUND = re.compile(r"[^\W_]+(?:[-./'’_+][^\W_]+)+")
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_stemmer = Stemmer.Stemmer("porter")

Frequency = Callable[[list[str]], dict[str, int]]


def fold(text: str) -> str:
    """Lower case without diacritics."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return _FOREIGN.sub(lambda m: "" if unicodedata.combining(m[0]) else m[0], decomposed)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Porter's stem of one folded word."""
    return str(_stemmer.stemWord(word))


class _Stems(dict[str, str]):
    """The stem of each word that came before, and nothing for stop words."""

    def __missing__(self, word: str) -> str:
        if len(self) > 1_000_000:
            self.clear()
        self[word] = out = "" if word in STOP_WORDS else stem(word)
        return out


_stem_of = _Stems().__getitem__


def stems(text: str) -> list[str]:
    """Stemmed words of a text in order, stop words left out."""
    return list(filter(None, map(_stem_of, _TOKEN.findall(fold(text)))))


def content_words(text: str) -> list[str]:
    """The words that say something, each once; all words where none does."""
    words = list(dict.fromkeys(_TOKEN.findall(fold(text))))
    return [word for word in words if word not in STOP_WORDS] or words


def fts_query(text: str, limit: int = 256) -> str:
    """A FTS5 query that any text can be made into: its words, and its names as phrases.

    A word said twice counts twice. `QLoRA-8` looks for the two words next to each other as well
    as for each of them, so that the paper of that name comes before those that have them apart.
    """
    found = _TOKEN.findall(fold(text))
    words = [word for word in found if word not in STOP_WORDS] or found
    names = dict.fromkeys(
        " ".join(_TOKEN.findall(fold(compound)))
        for compound in _COMPOUND.findall(text)
        if compound != compound.lower()
    )
    return " OR ".join(f'"{term}"' for term in (*words[:limit], *list(names)[:16]))


def inverse_frequency(words: Iterable[str], frequency: Frequency, count: int) -> dict[str, float]:
    """How much each stem tells: log(1 + (N - n + 0.5) / (n + 0.5)), as in BM25."""
    wanted = list(dict.fromkeys(words))
    found = frequency(wanted)
    return {
        word: math.log1p((count - found.get(word, 0) + 0.5) / (found.get(word, 0) + 0.5))
        for word in wanted
    }


def coverage(weights: dict[str, float], text: str) -> float:
    """The share of the query's weight whose stems occur in the text, 0..1."""
    total = sum(weights.values())
    if not total:
        return 0.0
    there = set(stems(text))
    return sum(weight for word, weight in weights.items() if word in there) / total
