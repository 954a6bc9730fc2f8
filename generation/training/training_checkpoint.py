"""Checkpoint of a training: trained weights, optimizer, random state and position, all in one file.

So none of them is ever ahead of the others, whenever the process is killed. The loss curve is beside it, one
line for each step. Lines after the checkpoint are dropped, because those steps are repeated.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file
from torch import Tensor

from coref.training.checkpoint import BEST, STATE, memory_of, part, put, remind
from generation.training.errors import TrainingDiffers
from generation.training.types import LossPoint, TrainingEpoch, TrainingState

WEIGHTS = "weights."
RANDOM = "random."
CURVE = "loss.jsonl"


def trained(model: torch.nn.Module) -> dict[str, Tensor]:
    """Return the weights that a training changes. Tied weights count once."""
    return {name: weight for name, weight in model.named_parameters() if weight.requires_grad}


def save(
    folder: Path, story: TrainingState, model: torch.nn.Module, optimizer: torch.optim.Optimizer
) -> None:
    tensors = {f"{WEIGHTS}{name}": weight.detach() for name, weight in trained(model).items()}
    put(folder / STATE, tensors | memory_of(optimizer) | _chance(), story=json.dumps(asdict(story)))


def save_best(folder: Path, model: torch.nn.Module) -> None:
    put(folder / BEST, {name: weight.detach() for name, weight in trained(model).items()})


def load_best(folder: Path, model: torch.nn.Module) -> None:
    _wear(model, load_file(folder / BEST))


def load(
    folder: Path, identity: Mapping[str, object], model: torch.nn.Module, optimizer: torch.optim.Optimizer
) -> TrainingState:
    """Return the state at which the training of this recipe, base and data stopped, or its beginning."""
    told = compare(folder, identity)
    if not told.step:
        return told
    tensors = load_file(folder / STATE)
    _wear(model, part(tensors, WEIGHTS))
    remind(optimizer, tensors)
    _recall(part(tensors, RANDOM))
    return told


def compare(folder: Path, identity: Mapping[str, object]) -> TrainingState:
    """Return the state of the training in a folder, if it is the one that is meant."""
    identity = json.loads(json.dumps(identity))  # as it would be after reading
    told = _state_in(folder)
    if told is None:
        return TrainingState(identity)
    if differing := [name for name in identity if told.identity.get(name) != identity[name]]:
        raise TrainingDiffers(f"{folder} contains a training with another {' and '.join(differing)}.")
    return told


def _state_in(folder: Path) -> TrainingState | None:
    file = folder / STATE
    if not file.is_file():
        return None
    try:
        with safe_open(file, framework="pt") as opened:
            raw: dict[str, Any] = json.loads(opened.metadata()["story"])
        return TrainingState(**{**raw, "epochs": tuple(TrainingEpoch(**epoch) for epoch in raw["epochs"])})
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise TrainingDiffers(f"{file} is not the checkpoint of a training: {error}.") from error


def forget(folder: Path) -> None:
    """Delete the training, as if nothing had been trained there."""
    for name in (STATE, BEST, CURVE):
        (folder / name).unlink(missing_ok=True)


class Curve:
    """The file of losses, from which the picture is drawn too."""

    def __init__(self, folder: Path, *, upto: int) -> None:
        """Open the file and keep the steps up to the last checkpoint."""
        self._file = folder / CURVE
        kept = [point for point in _points(self._file) if point.step <= upto]
        folder.mkdir(parents=True, exist_ok=True)
        aside = self._file.with_suffix(".new")
        aside.write_text("".join(map(_line, kept)), encoding="utf-8")
        aside.replace(self._file)

    def add(self, point: LossPoint) -> None:
        with self._file.open("a", encoding="utf-8") as file:
            file.write(_line(point))


def _line(point: LossPoint) -> str:
    return json.dumps(asdict(point)) + "\n"


def points(folder: Path) -> tuple[LossPoint, ...]:
    """Return the loss curve so far."""
    return tuple(_points(folder / CURVE))


def _points(file: Path) -> Iterable[LossPoint]:
    if not file.is_file():
        return
    for line in file.read_text("utf-8").splitlines():
        try:
            yield LossPoint(**json.loads(line))
        except ValueError:
            return  # half a line, from when the process was killed


def _chance() -> dict[str, Tensor]:
    """Return the random states of the processor and of every GPU."""
    states = {f"{RANDOM}cpu": torch.get_rng_state()}
    if torch.cuda.is_available():
        states |= {f"{RANDOM}{n}": state for n, state in enumerate(torch.cuda.get_rng_state_all())}
    return states


def _recall(states: Mapping[str, Tensor]) -> None:
    torch.set_rng_state(states["cpu"])
    for name, state in states.items():
        if name != "cpu" and int(name) < torch.cuda.device_count():
            torch.cuda.set_rng_state(state, int(name))


@torch.no_grad()
def _wear(model: torch.nn.Module, weights: Mapping[str, Tensor]) -> None:
    for name, weight in trained(model).items():
        weight.copy_(weights[name])
