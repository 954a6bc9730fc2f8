"""Fit the offline judge's weights, and the meaning of its scores, on the calibration half.

The weights are a logistic regression with a fixed sign for every coefficient (`agreement_features.SIGNS`).
The meaning of a sum is learnt from the sums of each book's claims under weights that were fitted without that
book, since a fit looks better on its own claims. Claims that no sum could support are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.judging.types import KnownFact
from generation.checking.judges.agreement_features import SIGNS
from generation.checking.judges.judge_weights import JudgeWeights
from generation.checking.judges.offline_judge import ClaimSigns
from generation.types import Label

Rows = NDArray[np.float64]
_RIDGE = 1.0
_STEPS = 20_000
_CLOSE = 1e-7
PRECISION = 0.9
"""Precision of the verdict "supported"."""
_OPEN = 0.42
"""A claim with a smaller share of true ones is called unsupported."""
_BLOCK = 8
"""The minimum number of claims behind one step of the scores."""


def fitted(facts: Sequence[KnownFact], seen: Sequence[ClaimSigns], *, start: JudgeWeights) -> JudgeWeights:
    """Fit the weights; `start` supplies what cannot be fitted here."""
    kept = [at for at, one in enumerate(seen) if one.numbers is not None]
    rows = np.array([[1.0, *(seen[at].numbers or ())] for at in kept])
    true = np.array([facts[at].true for at in kept])
    books = np.array([facts[at].book for at in kept])
    sums = np.zeros(len(kept))
    for book in sorted(set(books.tolist())):
        inside = books == book
        sums[inside] = rows[inside] @ _regression(rows[~inside], true[~inside])
    weights = _regression(rows, true)
    decided = np.array([not seen[at].doubtful for at in kept])
    sums, true = sums[decided], true[decided]
    steps = _steps(sums, true)
    return JudgeWeights(
        one=round(float(weights[0]), 4),
        weights=tuple(round(float(w), 4) for w in weights[1:]),
        steps=steps,
        supported=round(_threshold(sums, true), 4),
        uncertain=next((s for s, share in steps if share >= _OPEN), steps[-1][0]),
        rules={**start.rules, **_rules(facts, seen)},
    )


def _rules(facts: Sequence[KnownFact], seen: Sequence[ClaimSigns]) -> Mapping[str, float]:
    """Return how often each rule was right; one that was never used gets one half."""
    outcomes: dict[str, list[bool]] = {}
    for fact, one in zip(facts, seen, strict=True):
        if one.rule is not None and one.verdict.label in (Label.SUPPORTED, Label.CONTRADICTED):
            outcomes.setdefault(one.rule, []).append(fact.true == (one.verdict.label is Label.SUPPORTED))
    return {rule: round((sum(right) + 1) / (len(right) + 2), 3) for rule, right in outcomes.items()}


def _regression(rows: Rows, true: NDArray[np.bool_]) -> Rows:
    """Fit by projected gradient descent: a weight that would get the wrong sign stays 0."""
    signs = np.array([0, *SIGNS.values()])
    low = np.where(signs > 0, 0.0, -np.inf)
    high = np.where(signs < 0, 0.0, np.inf)
    ridge = np.full(rows.shape[1], _RIDGE)
    ridge[0] = 0.01
    step = 1.0 / (0.25 * float(np.linalg.norm(rows, 2)) ** 2 + _RIDGE)
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        slope = rows.T @ (1 / (1 + np.exp(-(rows @ weights))) - true) + ridge * weights
        moved = np.clip(weights - step * slope, low, high)
        done = float(np.abs(moved - weights).max()) < _CLOSE
        weights = moved
        if done:
            break
    return weights


def _steps(sums: Rows, true: NDArray[np.bool_]) -> tuple[tuple[float, float], ...]:
    """Pool adjacent violators over blocks: the share of true claims never falls as the sum rises."""
    order = np.argsort(sums, kind="stable")
    blocks = [
        [float(sums[part].mean()), float(true[part].sum()) + 0.5, len(part) + 1.0]
        for part in np.array_split(order, max(1, len(order) // _BLOCK))
    ]
    pooled: list[list[float]] = []
    for block in blocks:
        pooled.append(block)
        while len(pooled) > 1 and pooled[-2][1] / pooled[-2][2] >= pooled[-1][1] / pooled[-1][2]:
            later, earlier = pooled.pop(), pooled.pop()
            both = earlier[2] + later[2]
            middle = (earlier[0] * earlier[2] + later[0] * later[2]) / both
            pooled.append([middle, earlier[1] + later[1], both])
    return tuple((round(at, 4), round(of / all_, 4)) for at, of, all_ in pooled)


def _threshold(sums: Rows, true: NDArray[np.bool_]) -> float:
    """Return the smallest sum above which enough claims are true."""
    order = np.argsort(-sums, kind="stable")
    share = np.cumsum(true[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero(share >= PRECISION)
    return float(sums[order[enough[-1]]]) if len(enough) else float(sums.max())
