"""Weights of the offline judge and the meaning of its scores, fitted on facts known to be true or false.

`bookworm evaluate judge --fit` writes the file. It keeps the shares of the rules `composed` and `lexical`,
which were measured separately (evaluation/judging/README.md).
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp
from pathlib import Path
from typing import Any

from generation.checking.judges.agreement_features import SIGNS

VERSION = 1


@dataclass(frozen=True, slots=True)
class JudgeWeights:
    one: float
    """The constant term of the sum."""
    weights: tuple[float, ...]
    """In the order of `SIGNS`."""
    steps: tuple[tuple[float, float], ...]
    """Sums with the share of true claims, both in rising order."""
    supported: float
    """Minimum sum of a supported claim."""
    uncertain: float
    """Minimum sum of an uncertain claim."""
    rules: Mapping[str, float]
    """Share of correct verdicts of each rule that decides without the sum."""

    def sum(self, numbers: Sequence[float]) -> float:
        return self.one + sum(w * n for w, n in zip(self.weights, numbers, strict=True))

    def likely(self, total: float) -> float:
        """Return the share of true claims for a sum, interpolated between the steps."""
        at = bisect_right(self.steps, total, key=lambda step: step[0])
        if not self.steps:
            return 1 / (1 + exp(-total))
        if at == 0 or at == len(self.steps):
            return self.steps[max(0, at - 1)][1]
        (low, below), (high, above) = self.steps[at - 1], self.steps[at]
        return below + (above - below) * (total - low) / (high - low)

    def rule(self, name: str) -> float:
        return self.rules.get(name, 0.5)

    def to_dict(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "one": self.one,
            "weights": dict(zip(SIGNS, self.weights, strict=True)),
            "steps": [list(step) for step in self.steps],
            "supported": self.supported,
            "uncertain": self.uncertain,
            "rules": dict(self.rules),
        }


def read_weights(path: Path | None = None) -> JudgeWeights:
    """Return the weights in a file, or those that come with Bookworm if no path is given.

    Raises ValueError if the file does not contain the weights of this version.
    """
    source = path or files("generation").joinpath("data", "judging.json")
    try:
        told = json.loads(source.read_text(encoding="utf-8"))
        if told["version"] != VERSION or set(told["weights"]) != set(SIGNS):
            raise ValueError("it was fitted for another version of the judge")
        return JudgeWeights(
            one=float(told["one"]),
            weights=tuple(float(told["weights"][name]) for name in SIGNS),
            steps=tuple((float(s), float(p)) for s, p in told["steps"]),
            supported=float(told["supported"]),
            uncertain=float(told["uncertain"]),
            rules={str(name): float(share) for name, share in told["rules"].items()},
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no weights of a judge: {error!r}") from error


@cache
def own_weights() -> JudgeWeights:
    return read_weights()
