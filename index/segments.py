"""Segments: an inverted index of some papers, made once and only read afterwards."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from index import stamps
from index.lexical import fold, stem

FIELD_HALVES = (4, 2, 1)
"""Weights of an occurrence in title, abstract and authors, in halves."""
MOST = 65_000
"""Words of a paper that are indexed; no abstract has more, and places are written in 16 bits."""
_LAST = 0xFFFF
_BLOCK = 4_000_000
_TOKEN = re.compile(r"[^\W_]+")

Text = tuple[int, str, str, str]
"""Row, title, abstract and authors of a paper."""
Ints = NDArray[Any]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Postings by term, in order of the term's bytes; papers are numbered from 0 within it.

    Kept in this order in a file: the widest numbers first, so that all lie aligned in the map.
    """

    rows: Ints
    """int64 (papers): their rows in the table."""
    gone: Ints
    """int64: rows whose papers in older segments no longer hold."""
    spelled: Ints
    """int64 (terms + 1): where each term begins in `letters`."""
    offsets: Ints
    """int64 (terms + 1): where the postings of each term begin."""
    starts: Ints
    """int64 (terms + 1): where the places of each term begin."""
    docs: Ints
    """int32 (postings): numbers of papers, ascending within a term."""
    lengths: Ints
    """int32 (papers): words of all fields."""
    weights: Ints
    """uint16 (postings): occurrences weighted by field, in halves."""
    counts: Ints
    """uint16 (postings): occurrences, each with its place."""
    places: Ints
    """uint16: where in its paper the term stands, ascending; a place is left free between fields."""
    ends: Ints
    """uint16 (papers, 2): the first place after the title, and after the abstract."""
    letters: Ints
    """uint8: the terms in UTF-8, one after the other."""

    def __len__(self) -> int:
        return len(self.rows)

    def find(self, term: bytes) -> int:
        """The number of a term, or -1."""
        letters, spelled = self.letters, self.spelled
        count = len(spelled) - 1
        place = bisect_left(
            range(count), term, key=lambda i: letters[spelled[i] : spelled[i + 1]].tobytes()
        )
        if place == count or letters[spelled[place] : spelled[place + 1]].tobytes() != term:
            return -1
        return place

    def postings(self, number: int) -> tuple[Ints, Ints]:
        """(papers, weights) of a term."""
        part = slice(self.offsets[number], self.offsets[number + 1])
        return self.docs[part], self.weights[part]

    def phrase(self, numbers: Sequence[int]) -> tuple[Ints, Ints]:
        """(papers, weights) of terms that stand next to each other in this order."""
        standing = [self._standing(number) - after for after, number in enumerate(numbers)]
        standing.sort(key=len)
        kept = standing[0]
        for other in standing[1:]:
            at = np.minimum(np.searchsorted(other, kept), len(other) - 1)
            kept = kept[other[at] == kept]
        docs, places = kept >> 16, kept & _LAST
        field = (places[:, None] >= self.ends[docs]).sum(axis=1)
        found, first = np.unique(docs, return_index=True)
        if not len(found):
            return found, found
        return found, np.add.reduceat(np.array(FIELD_HALVES)[field], first)

    def _standing(self, number: int) -> Ints:
        """Paper and place of each occurrence in one number, ascending."""
        part = slice(self.offsets[number], self.offsets[number + 1])
        docs = np.repeat(self.docs[part].astype(np.int64), self.counts[part])
        return docs << 16 | self.places[self.starts[number] : self.starts[number + 1]]

    def terms(self) -> list[bytes]:
        """All terms in order."""
        letters, spelled = self.letters.tobytes(), self.spelled.tolist()
        return [letters[a:b] for a, b in pairwise(spelled)]

    def write(self, path: Path) -> dict[str, Any]:
        """Write all arrays, as NumPy writes one; the stamp of the file."""

        def fill(file: stamps.Hashing) -> None:
            for one in fields(self):
                npy.write_array(file, np.ascontiguousarray(getattr(self, one.name)))

        return stamps.write(path, fill)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Map a file that `write` made.

        Raises:
            OSError, ValueError: it is missing or no such file.
        """
        arrays = []
        with path.open("rb") as file:
            for _ in fields(cls):
                if npy.read_magic(file) != (1, 0):
                    raise ValueError(f"{path.name} has an unknown format")
                shape, _, kind = npy.read_array_header_1_0(file)
                size = int(np.prod(shape))
                if size:
                    mapped = np.memmap(path, kind, "r", offset=file.tell(), shape=shape)
                    arrays.append(np.asarray(mapped))
                else:
                    arrays.append(np.empty(shape, kind))
                file.seek(size * kind.itemsize, 1)
        return cls(*arrays)


class _Numbers(dict[str, int]):
    """Numbers of the stems of words, given as they come."""

    def __init__(self) -> None:
        self.stems: dict[str, int] = {}

    def __missing__(self, word: str) -> int:
        self[word] = number = self.stems.setdefault(stem(word), len(self.stems))
        return number


def segment_of(texts: Iterable[Text], gone: Sequence[int] = ()) -> Segment:
    """Index papers, in 0.1 ms each; at most four million of them."""
    number = _Numbers()
    rows: list[int] = []
    words, lengths = array("i"), array("i")
    for row, *parts in texts:
        rows.append(row)
        begins = len(words)
        for part in parts:
            before = len(words)
            words.extend(map(number.__getitem__, _TOKEN.findall(fold(part))))
            del words[begins + MOST :]
            lengths.append(len(words) - before)
    return _inverted(
        list(number.stems),
        np.array(rows, np.int64),
        np.array(words, np.int64),
        np.array(lengths, np.int64).reshape(-1, len(FIELD_HALVES)),
        np.array(gone, np.int64),
    )


def _inverted(stems: list[str], rows: Ints, words: Ints, lengths: Ints, gone: Ints) -> Segment:
    """From the words of papers one after the other, (papers, fields) of them, to their papers."""
    spelled = [word.encode() for word in stems]
    order = sorted(range(len(spelled)), key=spelled.__getitem__)
    rank = np.empty(len(spelled), np.int64)
    rank[order] = np.arange(len(spelled))
    whole = lengths.sum(axis=1)
    doc = np.repeat(np.arange(len(rows)), whole)
    field = np.repeat(np.tile(np.arange(lengths.shape[1]), len(rows)), lengths.ravel())
    # A free place after each field: no phrase begins in one and ends in the next.
    place = np.arange(len(words)) - (whole.cumsum() - whole)[doc] + field
    # One sort of one number brings words, papers and places into their order.
    keys = ((rank[words] << 22 | doc) << 16 | place) << 2 | field
    keys = keys.astype(np.uint64)
    keys.sort()
    keys = keys.astype(np.int64)
    pairs = keys >> 18
    begins = np.flatnonzero(np.diff(pairs, prepend=-1))
    counts = np.diff(begins, append=len(keys))
    halves = np.array(FIELD_HALVES)[keys & 3]
    weights = np.add.reduceat(halves, begins) if len(begins) else halves
    pairs = pairs[begins]
    offsets = np.searchsorted(pairs >> 22, np.arange(len(spelled) + 1))
    return Segment(
        rows=rows,
        gone=gone,
        spelled=np.cumsum([0, *(len(spelled[i]) for i in order)], dtype=np.int64),
        offsets=offsets.astype(np.int64),
        starts=np.append(begins, len(keys))[offsets].astype(np.int64),
        docs=(pairs & (1 << 22) - 1).astype(np.int32),
        lengths=whole.astype(np.int32),
        weights=np.minimum(weights, _LAST).astype(np.uint16),
        counts=counts.astype(np.uint16),
        places=(keys >> 2 & _LAST).astype(np.uint16),
        ends=(lengths.cumsum(axis=1)[:, :2] + [1, 2]).astype(np.uint16),
        letters=np.frombuffer(b"".join(spelled[i] for i in order), np.uint8),
    )


def joined(parts: Sequence[tuple[Segment, Mask]], gone: Ints) -> Segment:
    """One segment of several, with the papers that their masks keep, in the same order."""
    vocabularies = [part.terms() for part, _ in parts]
    terms = sorted(set().union(*vocabularies))
    number = {term: place for place, term in enumerate(terms)}
    offsets = np.zeros(len(terms) + 1, np.int64)
    starts = np.zeros(len(terms) + 1, np.int64)
    sized = []
    for (part, mask), vocabulary in zip(parts, vocabularies, strict=True):
        where = np.fromiter(map(number.__getitem__, vocabulary), np.int64, len(vocabulary))
        postings, places = _sizes(part, mask)
        offsets[where + 1] += postings
        starts[where + 1] += places
        sized.append((part, mask, where, postings, places))
    np.cumsum(offsets, out=offsets)
    np.cumsum(starts, out=starts)
    made = (
        np.empty(offsets[-1], np.int32),
        np.empty(offsets[-1], np.uint16),
        np.empty(offsets[-1], np.uint16),
        np.empty(starts[-1], np.uint16),
    )
    to, to_place, papers = offsets[:-1].copy(), starts[:-1].copy(), 0
    for part, mask, where, postings, places in sized:
        renumbered = (np.cumsum(mask) - 1 + papers).astype(np.int32)
        papers += int(mask.sum())
        for block in _blocks(part):
            target = _targets(to[where[block]], postings[block])
            target_place = _targets(to_place[where[block]], places[block])
            _copy(part, mask, block, renumbered, made, target, target_place)
        to[where] += postings
        to_place[where] += places
    docs, weights, counts, stand = made
    return Segment(
        rows=np.concatenate([part.rows[mask] for part, mask in parts]),
        gone=gone,
        spelled=np.cumsum([0, *map(len, terms)], dtype=np.int64),
        offsets=offsets,
        starts=starts,
        docs=docs,
        lengths=np.concatenate([part.lengths[mask] for part, mask in parts]),
        weights=weights,
        counts=counts,
        places=stand,
        ends=np.concatenate([part.ends[mask] for part, mask in parts]),
        letters=np.frombuffer(b"".join(terms), np.uint8),
    )


def _sizes(part: Segment, mask: Mask) -> tuple[Ints, Ints]:
    """How many postings and places of each term are kept."""
    if mask.all():
        return np.diff(part.offsets), np.diff(part.starts)
    kept = mask[part.docs]
    sums = np.concatenate(([0], np.cumsum(kept)))
    places = np.concatenate(([0], np.cumsum(np.where(kept, part.counts, 0), dtype=np.int64)))
    return np.diff(sums[part.offsets]), np.diff(places[part.offsets])


def _blocks(part: Segment) -> Iterator[slice]:
    """Terms some at a time, so that a great segment is never unpacked whole."""
    begin, count = 0, len(part.offsets) - 1
    while begin < count:
        end = int(np.searchsorted(part.offsets, part.offsets[begin] + _BLOCK, "right")) - 1
        yield slice(begin, max(begin + 1, end))
        begin = max(begin + 1, end)


def _targets(first: Ints, sizes: Ints) -> Ints:
    """Where each of the things goes, of which `sizes` lie together from `first` on."""
    return np.repeat(first - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())


def _copy(
    part: Segment,
    mask: Mask,
    block: slice,
    renumbered: Ints,
    made: tuple[Ints, Ints, Ints, Ints],
    target: Ints,
    target_place: Ints,
) -> None:
    span = slice(part.offsets[block.start], part.offsets[block.stop])
    docs = part.docs[span]
    kept = mask[docs]
    made[0][target] = renumbered[docs[kept]]
    made[1][target] = part.weights[span][kept]
    made[2][target] = part.counts[span][kept]
    places = part.places[part.starts[block.start] : part.starts[block.stop]]
    made[3][target_place] = places[np.repeat(kept, part.counts[span])]
