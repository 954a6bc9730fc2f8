"""Probabilities by logistic regression over named features, as they are learnt and lie in `coref/data`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from coref.weights_file import as_json, weights_in

FORMAT = 1
_BIAS = "bias"

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LearntOdds:
    features: Sequence[str]
    bias: float
    weights: Sequence[float]
    """A weight for each feature."""

    def probabilities(self, rows: Sequence[Sequence[float]]) -> Vector:
        """Return the probability for each row of features."""
        values = np.array(rows, dtype=np.float64).reshape(len(rows), len(self.features))
        odds = self.bias + values @ np.array(self.weights)
        found: Vector = 1 / (1 + np.exp(-odds))
        return found


@cache
def shipped(name: str, features: tuple[str, ...], *, of: str, package: str = "coref") -> LearntOdds:
    """Return the model that comes with the package under this name."""
    return read(files(package).joinpath(f"data/{name}.json").read_text(encoding="utf-8"), features, of=of)


def write(model: LearntOdds, trained: Mapping[str, object]) -> str:
    """Return the model as JSON. `trained` describes its training data and results for human readers."""
    weights = zip((_BIAS, *model.features), (model.bias, *model.weights), strict=True)
    return as_json({name: round(each, 5) for name, each in weights}, version=FORMAT, trained=trained)


def read(text: str, features: Sequence[str], *, of: str) -> LearntOdds:
    """Return the model with the features in this order. `of` says what it decides, for the message."""
    weights = weights_in(text, version=FORMAT, of=of)
    return LearntOdds(features, float(weights[_BIAS]), [float(weights[name]) for name in features])
