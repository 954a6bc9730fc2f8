"""Fit the entailment head: a regression on the features, and the thresholds of the labels.

The regression is fitted on the novels of the split `train`. Each feature can only count in its own direction:
the facts of the corpus do not show what a claim in the words of the book looks like, and without this a full
agreement of words would count against it. The thresholds keep the wanted precision on facts as the corpus has
them: on those of `dev`, and on these with those of `train`, read by weights fitted without their novels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from evaluation.metrics.logistic import area_or_chance
from generation.checking.entailment.entailment_head import (
    FEATURES,
    HeadWeights,
    Rows,
    probabilities,
    scaled,
)
from generation.checking.entailment.reading_head import likely, weighed

AGAINST: Final = frozenset(
    (
        "denied",
        "denial_differs",
        "modal",
        "book rival_words",
        "book rivals_ahead",
        "book rival_there",
        "book missing",
        "book unknown",
        "book subject_share",
    )
)
"""Features that can only speak against a claim. All others can only speak for it."""
IGNORED: Final = frozenset(("evidence_denied",))
"""Features without a direction of their own."""
SUPPORTED: Final = 0.93
"""Wanted share of true claims among those that are called supported."""
UNSUPPORTED: Final = 0.6
"""Wanted share of false claims among those that are called unsupported."""
FOLDS: Final = 5
RIDGE: Final = 30.0
_CERTAIN: Final = (1e-3, 1 - 1e-3)
"""The least and the highest of two thresholds that are put on a level."""
_FEWEST: Final = 20
"""Minimum number of claims from which a share is taken."""
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Goal:
    """How a head is fitted: what its examples weigh. More for altered facts costs recall."""

    plain: tuple[str, ...]
    """The kinds of examples that facts make as they are. They weigh 1."""
    altered: float
    denied: float
    layers: int
    """Number of the encoder's layers whose states are read."""


EVIDENCE: Final = Goal(("true", "false"), 0.1, 0.2, layers=4)
"""For the head that judges a claim by what was found for it."""
CITATION: Final = Goal(("true", "false", "near", "elsewhere"), 0.3, 0.5, layers=4)
"""For the head that judges a claim by one passage."""
KEPT: Final = 0.6
"""Wanted share of the right citations that are kept."""
FOUND: Final = 0.03
"""Wanted share of the wrong passages that are cited by a search."""


@dataclass(frozen=True, slots=True)
class FittingTable:
    """The examples as rows of features."""

    rows: Rows
    true: Bools
    kinds: Sequence[str]
    novels: Sequence[str]
    trained: Bools
    """Whether the example is of the split `train`."""
    goal: Goal = EVIDENCE

    @property
    def plain(self) -> Bools:
        return np.isin(np.array(self.kinds), self.goal.plain)


@dataclass(frozen=True, slots=True)
class Labelling:
    """What the labels are worth on some facts."""

    facts: int
    true: int
    area: float
    """Area under the ROC curve."""
    supported: float
    """Share of the true facts that are called supported."""
    supported_precision: float
    unsupported: float
    """Share of the false facts that are called unsupported."""
    unsupported_precision: float


@dataclass(frozen=True, slots=True)
class _Fit:
    mean: Rows
    spread: Rows
    weights: Rows
    bias: float

    def applied(self, rows: Rows) -> Rows:
        return probabilities(scaled(rows, self.mean, self.spread), self.weights, self.bias)


def fitted(table: FittingTable, centre: Rows) -> tuple[HeadWeights, dict[str, Labelling], Rows]:
    """Return the weights, their figures, and the probabilities of all rows, those of `train` by folds."""
    found = np.zeros(len(table.rows), np.float32)
    whole = _regression(table, table.trained)
    found[~table.trained] = whole.applied(table.rows[~table.trained])
    novels = np.array(table.novels)
    names = sorted(set(novels[table.trained].tolist()))
    for fold in range(min(FOLDS, len(names))):
        inside = table.trained & np.isin(novels, names[fold::FOLDS])
        rest = table.trained & ~inside
        found[inside] = (_regression(table, rest) if rest.any() else whole).applied(table.rows[inside])
    plain, dev = table.plain, table.plain & ~table.trained
    supported, unsupported = _sides(table, found)
    weights = HeadWeights(
        table.goal.layers,
        centre,
        whole.mean,
        whole.spread,
        whole.weights,
        bias=whole.bias,
        supported=supported,
        unsupported=min(unsupported, supported),
    )
    parts = {"train, by folds": plain & table.trained, "dev": dev}
    told = {name: _labelling(weights, found[part], table.true[part]) for name, part in parts.items()}
    return weights, told, found


def fitted_together(
    weights: HeadWeights, rows: Rows, true: Bools, goal: Goal
) -> tuple[HeadWeights, Rows, Labelling]:
    """Return weights with the thresholds of head and reader together, what these weigh, and the figures."""
    sides = np.where(true, 1.0, -1.0)

    def loss(at: NDArray[np.float64]) -> float:
        return float(np.logaddexp(0, -sides * (rows @ at)).sum())

    thresholds = _of_citations if goal is CITATION else _of_labels
    both = minimize(loss, np.zeros(rows.shape[1]), method="L-BFGS-B").x.astype(np.float32)
    as_sure = [thresholds(likely(odds), true)[0] for odds in (rows @ both, rows[:, 0])]
    level, alone = np.clip(as_sure, *_CERTAIN).tolist()
    together = np.append(both, log(level / (1 - level)) - log(alone / (1 - alone))).astype(np.float32)
    found = likely(weighed(rows, together))
    supported, unsupported = thresholds(found, true)
    weights = replace(weights, supported=supported, unsupported=min(unsupported, supported))
    return weights, together, _labelling(weights, found, true)


def _of_citations(found: Rows, true: Bools) -> tuple[float, float]:
    return float(np.quantile(found[~true], 1 - FOUND)), float(np.quantile(found[true], 1 - KEPT))


def _of_labels(found: Rows, true: Bools) -> tuple[float, float]:
    return _threshold(found, true, SUPPORTED), 1 - _threshold(1 - found, ~true, UNSUPPORTED)


def _regression(table: FittingTable, chosen: Bools) -> _Fit:
    natural = chosen & table.plain
    mean = np.nanmean(table.rows[natural], 0)
    spread = np.nanstd(table.rows[natural], 0) + 1e-3
    rows = scaled(table.rows[chosen], mean, spread).astype(np.float64)
    sides = np.where(table.true[chosen], 1.0, -1.0)
    denied = np.array(table.kinds)[chosen] == "denied"
    goal = table.goal
    shares = np.where(table.plain[chosen], 1.0, np.where(denied, goal.denied, goal.altered))

    def loss(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margins = sides * (rows @ at[:-1] + at[-1])
        slopes = -shares * sides / (1 + np.exp(margins))
        ridge = RIDGE / 2 * float(at[:-1] @ at[:-1])
        gradient = np.append(rows.T @ slopes + RIDGE * at[:-1], slopes.sum())
        return float((shares * np.logaddexp(0, -margins)).sum()) + ridge, gradient

    bounds = [*map(_bounds, FEATURES), (None, None)]
    found = minimize(loss, np.zeros(len(FEATURES) + 1), jac=True, bounds=bounds, method="L-BFGS-B").x
    return _Fit(mean, spread, found[:-1].astype(np.float32), float(found[-1]))


def _bounds(feature: str) -> tuple[float | None, float | None]:
    if feature in IGNORED:
        return 0.0, 0.0
    return (None, 0.0) if feature in AGAINST else (0.0, None)


def _threshold(values: Rows, right: Bools, wanted: float) -> float:
    """Return the lowest value from which on enough are right; above all of them if there is none."""
    order = np.argsort(-values, kind="stable")
    share = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero((share >= wanted) & (np.arange(len(order)) >= _FEWEST))
    return float(values[order[enough[-1]]]) if len(enough) else 1.01


def _sides(table: FittingTable, found: Rows) -> tuple[float, float]:
    """Return the thresholds of what is supported and what is not."""
    plain, dev = table.plain, table.plain & ~table.trained
    if table.goal is CITATION:
        return _of_citations(found[plain], table.true[plain])
    supported = max(_threshold(found[part], table.true[part], SUPPORTED) for part in (plain, dev))
    return supported, 1 - _threshold(1 - found[plain], ~table.true[plain], UNSUPPORTED)


def _labelling(weights: HeadWeights, found: Rows, true: Bools) -> Labelling:
    supported, unsupported = found >= weights.supported, found < weights.unsupported
    return Labelling(
        facts=len(true),
        true=int(true.sum()),
        area=round(area_or_chance(found, true), 3),
        supported=_share(supported & true, true),
        supported_precision=_share(supported & true, supported),
        unsupported=_share(unsupported & ~true, ~true),
        unsupported_precision=_share(unsupported & ~true, unsupported),
    )


def _share(part: Bools, whole: Bools) -> float:
    return round(float(part.sum() / whole.sum()), 3) if whole.any() else 0.0
