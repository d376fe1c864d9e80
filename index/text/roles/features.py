"""What the role model sees of an abstract: words, phrases, place, and the sentences around.

Everything is the same for spaced-out tokens of a data set and for text as authors write it:
letter case, kinds of quotation marks and the digits of a number make no difference.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from index.text.roles.cues import CUES

Floats = NDArray[np.float32]

ROLES = 5
PLACES = 46
"""Length of what `places` gives of a sentence."""
SECOND = 10 * ROLES + PLACES
"""Length of what `around` gives of a sentence."""
_TOKEN = re.compile(r"https?://\S+|www\.\S+|[a-z]+(?:'[a-z]+)?|\d+(?:[.,]\d+)*|[%:;?!,.()©“”\"]")
_NEAR = (-3, -2, -1, 1, 2, 3)


def tokens(sentence: str) -> list[str]:
    """Words in lower case, numbers as `0` or `0.0`, addresses as `URL`, and punctuation."""
    found = []
    for word in _TOKEN.findall(sentence.casefold().replace("’", "'")):
        if word[0].isdigit():
            found.append("0.0" if "." in word else "0")
        elif word.startswith(("http:", "https:", "www.")):
            found.append("URL")
        else:
            found.append('"' if word in "“”" else word)
    return found


def phrases(sentence: str) -> list[tuple[int, int]]:
    """(hash, number of words) of each phrase of up to three words, and of those that open it."""
    words = ["<s>", *tokens(sentence), "</s>"]
    found = {
        (crc32(" ".join(words[start : start + size]).encode()), size)
        for size in (1, 2, 3)
        for start in range(len(words) - size + 1)
    }
    # What opens a sentence counts again: "we" there tells more than "we" somewhere.
    found.update(
        (crc32(("^" + " ".join(words[1 : 1 + size])).encode()), size) for size in (1, 2, 3)
    )
    return sorted(found)


def places(count: int) -> Floats:
    """Where each sentence of an abstract of `count` sentences stands, shape (count, PLACES)."""
    out = np.zeros((count, PLACES), dtype=np.float32)
    for row in range(count):
        place = row / max(1, count - 1)
        out[row, :5] = place, place * place, row == 0, row == count - 1, count / 10
        out[row, 5 + min(row, 7)] = 1
        out[row, 14 + min(count - 1 - row, 7)] = 1
        out[row, 23 + int(place * 9.99)] = 1
        out[row, 34] = count == 1
        out[row, 35 + min(count, 10)] = 1
    return out


def dense(sentences: Sequence[str]) -> Floats:
    """Place and cues of each sentence and of its neighbours, scaled as the model learnt them."""
    cues = np.array([[bool(cue.search(s)) for cue in CUES] for s in sentences], dtype=np.float32)
    cues = cues.reshape(len(sentences), len(CUES))
    return np.hstack(
        [
            np.float32(0.5) * places(len(sentences)),
            np.float32(0.3) * np.hstack([cues, moved(cues, -1), moved(cues, 1)]),
        ]
    )


def moved(rows: Floats, by: int) -> Floats:
    """For each row the one `by` further on, zeros beyond the ends."""
    out = np.zeros_like(rows)
    if abs(by) < len(rows):
        if by > 0:
            out[:-by] = rows[by:]
        else:
            out[-by:] = rows[:by]
    return out


def around(likely: Floats) -> Floats:
    """Features of the second look: how likely each role is here, near, before and behind.

    `likely` has shape (sentences, ROLES) with rows that sum to 1; shape (sentences, SECOND).
    """
    logs = np.log(likely + np.float32(1e-4))
    before, behind = np.zeros_like(likely), np.zeros_like(likely)
    before[1:] = np.maximum.accumulate(likely, axis=0)[:-1]
    behind[:-1] = np.maximum.accumulate(likely[::-1], axis=0)[::-1][1:]
    near = [moved(logs, by) for by in _NEAR]
    return np.hstack([logs, *near, likely, before, behind, np.float32(0.5) * places(len(likely))])
