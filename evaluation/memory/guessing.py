"""How much of a set can be guessed from the choices alone: a classifier that has never seen the books."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.memory.memory_sets import MemoryQuestion
from evaluation.metrics.logistic import fit, predict
from retrieval.protocols import Embedder

_RIDGE: Final = 1.0


@dataclass(frozen=True, slots=True)
class Guessed:
    accuracy: float
    chance: float
    questions: int
    by_kind: Mapping[str, float]
    """Share of the wrong choices of each kind that look less likely than the right one; half is chance."""


def guess(questions: Sequence[MemoryQuestion], embedder: Embedder) -> Guessed | None:
    """Return how often the likeliest choice is right, by the choices of other novels.

    Only questions of which a choice is right count. None with fewer than two novels.
    """
    asked = [question for question in questions if question.asked.happening is not None]
    novels = sorted({question.novel for question in asked})
    if len(novels) < 2:
        return None
    texts = [choice.text for question in asked for choice in question.asked.choices]
    vectors = np.asarray(embedder.embed(texts), np.float64)
    true = np.array([choice.why is None for question in asked for choice in question.asked.choices])
    of = np.array([n for n, question in enumerate(asked) for _ in question.asked.choices])
    mine = np.array([novels.index(question.novel) for question in asked])[of]
    right: list[bool] = []
    told_apart: dict[str, list[bool]] = {}
    for novel in range(len(novels)):
        others = mine != novel
        scores = predict(vectors, fit(vectors[others], true[others], ridge=_RIDGE))
        for n in np.unique(of[mine == novel]):
            rows = np.flatnonzero(of == n)
            right.append(bool(true[rows[int(np.argmax(scores[rows]))]]))
            for row, choice in zip(rows, asked[n].asked.choices, strict=True):
                if choice.why is not None:
                    less = scores[row] < scores[rows[asked[n].asked.answer]]
                    told_apart.setdefault(choice.why.value, []).append(bool(less))
    chance = float(np.mean([1 / len(question.asked.choices) for question in asked]))
    by_kind = {why: float(np.mean(each)) for why, each in sorted(told_apart.items())}
    return Guessed(float(np.mean(right)), chance, len(right), by_kind)
