"""Cross-validation: the documents in folds, each held out once from a training on all the others.

No epoch is selected: every training runs to its end, and the result is that of its last epoch on the held-out
fold. Selecting an epoch by that fold would overestimate the quality.
"""

from __future__ import annotations

import hashlib
import json
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from coref.native.network import LiteraryNetwork
from coref.training.checkpoint import CorefEpoch, CorefTrainingState
from coref.training.coref_targets import CorefExample
from coref.training.network_training import CorefTrainingPlan, fit
from coref.training.training_data import Ground

HELD = "held.json"
Measure = Callable[[LiteraryNetwork, Sequence[CorefExample]], Mapping[str, float]]


class FoldOther(ValueError):
    """The folder holds a training that held out other documents."""


@dataclass(frozen=True, slots=True)
class Fold:
    number: int
    """Counted from 1."""
    held: tuple[str, ...]
    rest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FoldSpread:
    mean: float
    deviation: float
    """The sample standard deviation over the folds; 0 for a single one."""
    folds: tuple[float, ...]


def folds_of(names: Iterable[str], count: int) -> tuple[Fold, ...]:
    """Divide names into folds, independently of their order. Sizes differ by at most one document."""
    every = sorted(set(names), key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    if not 2 <= count <= len(every):
        raise ValueError(f"{len(every)} documents cannot be divided into {count} folds")
    return tuple(
        Fold(at + 1, tuple(every[at::count]), tuple(n for i, n in enumerate(every) if i % count != at))
        for at in range(count)
    )


def train_fold(
    fold: Fold,
    ground: Ground,
    examples: Mapping[str, CorefExample],
    plan: CorefTrainingPlan,
    *,
    folder: Path,
    measure: Measure,
    told: Callable[[CorefEpoch], None],
) -> CorefTrainingState:
    """Train on the rest, or continue where it was stopped. `folder` belongs to this fold alone."""
    _claim(folder, fold)
    held = [examples[name] for name in fold.held]
    return fit(
        ground.network(plan.seed),
        [examples[name] for name in fold.rest],
        replace(plan, patience=plan.epochs),
        treebank=ground.treebank,
        mask=ground.pieces.mask,
        folder=folder,
        measure=lambda network: measure(network, held),
        told=told,
    )


def spreads(stories: Sequence[CorefTrainingState]) -> dict[str, FoldSpread]:
    """Return the spread of all figures of the last epochs."""
    last = [story.epochs[-1].measured for story in stories]
    return {name: _spread([measured[name] for measured in last]) for name in last[0]}


def _spread(values: Sequence[float]) -> FoldSpread:
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    return FoldSpread(round(statistics.mean(values), 4), round(deviation, 4), tuple(values))


def _claim(folder: Path, fold: Fold) -> None:
    """Claim the folder. A stopped training continues only if the same documents are held out."""
    file = folder / HELD
    if file.is_file():
        if json.loads(file.read_text("utf-8")) != list(fold.held):
            raise FoldOther(f"{folder.name} holds the training of another fold")
        return
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(fold.held, indent=1), encoding="utf-8")
