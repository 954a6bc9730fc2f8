"""Learns probabilities from the lessons of novels, and measures them on novels that were held out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from coref.odds import LearntOdds
from evaluation.coref.reliability import reliability
from evaluation.metrics.logistic import fit

RIDGE = 10.0
_FOLDS = 7


@dataclass(frozen=True, slots=True)
class OddsLesson:
    """What a novel teaches: rows of features, and of which readers say that it is so."""

    novel: str
    rows: NDArray[np.float64]
    true: NDArray[np.bool_]


def learn(lessons: Sequence[OddsLesson], features: Sequence[str], *, ridge: float = RIDGE) -> LearntOdds:
    taught = [each for each in lessons if len(each.true)]
    if not taught:
        raise ValueError("no reader says anything about these novels")
    rows = np.concatenate([each.rows for each in taught])
    true = np.concatenate([each.true for each in taught])
    if true.all() or not true.any():
        raise ValueError("readers give the same answer every time")
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale[scale == 0] = np.inf  # what never varies gets no weight
    fitted = fit((rows - mean) / scale, true, ridge=ridge)
    weights = fitted[:-1] / scale
    return LearntOdds(features, float(fitted[-1] - weights @ mean), weights.tolist())


def held_out(
    lessons: Sequence[OddsLesson], features: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the probability of each row by a model that was trained without its novel, and the truth."""
    said: list[NDArray[np.float64]] = []
    true: list[NDArray[np.bool_]] = []
    for model, held in folds(lessons, features):
        said += [model.probabilities(each.rows.tolist()) for each in lessons[held]]
        true += [each.true for each in lessons[held]]
    return np.concatenate(said), np.concatenate(true)


def folds(lessons: Sequence[OddsLesson], features: Sequence[str]) -> Iterator[tuple[LearntOdds, slice]]:
    """Yield models that were trained without some of the lessons, and where these are."""
    if len(lessons) == 1:
        raise ValueError(f"{lessons[0].novel} is the only novel, and one more has to be held out")
    for fold in range(min(_FOLDS, len(lessons))):
        held = slice(fold, None, _FOLDS)
        left = [each for at, each in enumerate(lessons) if at % _FOLDS != fold]
        yield learn(left, features), held


def story_of(lessons: Sequence[OddsLesson], features: Sequence[str], *, least: float) -> dict[str, object]:
    """Describe the data, and the results on novels that were held out, for readers.

    `least` is the probability from which on something is taken to be so.
    """
    said, true = held_out(lessons, features)
    taken = said >= least
    return {
        "novels": [each.novel for each in lessons],
        "held out": {
            "rows": len(true),
            "true": int(true.sum()),
            "taken to be true": int(taken.sum()),
            "of these true": int((taken & true).sum()),
            "reliability": asdict(reliability(said, true)),
        },
    }
