"""Libraries whose papers are made up and whose vectors cost nothing, to be worked hard.

A text's vector is the sum of its words' vectors, which follow from the words alone: texts that share
words are near to each other, in every process, and no model runs.
"""

from __future__ import annotations

import random
import re
import zlib
from functools import lru_cache
from pathlib import Path

import numpy as np
from langchain_core.embeddings import Embeddings

from index import postings, vectors
from index.embed import EmbeddingModel, Matrix
from index.library import Library
from index.paper import Paper
from index.papers import Papers

DIMENSION = 64
TOPICS = (
    "estuary lantern copper orchard violin glacier harvest pendulum saffron marble thicket compass "
    "kiln meadow turbine anchor parchment willow quarry beacon"
).split()


@lru_cache(maxsize=100_000)
def _of_word(word: str) -> Matrix:
    chance = np.random.default_rng(zlib.crc32(word.encode()))
    return chance.standard_normal(DIMENSION, dtype=np.float32)


class Hashed(Embeddings):
    """Bags of words; 64 dimensions."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """The sum of the words' vectors, for each text."""
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """The sum of the words' vectors."""
        words = re.findall(r"\w+", text.casefold()) or ["nothing"]
        made: list[float] = np.sum([_of_word(word) for word in words], axis=0).tolist()
        return made


def hashed_library(folder: Path) -> Library:
    """Open the library in a folder, begun where there is none."""
    model = EmbeddingModel("hashed", Hashed())
    papers = Papers.create(folder / "papers.sqlite", model.fingerprint)
    try:
        papers.verify(model.fingerprint)
        return Library(folder, papers, model)
    except BaseException:
        papers.close()
        raise


def restless(changes: int = 8, flat: int = vectors.FLAT_LIMIT) -> None:
    """Have files written after so few changes, and great indexes made of so few papers."""
    vectors.LATER = postings.LATER = changes
    vectors.MOST_LATER = changes
    vectors.FLAT_LIMIT = flat


def name_of(number: int) -> str:
    """A word that no other paper has."""
    syllables = "ba de fi go ku la me ni po ru sa te vi wo xu za".split()
    digits = [number >> shift & 15 for shift in (12, 8, 4, 0)]
    return "q" + "".join(syllables[digit] for digit in digits)


def made_up(number: int, take: int = 1) -> Paper:
    """Paper `number`; each take of it has an abstract of its own."""
    chance = random.Random(number * 1000 + take)
    name = name_of(number)
    said = [
        f"We measure the {chance.choice(TOPICS)} of each {chance.choice(TOPICS)} with {name}."
        f" The {chance.choice(TOPICS)} grows by {chance.randrange(2, 99)} percent."
        for _ in range(3)
    ]
    topic = TOPICS[number % len(TOPICS)]
    return Paper(
        id=f"arxiv:26{number // 90_000 + 1:02}.{number % 90_000 + 1:05}",
        title=f"Observations of {name} in a {topic}",
        abstract=" ".join([f"This is take {take} of the study {name}.", *said]),
        authors=(f"Ada {name.title()}",),
        published="2026-01-05",
        venue="Notes on Instruments",
        categories=("cs.LG",) if number % 2 else ("cs.CL",),
        source="file:made-up.jsonl",
        version=take,
    )
