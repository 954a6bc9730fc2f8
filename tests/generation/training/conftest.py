from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from generation.training.types import LossPoint, TrainingEpoch, TrainingState


@dataclass
class Heard:
    """Records the events of a training."""

    points: list[LossPoint] = field(default_factory=list)
    epochs: list[TrainingEpoch] = field(default_factory=list)

    def step(self, point: LossPoint, total: int) -> None:
        self.points.append(point)

    def epoch(self, story: TrainingState) -> None:
        self.epochs.append(story.epochs[-1])

    @property
    def losses(self) -> list[float]:
        return [point.loss for point in self.points]


@pytest.fixture
def heard() -> Heard:
    return Heard()
