"""Postings: ranking by words, from an inverted index that is derived from the table of papers.

SQLite's FTS5 reads and scores every paper that has any word of the query, one at a time; here a
word's papers are arrays that are added up. The scores are those of FTS5's `bm25()`.
"""

from __future__ import annotations

import json
import logging
import math
import os
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from index import stamps
from index.lexical import STOP_WORDS, fold, stem, stems
from index.segments import FIELD_HALVES, Ints, Mask, Segment, Text, joined, segment_of

K1 = 1.2
B = 0.75
"""FTS5's own (SQLite, FTS5, section 5.1.1)."""
GROWTH = 2
"""A segment is more than so many times as large as the next; else the two are joined."""
SAVED_GROWTH = 8
"""The same for segments that are saved: each costs a search some time."""
LATER = 256
"""So many changes since the files were written are read from the table instead, at the next start."""
FOUND = 20_000
"""Stems of which it is kept where their postings are."""
CACHED = 8_000_000
"""Postings kept ready to be added up, in 4 to 12 bytes each."""
FORMAT = 1
LIST = "postings.json"
_TOKEN = re.compile(r"[^\W_]+")
_COMPOUND = re.compile(r"[^\W_]+(?:[-./'’_+][^\W_]+)+")

log = logging.getLogger(__name__)


def query_terms(text: str, limit: int = 256) -> dict[str, float]:
    """What a text looks for: its stems, each as often as it is said, and its names as phrases.

    A phrase is stems with a space between: `QLoRA-8` looks for the two words next to each other
    as well as for each of them, so that the paper of that name comes before those that have them
    apart. Where a text says nothing but stop words, they are looked for.
    """
    found = _TOKEN.findall(fold(text))
    words = [word for word in found if word not in STOP_WORDS] or found
    out: dict[str, float] = {}
    for word in words[:limit]:
        out[stem(word)] = out.get(stem(word), 0.0) + 1.0
    names = dict.fromkeys(
        " ".join(map(stem, _TOKEN.findall(fold(compound))))
        for compound in _COMPOUND.findall(text)
        if compound != compound.lower()
    )
    return out | dict.fromkeys(list(names)[:16], 1.0)


@dataclass(frozen=True)
class _State:
    """What one search sees, whatever is put in meanwhile."""

    segments: tuple[Segment, ...] = ()
    alive: tuple[Mask, ...] = ()
    known: dict[str, tuple[Ints | None, Any, float]] = field(default_factory=dict)
    found: dict[str, list[tuple[Ints, Ints]]] = field(default_factory=dict)

    @cached_property
    def firsts(self) -> list[int]:
        """The number of each segment's first paper, and of the one after the last."""
        return [0, *np.cumsum([len(part) for part in self.segments]).tolist()]

    @cached_property
    def living(self) -> Mask | None:
        """Which papers hold, or None where all do."""
        mask = np.concatenate([*self.alive, np.empty(0, np.bool_)])
        return None if mask.all() else mask

    @cached_property
    def count(self) -> int:
        return sum(int(mask.sum()) for mask in self.alive)

    @cached_property
    def rows(self) -> Ints:
        return np.concatenate([np.empty(0, np.int64), *(part.rows for part in self.segments)])

    @cached_property
    def norms(self) -> Any:
        """What a paper's length makes of its words: k1 (1 - b + b length / mean), in halves."""
        lengths = np.concatenate([np.empty(0, np.int32), *(p.lengths for p in self.segments)])
        living = lengths if self.living is None else lengths[self.living]
        mean = float(living.mean()) if len(living) else 1.0
        return (2 * K1 * (1 - B + B * lengths / max(mean, 1e-9))).astype(np.float32)

    def matching(self, term: str) -> list[tuple[Ints, Ints]]:
        """(papers, weights) of a stem, or of stems in a row, in each segment that has them."""
        if (known := self.found.get(term)) is not None:
            return known
        spelled = [part.encode("utf-8", "replace") for part in term.split(" ")]
        out = []
        for part, first in zip(self.segments, self.firsts, strict=False):
            numbers = [part.find(one) for one in spelled]
            if min(numbers) < 0:
                continue
            docs, weights = part.postings(numbers[0]) if len(numbers) == 1 else part.phrase(numbers)
            out.append((docs + first if first else docs, weights))
        if len(self.found) > FOUND:
            self.found.clear()
        if len(spelled) == 1:
            self.found[term] = out
        return out

    def told(self, term: str) -> tuple[Ints | None, Any, float]:
        """(papers, what the term adds to each, what it tells); papers None: to all, in order.

        Kept for the terms that are asked for most, which are those that many papers have.
        """
        if (known := self.known.get(term)) is not None:
            return known
        matching = self.matching(term)
        found = self.frequency(matching)
        tells = max(math.log((self.count - found + 0.5) / (found + 0.5)), 1e-6)
        docs = np.concatenate([np.empty(0, np.int64), *(docs for docs, _ in matching)])
        told = np.concatenate([np.empty(0), *(halves for _, halves in matching)])
        told = (told * (K1 + 1) / (told + self.norms[docs])).astype(np.float32)
        size = self.firsts[-1]
        made: tuple[Ints | None, Any, float] = (docs, told, tells)
        if len(docs) * 8 > size:
            # To add to all papers in order is quicker than to an eighth of them here and there.
            every = np.zeros(size, np.float32)
            every[docs] = told
            made = (None, every, tells)
        if sum(len(told) for _, told, _ in list(self.known.values())) > CACHED:
            self.known.clear()
        self.known[term] = made
        return made

    def frequency(self, matching: list[tuple[Ints, Ints]]) -> int:
        """How many papers that hold are matched."""
        if self.living is None:
            return sum(len(docs) for docs, _ in matching)
        return sum(int(self.living[docs].sum()) for docs, _ in matching)


class Postings:
    """Papers by the words of their titles, abstracts and authors. Safe to use from many threads."""

    def __init__(self, texts: Callable[[Sequence[int]], Iterable[Text]]) -> None:
        self.generation = -1
        self._texts = texts
        self._lock = threading.RLock()
        self._local = threading.local()
        self._state = _State()
        self._stamps: dict[Segment, dict[str, Any]] = {}
        self._changed = 0
        self._saved: Path | None = None
        self.witness: dict[str, str] = {}
        """Ids of some rows when they were saved: by them it is known whose postings these are."""

    def __len__(self) -> int:
        return self._state.count

    def search(
        self, terms: Mapping[str, float], k: int, among: Ints | None = None
    ) -> list[tuple[int, float]]:
        """(row, BM25) of the k papers that weigh most, best first; higher is better.

        `terms` are stems with their weights; stems with spaces between must stand in a row.
        `among` are the rows allowed, or None for all.
        """
        state = self._state
        if k <= 0 or not state.count or not terms:
            return []
        scores = self._blank(state.firsts[-1])
        for term, weight in terms.items():
            docs, told, tells = state.told(term)
            if docs is None:
                scores += told * np.float32(weight * tells)
            else:
                scores[docs] += told * np.float32(weight * tells)
        if among is not None:
            scores[~_marked(state.rows, among)] = 0
        if state.living is not None:
            scores[~state.living] = 0
        return _best(scores, state.rows, k)

    def _blank(self, size: int) -> Any:
        """Zeros, a thread's own; memory that is new each time must be given by the system."""
        scores = getattr(self._local, "scores", None)
        if scores is None or len(scores) != size:
            scores = self._local.scores = np.empty(size, np.float32)
        scores.fill(0)
        return scores

    def document_frequency(self, words: Sequence[str]) -> dict[str, int]:
        """In how many papers each stem occurs; those in none are left out."""
        state = self._state
        counted = {word: state.frequency(state.matching(word)) for word in dict.fromkeys(words)}
        return {word: count for word, count in counted.items() if count}

    def terms_of(self, rows: Sequence[int]) -> list[dict[str, int]]:
        """The stems of title and abstract of each paper with their counts, stop words left out."""
        found = {row: (title, abstract) for row, title, abstract, _ in self._texts(rows)}
        out: list[dict[str, int]] = []
        for row in rows:
            counts: dict[str, int] = {}
            for word in stems(" ".join(found.get(row, ("", "")))):
                counts[word] = counts.get(word, 0) + 1
            out.append(counts)
        return out

    def put(self, texts: Iterable[Text], generation: int, deleted: Sequence[int] = ()) -> None:
        """Insert papers, replacing those of the same rows, and leave out the deleted ones."""
        with self._lock:
            fresh = segment_of(texts)
            left = np.concatenate([fresh.rows, np.asarray(deleted, np.int64)])
            state = self._state
            marks = [_marked(part.rows, left) & mask
                     for part, mask in zip(state.segments, state.alive, strict=True)]  # fmt: skip
            gone = [part.rows[mark] for part, mark in zip(state.segments, marks, strict=True)]
            if len(fresh) or any(map(len, gone)):
                fresh = replace(fresh, gone=np.concatenate([np.empty(0, np.int64), *gone]))
                alive = [mask & ~mark if mark.any() else mask
                         for mask, mark in zip(state.alive, marks, strict=True)]  # fmt: skip
                parts = [*zip(state.segments, alive, strict=True)]
                parts.append((fresh, np.ones(len(fresh), np.bool_)))
                self._become(_merged(parts))
            self._changed += len(left)
            self.generation = generation

    def rows(self) -> Ints:
        """The rows of all papers, ascending."""
        state = self._state
        return np.sort(state.rows if state.living is None else state.rows[state.living])

    def _become(self, parts: list[tuple[Segment, Mask]]) -> None:
        self._state = _State(tuple(p for p, _ in parts), tuple(mask for _, mask in parts))

    def take(self, other: Postings) -> None:
        """Become another index."""
        with self._lock:
            self._state, self._stamps = other._state, other._stamps
            self._saved, self._changed = other._saved, other._changed
            self.generation, self.witness = other.generation, other.witness

    def save(self, directory: Path) -> None:
        """Write the segments that are not yet in files, then the list of them, which counts.

        Nothing is written while little has changed since: the table says what.

        Raises:
            OSError: the folder cannot be written to; the list there is then the old one.
        """
        with self._lock:
            if self._saved == directory and self._changed <= LATER:
                return
            parts = [*zip(self._state.segments, self._state.alive, strict=True)]
            if len(parts) > 1:
                self._become(_merged(parts, SAVED_GROWTH))
            state, listed = self._state, []
            for place, (part, mask) in enumerate(zip(state.segments, state.alive, strict=True)):
                if part not in self._stamps:
                    kept = part if mask.all() else joined([(part, mask)], part.gone)
                    name = f"postings.{self.generation}.{os.getpid()}.{place}.npy"
                    stamp = kept.write(directory / name)
                    self._stamps[part] = {"name": name, **stamp}
                listed.append(self._stamps[part])
            known = {"format": FORMAT, "generation": self.generation, "weights": FIELD_HALVES}
            known |= {"segments": listed, "witness": self.witness}
            text = json.dumps(known).encode()
            stamps.write(directory / LIST, lambda file: file.write(text))
            self._stamps = {part: self._stamps[part] for part in state.segments}
            self._saved, self._changed = directory, 0
            names = {stamp["name"] for stamp in listed}
            for path in directory.glob("postings.*.npy"):
                if path.name not in names:
                    path.unlink(missing_ok=True)

    @staticmethod
    def unlisted(directory: Path) -> list[Path]:
        """Segments that no list names: of writers that were killed, or have not ended yet."""
        segments = list(directory.glob("postings.*.npy"))
        try:
            listed = {
                one["name"] for one in json.loads((directory / LIST).read_bytes())["segments"]
            }
        except FileNotFoundError:
            return segments
        except (OSError, ValueError, KeyError, TypeError):
            return []
        return [path for path in segments if path.name not in listed]

    def load(self, directory: Path, generation: int, *, thorough: bool = False) -> bool:
        """Map the files where they are whole and no newer than the table; whether they were."""
        try:
            known = json.loads((directory / LIST).read_bytes())
            if known["format"] != FORMAT or tuple(known["weights"]) != FIELD_HALVES:
                return False
            if not 0 <= known["generation"] <= generation:
                return False
            parts: list[tuple[Segment, Mask]] = []
            written: dict[Segment, dict[str, Any]] = {}
            for stamp in known["segments"]:
                path = directory / Path(stamp["name"]).name
                if not stamps.sound(path, stamp, thorough=thorough):
                    log.warning("%s is damaged and is made again", path.name)
                    return False
                part = Segment.open(path)
                parts = [(p, mask & ~_marked(p.rows, part.gone)) for p, mask in parts]
                parts.append((part, np.ones(len(part), np.bool_)))
                written[part] = stamp
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            log.info("the postings are made again: %s", error)
            return False
        with self._lock:
            self._become(parts)
            self._stamps = written
            self._saved, self._changed = directory, 0
            self.generation, self.witness = known["generation"], dict(known["witness"])
        return True


def _merged(parts: list[tuple[Segment, Mask]], growth: int = GROWTH) -> list[tuple[Segment, Mask]]:
    """Join the last segments while the one before is not much larger than the last."""
    while len(parts) > 1:
        (before, mask), (last, living) = parts[-2:]
        nothing = len(parts) > 2 and not len(last)
        if not nothing and int(mask.sum()) > growth * len(last):
            break
        gone = np.concatenate([before.gone, last.gone]) if len(parts) > 2 else last.gone[:0]
        made = joined([(before, mask), (last, living)], gone)
        parts[-2:] = [(made, np.ones(len(made), np.bool_))]
    return parts


def _marked(rows: Ints, wanted: Ints) -> Mask:
    """Which rows are among those wanted."""
    if not len(rows) or not len(wanted):
        return np.zeros(len(rows), np.bool_)
    if len(wanted) == 1:
        return np.asarray(rows == wanted[0])
    flags = np.zeros(max(int(rows.max()), int(wanted.max())) + 1, np.bool_)
    flags[wanted] = True
    return flags[rows]


def _best(scores: Any, rows: Ints, k: int) -> list[tuple[int, float]]:
    """The k rows of the highest scores above 0, best first, and then in the order of rows."""
    least = np.partition(scores, len(scores) - k)[len(scores) - k] if k < len(scores) else 0.0
    places = np.flatnonzero(scores >= least) if least > 0 else np.flatnonzero(scores)
    order = np.lexsort((rows[places], -scores[places]))[:k]
    places = places[order]
    return list(zip(rows[places].tolist(), scores[places].tolist(), strict=True))
