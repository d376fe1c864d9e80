"""Train and measure the role model: `python -m index.text.train_roles DIR [--measure]`.

DIR holds train.jsonl, dev.jsonl and test.jsonl of CSAbstruct: a line an abstract with `sentences`,
their `labels`, and `confs`, how far its annotators agreed on each. Needs SciPy (the `dev` extra).
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from index.text.roles import Role
from index.text.roles.features import ROLES, Floats, around, dense, phrases
from index.text.roles.model import NEIGHBOURS, PATH, RoleModel, load, save, softmax

Integers = NDArray[np.int64]
Abstracts = list[dict[str, Any]]

FOLDS = 4
RARE, RARE_NEAR = 3, 5
"""Sentences in which a phrase must stand to be learnt, and to be learnt of neighbours."""
FIRST_PENALTY, SECOND_PENALTY = 0.3, 5.0
"""Weights of the squared norms, chosen on dev."""
FIRST_STEPS, SECOND_STEPS = 50, 100


def read(path: Path) -> Abstracts:
    """The abstracts of one split, in order."""
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def apart(train: Abstracts, held_back: Iterable[dict[str, Any]]) -> Abstracts:
    """The training abstracts that share no long sentence with those held back.

    27 abstracts of CSAbstruct's test split stand in its train split too, labels and all; whoever
    trains on them measures memory.
    """
    seen = {_letters(s) for abstract in held_back for s in abstract["sentences"]} - {""}
    return [a for a in train if not any(_letters(s) in seen for s in a["sentences"])]


def _letters(sentence: str) -> str:
    letters = re.sub(r"\W+", "", sentence.casefold())
    return letters if len(letters) > 30 else ""


class Examples:
    """Sentences of many abstracts as matrices, a row a sentence."""

    def __init__(self, abstracts: Abstracts) -> None:
        self.sizes = [len(a["sentences"]) for a in abstracts]
        self.phrases = [phrases(s) for a in abstracts for s in a["sentences"]]
        self.dense = np.vstack([dense(a["sentences"]) for a in abstracts])
        order = {role.value: number for number, role in enumerate(Role)}
        self.labels = np.array([order[x] for a in abstracts for x in a["labels"]])
        # Squared: a label on which few agreed teaches little.
        self.weights = np.array([c for a in abstracts for c in a["confs"]], dtype=np.float32) ** 2

    def parts(self) -> Iterator[slice]:
        """The rows of each abstract."""
        start = 0
        for size in self.sizes:
            yield slice(start, start + size)
            start += size

    def vocabulary(self) -> tuple[list[int], int]:
        """Hashes of the phrases to learn, those learnt of neighbours first, and how many these are."""
        counted = Counter(phrase for sentence in self.phrases for phrase in sentence)
        near = sorted(h for (h, size), n in counted.items() if n >= RARE_NEAR and size <= 2)
        rest = {h for (h, _), n in counted.items() if n >= RARE} - set(near)
        return [*near, *sorted(rest)], len(near)

    def matrix(self, hashes: list[int], shared: int) -> Any:
        """Phrases of the sentence, of the one before and the one behind, and the dense features."""
        from scipy import sparse

        rows = {phrase: row for row, phrase in enumerate(hashes)}
        found = [[rows[h] for h, _ in sentence if h in rows] for sentence in self.phrases]
        own = _sparse(found, len(hashes))
        near = _sparse([[row for row in line if row < shared] for line in found], shared)
        first = np.array([part.start for part in self.parts()])
        before, behind = np.arange(len(found)) - 1, np.arange(len(found)) + 1
        has_before, has_behind = np.ones(len(found)), np.ones(len(found))
        has_before[first] = 0
        has_behind[np.append(first[1:] - 1, len(found) - 1)] = 0
        behind[-1] = 0
        return (
            sparse.hstack(
                [
                    own,
                    NEIGHBOURS * sparse.diags(has_before) @ near[before],
                    NEIGHBOURS * sparse.diags(has_behind) @ near[behind],
                    sparse.csr_matrix(self.dense),
                ]
            )
            .tocsr()
            .astype(np.float32)
        )

    def second(self, first: Floats) -> Floats:
        """Features of the second layer from what the first finds likely."""
        return np.vstack([around(first[part]) for part in self.parts()])


def _sparse(found: list[list[int]], width: int) -> Any:
    """Ones at the columns found, each row scaled to unit length."""
    from scipy import sparse

    counts = np.array([len(line) for line in found])
    values = np.repeat(1 / np.sqrt(np.maximum(counts, 1)), counts).astype(np.float32)
    columns = np.array([column for line in found for column in line], dtype=np.int64)
    pointers = np.concatenate([[0], np.cumsum(counts)])
    return sparse.csr_matrix((values, columns, pointers), shape=(len(found), width))


def fit(x: Any, labels: Integers, weights: Floats, penalty: float, steps: int) -> Floats:
    """Multinomial logistic regression by L-BFGS, shape (features + 1, ROLES), the bias last."""
    from scipy.optimize import minimize

    wanted = np.eye(ROLES, dtype=np.float32)[labels]
    transposed = x.T.tocsr() if hasattr(x, "tocsr") else x.T
    shape = (x.shape[1] + 1, ROLES)

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        table = flat.reshape(shape).astype(np.float32)
        likely = softmax(x @ table[:-1] + table[-1])
        cost = -(weights * np.log(likely[np.arange(len(labels)), labels] + 1e-12)).sum()
        error = weights[:, None] * (likely - wanted)
        slope = np.vstack([transposed @ error + penalty * table[:-1], error.sum(axis=0)])
        squares = float((table[:-1].astype(np.float64) ** 2).sum())
        return float(cost) + penalty / 2 * squares, slope.astype(np.float64).ravel()

    start = np.zeros(shape[0] * shape[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": steps})
    out: Floats = found.x.reshape(shape).astype(np.float32)
    return out


def train(abstracts: Abstracts) -> tuple[dict[str, Floats], list[int]]:
    """The arrays of a model and its phrases.

    The second layer learns from what first layers say of abstracts they have not seen.
    """
    examples = Examples(abstracts)
    hashes, shared = examples.vocabulary()
    x = examples.matrix(hashes, shared)
    fold = np.repeat(np.arange(len(abstracts)) % FOLDS, examples.sizes)
    unseen = np.zeros((len(fold), ROLES), dtype=np.float32)
    for held in range(FOLDS):
        inside = np.flatnonzero(fold != held)
        table = fit(
            x[inside], examples.labels[inside], examples.weights[inside], FIRST_PENALTY, FIRST_STEPS
        )
        outside = np.flatnonzero(fold == held)
        unseen[outside] = softmax(x[outside] @ table[:-1] + table[-1])
    first = fit(x, examples.labels, examples.weights, FIRST_PENALTY, FIRST_STEPS)
    second = fit(
        examples.second(unseen), examples.labels, examples.weights, SECOND_PENALTY, SECOND_STEPS
    )
    own, before, behind, rest = np.split(first[:-1], np.cumsum([len(hashes), shared, shared]))
    arrays = {
        "own": own, "before": before, "behind": behind, "dense": rest, "bias": first[-1],
        "second": second[:-1], "second_bias": second[-1],
    }  # fmt: skip
    return arrays, hashes


def measure(model: RoleModel, abstracts: Abstracts) -> dict[str, Any]:
    """Micro-F1 (the share of sentences that get their label) and F1 of each role, by majority label."""
    order = [role.value for role in Role]
    said = [order[best] for a in abstracts for best in model.likely(a["sentences"]).argmax(axis=1)]
    return scores([label for a in abstracts for label in a["labels"]], said)


def scores(labels: list[str], said: list[str]) -> dict[str, Any]:
    """Micro-F1, the F1 of each role, and the number of sentences."""
    right = Counter(label for label, told in zip(labels, said, strict=True) if label == told)
    both = Counter(labels) + Counter(said)
    return {
        "micro_f1": round(right.total() / max(1, len(labels)), 4),
        "f1": {role.value: round(2 * right[role] / max(1, both[role]), 3) for role in Role},
        "sentences": len(labels),
    }


def main(
    directory: Annotated[Path, typer.Argument(help="folder of train, dev and test.jsonl")],
    only_measure: Annotated[bool, typer.Option("--measure", help="measure, train nothing")] = False,
) -> None:
    """Train the role model, measure it, and write it with its figures beside it.

    What is shipped learns from train and dev together, after everything was chosen; the figure on
    dev is that of a model which learnt from train alone.
    """
    dev, test = read(directory / "dev.jsonl"), read(directory / "test.jsonl")
    report: dict[str, Any] = {}
    if not only_measure:
        whole = read(directory / "train.jsonl")
        report["dev"] = measure(RoleModel(*train(apart(whole, [*dev, *test]))), dev)
        learnt = apart([*whole, *dev], test)
        save(PATH, *train(learnt))
        report["trained_on"] = f"{len(learnt)} abstracts of CSAbstruct train and dev"
    model = load(PATH)
    started = time.process_time()
    report["test"] = measure(model, test)
    seconds = time.process_time() - started
    report["sentences_per_cpu_second"] = round(report["test"]["sentences"] / seconds)
    report["bytes"] = PATH.stat().st_size
    if not only_measure:
        PATH.with_suffix(".json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    typer.echo(json.dumps(report, indent=2))


if __name__ == "__main__":
    typer.run(main)
