"""The entailment head: the probability that the evidence supports a claim.

It is a regression on features: how the whole book bears on the claim, and how the claim's word pieces align
with the evidence. `bookworm train entailment` fits it. MODEL_CARD.md says on what, and how well it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from generation.checking.entailment.alignment import ClaimAlignment, align
from generation.checking.entailment.encoder import encode_pairs
from generation.checking.entailment.pair_encoding import encode
from generation.checking.entailment.sentence_search import SearchSigns
from generation.checking.types import Case, Evidence

VERSION: Final = 1
DATA: Final = Path(str(files("generation"))) / "data"
FEATURES: Final = (
    *(f.name for f in fields(ClaimAlignment)),
    *(f"book {f.name}" for f in fields(SearchSigns)),
    "words of best",
    "certainty of best",
    "words and certainty",
)
ARRAYS: Final = ("centre", "mean", "spread", "weights")
NUMBERS: Final = ("bias", "supported", "unsupported")
_UNKNOWN: Final = (float("nan"),) * len(fields(SearchSigns))
FARTHEST: Final = 3.0
"""A feature counts no more than this many spreads from its mean."""
Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class HeadWeights:
    layers: int
    """Number of the encoder's layers whose states are read."""
    centre: Rows
    """Mean of the encoder's states."""
    mean: Rows
    spread: Rows
    weights: Rows
    bias: float
    supported: float
    """Minimum probability of a supported claim."""
    unsupported: float
    """Maximum probability of an unsupported claim. Between, a claim is uncertain."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the head says of a case."""

    supported: float
    best: Evidence | None
    """The sentence that the claim fits best."""


def read_by_head(cases: Sequence[Case], head: HeadWeights) -> list[Reading]:
    """Read cases together, which takes less time than one after the other."""
    rows, best = features(cases, head.centre, head.layers)
    found = probabilities(scaled(rows, head.mean, head.spread), head.weights, head.bias)
    return [
        Reading(0.0 if case.strange else float(support), one)
        for case, support, one in zip(cases, found, best, strict=True)
    ]


def features(cases: Sequence[Case], centre: Rows, layers: int) -> tuple[Rows, list[Evidence | None]]:
    """Return a row of features for each case, and the evidence that its claim fits best."""
    pairs = [encode(case.claim, case.evidence) for case in cases]
    rows, best = [], list[Evidence | None]()
    for case, pair, hidden in zip(cases, pairs, encode_pairs(pairs, layers), strict=True):
        aligned, at = align(pair, hidden, centre)
        chosen = None if at is None else case.evidence[at]
        words, certainty = (chosen.words, chosen.certainty) if chosen is not None else (0.0, 0.0)
        product = max((e.words * e.certainty for e in case.evidence), default=0.0)
        signs = _UNKNOWN if case.signs is None else astuple(case.signs)
        rows.append((*astuple(aligned), *signs, words, certainty, product))
        best.append(chosen)
    return np.array(rows, np.float32).reshape(-1, len(FEATURES)), best


def scaled(rows: Rows, mean: Rows, spread: Rows) -> Rows:
    """Return the features in units of their spread. What is not known counts as average."""
    found: Rows = np.clip(np.nan_to_num((rows - mean) / spread, nan=0.0), -FARTHEST, FARTHEST)
    return found


def probabilities(rows: Rows, weights: Rows, bias: float) -> Rows:
    found: Rows = 1 / (1 + np.exp(-(rows @ weights + bias)))
    return found


def as_read(told: dict[str, Any], name: str) -> HeadWeights:
    """Return weights. Raises ValueError for those of another version or other features, naming their file."""
    if told.get("version") != VERSION or tuple(told.get("features", ())) != FEATURES:
        raise ValueError(f"{name} has weights of another version of the entailment head")
    centre, mean, spread, weights = (np.array(told[name], np.float32) for name in ARRAYS)
    bias, supported, unsupported = (float(told[name]) for name in NUMBERS)
    return HeadWeights(int(told["layers"]), centre, mean, spread, weights, bias, supported, unsupported)
