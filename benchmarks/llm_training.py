"""Training tokens per second, in the loop of `bookworm train lora`."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import torch

from benchmarks.llm_roofline import Roofline
from benchmarks.llm_shapes import Shape, bare
from benchmarks.llm_writing import peak
from generation.training.adapter import ready
from generation.training.training_loop import LoopSetting, fit
from generation.training.types import DataSplit, LossPoint, Recipe, TrainingExample, TrainingState


@dataclass(frozen=True, slots=True)
class Training:
    """Steps of one example each; the first does not count."""

    tokens: int
    """Tokens of prompt and answer together."""
    steps: int
    seconds_a_step: float
    tokens_per_second: float
    roofline: float
    """Tokens per second if only the multiplications took time.

    They are counted once forward, once again because activations are not kept, and once backward, because the
    base's weights need no gradients.
    """
    reached: float
    peak_gib: float


class _Ears:
    def __init__(self) -> None:
        self.points: list[LossPoint] = []

    def step(self, point: LossPoint, total: int) -> None:  # noqa: ARG002
        self.points.append(point)

    def epoch(self, story: TrainingState) -> None: ...


def measure(shape: Shape, roofline: Roofline, device: str) -> Training:
    recipe = Recipe(accumulation=1, epochs=1, tokens=shape.training)
    answer = min(shape.answer, shape.training // 2)
    ids = tuple(at % shape.vocabulary for at in range(shape.training))
    lesson = TrainingExample(ids[:-answer], ids[-answer:])
    ears = _Ears()
    if device != "cpu":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats(device)
    model = ready(bare(shape, device, kernel="sdpa"), recipe, name=shape.name)
    with tempfile.TemporaryDirectory() as folder:
        setting = LoopSetting(Path(folder), {}, pad=0)
        fit(model, {DataSplit.TRAIN: [lesson] * (shape.lessons + 1)}, recipe, setting, told=ears)
    seconds = sum(point.seconds for point in ears.points[1:]) / shape.lessons
    rate = shape.training / seconds
    most = roofline.multiplying / (3 * shape.work(shape.training)) * shape.training
    return Training(
        shape.training,
        shape.lessons,
        round(seconds, 4),
        round(rate),
        round(most),
        round(100 * rate / most, 1),
        peak(device),
    )
