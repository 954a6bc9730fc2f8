"""A logistic regression that tells which sentences of a text are in its oracle.

It is a small relative of the paper's BertExt: it sees the vector of a sentence, how near the sentence is to
its paragraph, where it is in it, and how long it is. The encoder is not trained. Like the paper's it is
trained on paragraphs; of a longer text every paragraph is seen alone, and the scores are ranked together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.booksum.extractive_oracle import oracle
from evaluation.booksum.source_sentences import SourceSentences
from evaluation.metrics.rouge import Rouge

Rows = NDArray[np.float64]
_DECAY = 1.0
"""Strength of the L2 penalty on the weights."""
_ROUNDS = 200


@dataclass(frozen=True, slots=True)
class SentenceExtractor:
    weights: Rows
    """One for each feature, and the constant."""

    def scores(self, source: SourceSentences) -> Rows:
        """Return the probability of each sentence to be in the oracle."""
        return _sigmoid(features(source) @ self.weights)


def features(source: SourceSentences) -> Rows:
    vectors, owners = source.vectors, np.array(source.paragraphs, dtype=np.int64)
    near, places = np.zeros(len(owners)), np.zeros(len(owners))
    for owner in np.unique(owners):
        mine = np.flatnonzero(owners == owner)
        near[mine] = vectors[mine] @ vectors[mine].mean(0)
        places[mine] = np.arange(len(mine)) / max(len(mine) - 1, 1)
    lengths = [np.log1p(len(sentence.split())) for sentence in source.sentences]
    shape = np.column_stack([near, places, lengths, np.ones(len(owners))])
    return np.concatenate([vectors, shape], axis=1, dtype=np.float64)


def train_extractor(sources: Sequence[SourceSentences], rouge: Rouge) -> SentenceExtractor | None:
    """Train on the oracles of the training pairs; None where there is nothing to tell apart."""
    useful = [source for source in sources if len(source.sentences) > 1]
    labels = [_labels(source, rouge) for source in useful]
    if not useful or not 0 < sum(each.sum() for each in labels) < sum(map(len, labels)):
        return None
    return SentenceExtractor(
        _fitted(np.concatenate([features(each) for each in useful]), np.concatenate(labels))
    )


def _labels(source: SourceSentences, rouge: Rouge) -> Rows:
    labels = np.zeros(len(source.sentences))
    labels[list(oracle(source.sentences, source.pair.reference, rouge, level=source.pair.level))] = 1.0
    return labels


def _fitted(rows: Rows, labels: Rows) -> Rows:
    from scipy.optimize import minimize

    penalised = np.ones(rows.shape[1])
    penalised[-1] = 0.0  # the constant

    def loss(weights: Rows) -> tuple[float, Rows]:
        logits = rows @ weights
        value = float(np.logaddexp(0, logits).sum() - labels @ logits)
        slope = rows.T @ (_sigmoid(logits) - labels)
        return value + 0.5 * _DECAY * float(penalised @ weights**2), slope + _DECAY * penalised * weights

    found = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": _ROUNDS})
    return np.asarray(found.x, dtype=np.float64)


def _sigmoid(values: Rows) -> Rows:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -50, 50))), dtype=np.float64)
