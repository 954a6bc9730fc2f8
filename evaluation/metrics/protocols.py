"""The protocol of a metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from evaluation.metrics.types import MetricSample, Scores


class Metric(Protocol):
    @property
    def name(self) -> str:
        """With its version and its model, if it has one: figures under one name are comparable."""
        ...

    @property
    def columns(self) -> tuple[str, ...]: ...

    def score(self, samples: Sequence[MetricSample]) -> list[Scores]:
        """Return the scores of each sample, in order."""
        ...
