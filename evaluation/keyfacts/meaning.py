"""Fit the regression that says whether a sentence is about somebody, on what readers said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.keyfacts.examples import TellingExample
from evaluation.metrics.logistic import area_or_chance, fit
from retrieval.telling.head import JUDGED
from retrieval.telling.meant import MeantHead, columns_of

_ABOUT: Final = JUDGED.index("about")
_RIDGE: Final = 10.0
_LEAST: Final = (0.2, 0.5)
"""Where a reader could not tell, it counts as yes in one of two regressions, whose mean is taken."""
_LEAST_DEVIATION: Final = 1e-2


def fitted(people: Sequence[TellingExample]) -> dict[str, NDArray[np.float32]]:
    """Return the weights, as `MeantHead` takes them."""
    signs = np.concatenate([columns_of(person.candidates)[_read(person)] for person in people])
    about = np.concatenate([person.judged[_read(person), _ABOUT] for person in people])
    mean, deviation = signs.mean(0), np.maximum(signs.std(0), _LEAST_DEVIATION)
    known = (signs - mean) / deviation
    *slopes, intercept = np.mean([fit(known, about >= least, ridge=_RIDGE) for least in _LEAST], axis=0)
    found = {"mean": mean, "deviation": deviation, "weight": np.array(slopes), "bias": np.array([intercept])}
    return {name: np.ascontiguousarray(array, np.float32) for name, array in found.items()}


def agreement(people: Sequence[TellingExample], head: MeantHead) -> tuple[int, float]:
    """Return how many sentences readers judged, and how well the regression ranks them: the AUC."""
    said = np.concatenate([head(person.candidates)[_read(person)] for person in people])
    about = np.concatenate([person.judged[_read(person), _ABOUT] for person in people])
    return len(said), area_or_chance(said, about == 1)


def _read(person: TellingExample) -> NDArray[np.bool_]:
    return np.asarray(~np.isnan(person.judged[:, 0]))
