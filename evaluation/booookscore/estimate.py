"""An estimate of the score without a language model: how probable it is that a sentence confuses.

It is a regression on the signs of the sentence, its vector, and the mean vector of the sentences before it.
`bookworm train booookscore` fits it; MODEL_CARD.md says on what, and how well it does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import save_file

from evaluation.booookscore.sentence_signs import SIGNS, signs_of
from evaluation.booookscore.summary_sentences import sentences
from evaluation.metrics.logistic import predict
from retrieval.protocols import Embedder

FILE: Final = Path(__file__).with_name("estimate.safetensors")
VERSION: Final = 1
ANY: Final = "any"
"""The output for confusion of whatever kind; the others have the names of kinds."""
Rows = NDArray[np.float32]


class EstimateUnfit(ValueError):
    """The weights were made for another embedder, or by another version of the signs."""


@dataclass(frozen=True, slots=True)
class EstimateWeights:
    embedder: str
    outputs: tuple[str, ...]
    mean: Rows
    spread: Rows
    weights: Rows
    """A row for each output, with the intercept last."""
    story: Mapping[str, Any]
    """What it was trained on and how well it does."""

    def probabilities(self, rows: Rows) -> dict[str, Rows]:
        scaled = (rows - self.mean) / self.spread
        found = (predict(scaled, weights).astype(np.float32) for weights in self.weights)
        return dict(zip(self.outputs, found, strict=True))


@dataclass(frozen=True, slots=True)
class EstimatedSentence:
    sentence: str
    confusing: float
    kinds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class EstimatedSummary:
    book: str
    score: float
    """Mean probability that a sentence does not confuse."""
    sentences: tuple[EstimatedSentence, ...]


def rows_of(text: str, vectors: Rows) -> Rows:
    """Return a row of features for each sentence of a summary, from the sentences' vectors."""
    counts = np.arange(1, len(vectors), dtype=np.float32)[:, None]
    before = np.vstack((np.zeros_like(vectors[:1]), np.cumsum(vectors, axis=0)[:-1] / counts))
    rows: Rows = np.hstack((signs_of(text, vectors), vectors, before)).astype(np.float32)
    return rows


def estimate(
    summaries: Mapping[str, str], embedder: Embedder, weights: EstimateWeights
) -> list[EstimatedSummary]:
    """Estimate the score of each summary. Raises `EstimateUnfit`."""
    if embedder.name != weights.embedder:
        raise EstimateUnfit(f"The estimate was made for {weights.embedder}, not for {embedder.name}.")
    found = []
    for book, text in summaries.items():
        parts = sentences(text)
        said = weights.probabilities(rows_of(text, np.asarray(embedder.embed(parts), np.float32)))
        found.append(_summary(book, parts, said))
    return found


def _summary(book: str, parts: Sequence[str], said: Mapping[str, Rows]) -> EstimatedSummary:
    rows = tuple(
        EstimatedSentence(
            sentence,
            float(said[ANY][at]),
            {name: float(each[at]) for name, each in said.items() if name != ANY},
        )
        for at, sentence in enumerate(parts)
    )
    return EstimatedSummary(book, 1 - float(said[ANY].mean()), rows)


def save(weights: EstimateWeights, path: Path = FILE) -> None:
    manifest = {
        "version": VERSION,
        "signs": list(SIGNS),
        "embedder": weights.embedder,
        "outputs": list(weights.outputs),
        "story": dict(weights.story),
    }
    arrays = {"mean": weights.mean, "spread": weights.spread, "weights": weights.weights}
    save_file(arrays, path, metadata={"manifest": json.dumps(manifest, sort_keys=True)})


def load(path: Path = FILE) -> EstimateWeights:
    """Load weights. Raises `EstimateUnfit` where they are of another version."""
    with safe_open(path, framework="numpy") as file:
        manifest = json.loads((file.metadata() or {}).get("manifest", "{}"))
        if (manifest.get("version"), manifest.get("signs")) != (VERSION, list(SIGNS)):
            raise EstimateUnfit(f"{path.name} is not of this version. Train it again.")
        mean, spread, weights = (file.get_tensor(name) for name in ("mean", "spread", "weights"))
    return EstimateWeights(
        manifest["embedder"], tuple(manifest["outputs"]), mean, spread, weights, manifest["story"]
    )
