"""What a metric promises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from evaluation.metrics.types import MetricSample, Scores


class Metric(Protocol):
    @property
    def name(self) -> str:
        """With its version and its model, if it has one: two figures of one name can be compared."""
        ...

    @property
    def columns(self) -> tuple[str, ...]: ...

    def score(self, samples: Sequence[MetricSample]) -> list[Scores]:
        """One for each sample, in order."""
        ...
