"""The training loop: a step is a few batches, seeds are fixed, and it resumes wherever it was stopped.

A run that is killed and resumed ends with exactly the same losses and weights as an uninterrupted one. But a
GPU may add in another order each time, so that the last digits of any two runs on it differ.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import torch
from torch.nn.utils import clip_grad_norm_

from coref.native.precision import fastest, moved
from generation.training import schedule, training_checkpoint
from generation.training.batches import TokenBatch, batch_of, lost, packed, packs
from generation.training.errors import TrainingDiverged, TrainingTooLarge
from generation.training.training_checkpoint import Curve
from generation.training.types import (
    DataSplit,
    LossPoint,
    Precision,
    Recipe,
    TrainingEpoch,
    TrainingExample,
    TrainingOutcome,
    TrainingState,
)

Examples = Mapping[DataSplit, Sequence[TrainingExample]]

SAVE_EVERY = 50
"""Steps between checkpoints. There is one at the end of each epoch, too."""


class TrainingListener(Protocol):
    """Receives each step, with the total number of steps, and the end of each epoch."""

    def step(self, point: LossPoint, total: int) -> None: ...

    def epoch(self, story: TrainingState) -> None: ...


@dataclass(frozen=True, slots=True)
class LoopSetting:
    """The environment of a loop."""

    folder: Path
    identity: Mapping[str, object]
    """What must be the same to resume."""
    pad: int
    save_every: int = SAVE_EVERY


def fit(
    model: Any, examples: Examples, recipe: Recipe, setting: LoopSetting, *, told: TrainingListener
) -> TrainingOutcome:
    """Train, or resume a training. At the end the model has the weights of the best epoch.

    The model must be on its device, and what is trained of it must require gradients.
    """
    torch.manual_seed(recipe.seed)
    optimizer = torch.optim.AdamW(
        list(training_checkpoint.trained(model).values()), lr=recipe.rate, weight_decay=recipe.weight_decay
    )
    story = training_checkpoint.load(setting.folder, setting.identity, model, optimizer)
    curve = Curve(setting.folder, upto=story.step)
    loop = _Loop(model, examples, recipe, setting)
    with roomy():
        while story.step < loop.total:
            began = time.monotonic()
            point = loop.step(optimizer, story.step)
            curve.add(point)
            story = replace(story, step=point.step, losses=story.losses + point.loss)
            told.step(point, loop.total)
            ended = point.step % loop.an_epoch == 0
            if ended:
                story = loop.ended(story)
            story = replace(story, seconds=story.seconds + time.monotonic() - began)
            if ended or point.step % setting.save_every == 0:
                training_checkpoint.save(setting.folder, story, model, optimizer)
            if ended:
                told.epoch(story)
        training_checkpoint.load_best(setting.folder, model)
        return TrainingOutcome(
            story, loop.loss_on(DataSplit.TEST), training_checkpoint.points(setting.folder)
        )


class _Loop:
    def __init__(self, model: Any, examples: Examples, recipe: Recipe, setting: LoopSetting) -> None:
        self._model = model
        self._examples = examples
        self._recipe = recipe
        self._setting = setting
        self._device = next(model.parameters()).device
        self._lessons = examples[DataSplit.TRAIN]
        self.an_epoch = schedule.steps_an_epoch(len(self._lessons), recipe)
        self.total = schedule.steps(len(self._lessons), recipe)

    def step(self, optimizer: torch.optim.Optimizer, number: int) -> LossPoint:
        """Run a step. Its loss is that of all answer tokens in it, however they are divided into batches."""
        began = time.monotonic()
        chosen = [self._lessons[at] for at in schedule.turn(number, len(self._lessons), self._recipe)]
        answered = sum(len(example.answer) for example in chosen)
        rate = schedule.rate(number, self.total, self._recipe)
        for group in optimizer.param_groups:
            group["lr"] = rate
        self._model.train()
        optimizer.zero_grad()
        whole = 0.0
        for loss in self._losses(chosen):
            (loss / answered).backward()  # type: ignore[no-untyped-call]
            whole += float(loss.detach())
        mean = whole / answered
        if not math.isfinite(mean):
            raise TrainingDiverged(f"The loss of step {number + 1} is {mean}.")
        clip_grad_norm_(training_checkpoint.trained(self._model).values(), self._recipe.clip)
        optimizer.step()
        seen = answered + sum(len(example.prompt) for example in chosen)
        epoch = number // self.an_epoch + 1
        return LossPoint(number + 1, epoch, mean, rate, seen, round(time.monotonic() - began, 3))

    def ended(self, story: TrainingState) -> TrainingState:
        """End an epoch, and save its weights if it is the best so far."""
        number = len(story.epochs) + 1
        validation = self.loss_on(DataSplit.VALIDATION)
        epoch = TrainingEpoch(number, story.step, story.losses / self.an_epoch, validation)
        story = replace(story, losses=0.0, epochs=(*story.epochs, epoch))
        if story.best is epoch:
            training_checkpoint.save_best(self._setting.folder, self._model)
        return story

    @torch.no_grad()
    def loss_on(self, split: DataSplit) -> float | None:
        """Return the mean loss over the tokens of all answers of a split, or None if it has none."""
        chosen = self._examples.get(split, ())
        if not chosen:
            return None
        self._model.eval()
        whole = sum(float(loss) for loss in self._losses(chosen))
        return whole / sum(len(example.answer) for example in chosen)

    def _losses(self, chosen: Sequence[TrainingExample]) -> Iterator[torch.Tensor]:
        for made in self._batches(chosen):
            batch = moved(made, self._device)
            with torch.autocast(self._device.type, dtype=torch.bfloat16, enabled=self._reduced):
                loss = lost(self._model, batch)
            yield loss

    def _batches(self, chosen: Sequence[TrainingExample]) -> Iterator[TokenBatch]:
        size, row = self._recipe.batch, self._recipe.packed
        if row is not None:
            yield from (packed(some, apart=self._recipe.apart) for some in packs(chosen, row))
            return
        for start in range(0, len(chosen), size):
            yield batch_of(chosen[start : start + size], pad=self._setting.pad)

    @property
    def _reduced(self) -> bool:
        return dtype_for(self._recipe.precision, self._device.type) is torch.bfloat16


def dtype_for(precision: Precision, device: str) -> torch.dtype:
    if precision is Precision.AUTO:
        return fastest(device)
    return torch.bfloat16 if precision is Precision.BF16 else torch.float32


@contextmanager
def roomy() -> Iterator[None]:
    """Raise an error in plain words if the memory is too small."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        raise TrainingTooLarge(f"The device's memory is too small: {error}") from error
