"""The state of a training, in one file that is replaced after each epoch. Only safetensors and JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from coref.training.weight_average import STEPS, Average

STATE = "state.safetensors"
BEST = "best.safetensors"
AVERAGE = "average."
OPTIMIZER = "optimizer."
STORY = "story.json"
"""The same story as in the state, for human readers."""


@dataclass(frozen=True, slots=True)
class CorefEpoch:
    number: int
    losses: Mapping[str, float]
    measured: Mapping[str, float]
    seconds: float


@dataclass(frozen=True, slots=True)
class CorefTrainingState:
    """The plan of a training and its results so far."""

    plan: Mapping[str, Any]
    epochs: tuple[CorefEpoch, ...] = ()


def save(
    folder: Path,
    story: CorefTrainingState,
    network: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    average: Average,
) -> None:
    """Save weights, the optimizer's memory and the story in one file, so that they always match."""
    told = json.dumps(asdict(story), indent=1)
    tensors = {f"network.{name}": tensor for name, tensor in network.state_dict().items()}
    tensors |= memory_of(optimizer)
    tensors |= {f"{AVERAGE}{name}": tensor for name, tensor in average.state().items()}
    put(folder / STATE, tensors, story=told)
    (folder / STORY).write_text(told, encoding="utf-8")


def save_best(folder: Path, network: torch.nn.Module) -> None:
    put(folder / BEST, network.state_dict())


def best(folder: Path) -> dict[str, Tensor]:
    return load_file(folder / BEST)


def last(folder: Path) -> dict[str, Tensor]:
    """Return the average of the last epoch."""
    average = part(load_file(folder / STATE), AVERAGE)
    return {name: tensor for name, tensor in average.items() if name != STEPS}


def load(
    folder: Path,
    plan: Mapping[str, Any],
    network: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    average: Average,
) -> CorefTrainingState:
    """Continue a training of the same plan. With any other plan it starts anew."""
    file = folder / STATE
    if not file.is_file():
        return CorefTrainingState(plan)
    with safe_open(file, framework="pt") as opened:
        told = json.loads(opened.metadata()["story"])
    if told["plan"] != plan:
        return CorefTrainingState(plan)
    tensors = load_file(file)
    network.load_state_dict(part(tensors, "network."))
    average.restore(part(tensors, AVERAGE))
    remind(optimizer, tensors)
    return CorefTrainingState(plan, tuple(CorefEpoch(**epoch) for epoch in told["epochs"]))


def memory_of(optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """Return the optimizer's memory of each weight, with names that `remind` understands."""
    return {
        f"{OPTIMIZER}{number}.{name}": tensor
        for number, kept in optimizer.state_dict()["state"].items()
        for name, tensor in kept.items()
    }


def remind(optimizer: torch.optim.Optimizer, tensors: Mapping[str, Tensor]) -> None:
    """Restore the memory in `tensors` to an optimizer over the same weights."""
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in part(tensors, OPTIMIZER).items():
        number, _, what = name.partition(".")
        state.setdefault(int(number), {})[what] = tensor
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})


def part(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """Return the tensors whose names have the prefix, with the prefix removed."""
    return {name.removeprefix(prefix): t for name, t in tensors.items() if name.startswith(prefix)}


def put(file: Path, tensors: Mapping[str, Tensor], **told: str) -> None:
    """Write a new file and move it into place, so that readers find the old one or the new one whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    aside = file.with_suffix(".new")
    save_file({name: tensor.cpu().contiguous() for name, tensor in tensors.items()}, aside, metadata=told)
    aside.replace(file)
