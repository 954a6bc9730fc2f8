"""Fit the estimate, and measure it on books that it was not fitted on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from evaluation.booookscore.estimate import ANY, EstimateWeights, Rows
from evaluation.booookscore.estimate_examples import FOLDS, SentenceExamples, Truths
from evaluation.booookscore.sentence_signs import SIGNS
from evaluation.booookscore.types import ConfusionKind
from evaluation.metrics.logistic import Matrix, area, fit, predict

RIDGES = (10.0, 1000.0, 3000.0)
"""For the signs, the vector of the sentence, and the mean vector of those before."""
FEWEST = 50
"""Examples that a kind needs for an output of its own."""
_SMALLEST = 1e-6
"""Spread of a feature that hardly varies."""


@dataclass(frozen=True, slots=True)
class EstimateArea:
    """Areas under the ROC curve, on books that the weights were not fitted on."""

    name: str
    examples: int
    """Confusing sentences."""
    pooled: float | None
    """Over all sentences of all systems."""
    within: float | None
    """Mean over the summaries that have both kinds of sentences."""
    systems: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class EstimateFigures:
    sentences: int
    areas: tuple[EstimateArea, ...]
    people: EstimateArea
    """Fitted on what GPT-4 says, tested on what people marked."""
    unseen: EstimateArea
    """Each system by weights that were fitted on the other systems, and on other books."""
    correlation: float
    """Of the estimated scores of summaries with the scores by GPT-4's annotations (Pearson)."""


def train(
    found: SentenceExamples, embedder: str, tell: Callable[[str], None]
) -> tuple[EstimateWeights, EstimateFigures]:
    """Fit on all examples; the figures are of weights fitted without the books that they are of."""
    targets = _targets(found)
    areas, probabilities = [], {}
    for name, true in targets.items():
        tell(f"Measuring {name} on books not fitted on")
        probabilities[name] = _folded(found, true)
        areas.append(_area(name, found, probabilities[name], true))
    tell("Measuring systems not fitted on")
    figures = EstimateFigures(
        len(found.rows),
        tuple(areas),
        _area("people", found, probabilities[ANY], found.people, among=found.by_people),
        _area("unseen systems", found, _unseen(found), found.confusing),
        _correlation(found, probabilities[ANY]),
    )
    mean, spread = _scale(found.rows)
    tell("Fitting on all books")
    weights = [_fit(found.rows, true, mean, spread) for true in targets.values()]
    made = EstimateWeights(
        embedder, tuple(targets), mean, spread, np.array(weights, np.float32), {"figures": asdict(figures)}
    )
    return made, figures


def _targets(found: SentenceExamples) -> dict[str, Truths]:
    columns = {kind.value: found.kinds[:, at] for at, kind in enumerate(ConfusionKind)}
    return {ANY: found.confusing} | {name: each for name, each in columns.items() if each.sum() >= FEWEST}


def _folded(found: SentenceExamples, true: Truths) -> Matrix:
    """Return a probability for each sentence, by weights fitted without its book."""
    return _predicted(found, true, [(found.folds != fold, found.folds == fold) for fold in range(FOLDS)])


def _unseen(found: SentenceExamples) -> Matrix:
    """Return a probability for each sentence, by weights fitted without its book and its system."""
    parts = []
    for system in np.unique(found.systems):
        mine = found.systems == system
        parts += [(~mine & (found.folds != f), mine & (found.folds == f)) for f in range(FOLDS)]
    return _predicted(found, found.confusing, parts)


def _predicted(found: SentenceExamples, true: Truths, parts: list[tuple[Truths, Truths]]) -> Matrix:
    probabilities = np.full(len(true), np.nan)
    for fitted, tested in parts:
        if fitted.any() and tested.any():
            mean, spread = _scale(found.rows[fitted])
            weights = _fit(found.rows[fitted], true[fitted], mean, spread)
            probabilities[tested] = predict((found.rows[tested] - mean) / spread, weights)
    return probabilities


def _scale(rows: Rows) -> tuple[Rows, Rows]:
    return rows.mean(axis=0), np.maximum(rows.std(axis=0), _SMALLEST)


def _fit(rows: Rows, true: Truths, mean: Rows, spread: Rows) -> Matrix:
    """Fit with a ridge for each group of columns, by shrinking the columns and then the weights."""
    vector = (rows.shape[1] - len(SIGNS)) // 2
    shrink = np.repeat([ridge**-0.5 for ridge in RIDGES], [len(SIGNS), vector, vector])
    weights = fit((rows - mean) / spread * shrink, true, ridge=1.0)
    weights[:-1] *= shrink
    return weights


def _area(
    name: str, found: SentenceExamples, scores: Matrix, true: Truths, among: Truths | None = None
) -> EstimateArea:
    known = ~np.isnan(scores) if among is None else among & ~np.isnan(scores)
    systems = {
        str(system): area(scores[mine], true[mine])
        for system in np.unique(found.systems[known])
        if (mine := known & (found.systems == system)).any()
    }
    each = [
        value
        for number in np.unique(found.summaries[known])
        if (mine := known & (found.summaries == number)).any()
        and (value := area(scores[mine], true[mine])) is not None
    ]
    within = float(np.mean(each)) if each else None
    return EstimateArea(name, int(true[known].sum()), area(scores[known], true[known]), within, systems)


def _correlation(found: SentenceExamples, scores: Matrix) -> float:
    numbers = np.unique(found.summaries)
    said = [1 - float(found.confusing[found.summaries == n].mean()) for n in numbers]
    guessed = [1 - float(np.nanmean(scores[found.summaries == n])) for n in numbers]
    return float(np.corrcoef(said, guessed)[0, 1]) if len(numbers) > 1 else float("nan")
