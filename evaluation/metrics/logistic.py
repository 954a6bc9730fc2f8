"""Regression of a probability on standardised features, with a ridge; and the area under its curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import rankdata

Matrix = NDArray[np.float64]
Features = NDArray[np.floating[Any]]
Truth = NDArray[np.bool_]


def fit(rows: Features, true: Truth, *, ridge: float) -> Matrix:
    """Return a weight for each column and, last, the intercept, which has no ridge."""
    columns = np.column_stack((rows, np.ones(len(rows))))
    signs = np.where(true, 1.0, -1.0)
    penalty = np.full(columns.shape[1], ridge)
    penalty[-1] = 0.0

    def loss(weights: Matrix) -> tuple[float, Matrix]:
        margins = signs * (columns @ weights)
        slope = columns.T @ (-signs * expit(-margins)) + penalty * weights
        return float(np.logaddexp(0, -margins).sum() + 0.5 * penalty @ weights**2), slope

    found = minimize(loss, np.zeros(columns.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    weights: Matrix = found.x
    return weights


def predict(rows: Features, weights: Features) -> Matrix:
    probabilities: Matrix = expit(rows @ weights[:-1] + weights[-1])
    return probabilities


def area(scores: Features, true: Truth) -> float | None:
    """Return the area under the ROC curve; None where all or none are true."""
    yes = int(true.sum())
    no = len(true) - yes
    if not yes or not no:
        return None
    ranks = rankdata(scores)
    return float((ranks[true].sum() - yes * (yes + 1) / 2) / (yes * no))


def area_or_chance(scores: Features, true: Truth) -> float:
    """Return the same, or that of scores that tell nothing."""
    found = area(scores, true)
    return 0.5 if found is None else found
