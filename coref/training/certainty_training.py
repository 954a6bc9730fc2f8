"""Learns the probability of mentions from lessons.

Each sort of mention has its own weights, which are drawn towards those that all sorts share, so that sorts
with few examples borrow from the others. The signs of most weights are known in advance and kept: no amount
of noise makes a rival nearby a reason to believe.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from coref.names.certainty import FEATURES, CertaintyModel, MentionSort, features
from coref.training.certainty_lessons import CertaintyLesson

STRICTNESS = 30.0
_SHARED = 0.5
"""How much less the shared weights are regularized than the differences from them."""
_STEADY = 5.0
"""How strongly the recalibration is drawn to no change."""
_LEAST_STRETCH = 0.1
_RAW = "raw"
_FOR = frozenset(
    (
        "raw",
        "support",
        "margin",
        "agrees",
        "through",
        "topic",
        "company",
        "presence",
        "speaker",
        "turn",
        "told",
    )
)
_AGAINST = frozenset(("disagrees", "distance", "gap", "unnamed yet", "rivals", "bearers", "bare", "newcomer"))

Vector = NDArray[np.float64]


def learn(lessons: Sequence[CertaintyLesson], *, strictness: float = STRICTNESS) -> CertaintyModel:
    """Return the likeliest weights. `strictness` draws each sort's weights towards the shared ones."""
    facts = [f for lesson in lessons for f in lesson.facts]
    right = np.array([r for lesson in lessons for r in lesson.right], dtype=np.float64)
    if not facts or right.min() == right.max():
        raise ValueError("there are no mentions to learn from, or all are right, or all are wrong")
    rows = np.hstack([np.ones((len(facts), 1)), features(facts)])
    sorts = np.array([list(MentionSort).index(f.sort) for f in facts])
    count, width = len(MentionSort), rows.shape[1]

    def loss(values: Vector) -> tuple[float, Vector]:
        table = values.reshape(count + 1, width)  # the last row is shared
        own, shared = table[:-1], table[-1]
        scores = (rows * own[sorts]).sum(axis=1)
        lost = np.logaddexp(0.0, scores) - right * scores
        gradient = np.zeros_like(table)
        np.add.at(gradient, sorts, (1 / (1 + np.exp(-scores)) - right)[:, None] * rows)
        apart = own - shared
        gradient[:-1] += strictness * apart
        gradient[-1] += _SHARED * strictness * shared - strictness * apart.sum(axis=0)
        drawn = strictness * ((apart**2).sum() + _SHARED * (shared**2).sum()) / 2
        return float(lost.sum() + drawn), gradient.ravel()

    found = minimize(
        loss,
        np.zeros((count + 1) * width),
        jac=True,
        method="L-BFGS-B",
        bounds=_bounds() * (count + 1),
        options={"maxiter": 2000},
    )
    table = found.x.reshape(count + 1, width)
    return CertaintyModel({sort: table[at].tolist() for at, sort in enumerate(MentionSort)})


def recalibrated(model: CertaintyModel, unseen: Sequence[CertaintyLesson]) -> CertaintyModel:
    """Return the model with its scores stretched and shifted so that they fit documents it has not seen.

    Each sort of mention is shifted by itself, but no further than its examples justify. The documents are
    also unseen by the network. On those it was trained on, the raw share says little beside the network's
    own; so the weight of the raw share is learnt again too.
    """
    facts = [f for lesson in unseen for f in lesson.facts]
    right = np.array([r for lesson in unseen for r in lesson.right], dtype=np.float64)
    likely = model.probabilities(facts)
    raw = FEATURES.index(_RAW)
    shifts = np.ones(len(facts)), *(np.array([f.sort is sort for f in facts]) for sort in MentionSort)
    columns = np.column_stack([np.log(likely) - np.log1p(-likely), features(facts)[:, raw], *shifts])
    unchanged = np.array([1.0, *[0.0] * (columns.shape[1] - 1)])

    def loss(values: Vector) -> tuple[float, Vector]:
        scores, moved = columns @ values, values - unchanged
        lost = (np.logaddexp(0.0, scores) - right * scores).sum() + _STEADY / 2 * (moved**2).sum()
        return float(lost), columns.T @ (1 / (1 + np.exp(-scores)) - right) + _STEADY * moved

    bounds = [(_LEAST_STRETCH, None), (0.0, None), *[(None, None)] * len(shifts)]
    stretch, more, shift, *own_shifts = minimize(
        loss, unchanged, jac=True, method="L-BFGS-B", bounds=bounds
    ).x
    weights: dict[MentionSort, list[float]] = {}
    for sort, own_shift in zip(MentionSort, own_shifts, strict=True):
        weights[sort] = [float(stretch * weight) for weight in model.weights[sort]]
        weights[sort][0] += float(shift + own_shift)
        weights[sort][1 + raw] += float(more)
    return CertaintyModel(weights)


def held_out(model: CertaintyModel, unseen: Sequence[CertaintyLesson]) -> list[Vector]:
    """Return the probabilities of each document, recalibrated on all the others."""
    return [
        recalibrated(model, [each for each in unseen if each is not held]).probabilities(held.facts)
        for held in unseen
    ]


def _bounds() -> list[tuple[float | None, float | None]]:
    signs: Mapping[bool, tuple[float | None, float | None]] = {True: (0.0, None), False: (None, 0.0)}
    return [(None, None)] + [
        signs[name in _FOR] if name in _FOR | _AGAINST else (None, None) for name in FEATURES
    ]


def story_of(
    model: CertaintyModel, seen: Sequence[CertaintyLesson], unseen: Sequence[CertaintyLesson]
) -> dict[str, object]:
    """Describe the data and the figures on documents that were held out, for readers.

    `model` is the one before it was recalibrated.
    """
    likely = np.concatenate(held_out(model, unseen))
    right = np.array([r for lesson in unseen for r in lesson.right])
    raw = np.array([f.raw for lesson in unseen for f in lesson.facts])
    return {
        "learnt from": [lesson.name for lesson in seen],
        "recalibrated on": [lesson.name for lesson in unseen],
        "mentions": [sum(len(lesson.facts) for lesson in part) for part in (seen, unseen)],
        "held out": {
            "right": _rounded(right),
            "mean": {"before": _rounded(raw), "after": _rounded(likely)},
            "brier": {"before": _rounded((raw - right) ** 2), "after": _rounded((likely - right) ** 2)},
        },
    }


def _rounded(values: Vector) -> float:
    return round(float(values.mean()), 4)
