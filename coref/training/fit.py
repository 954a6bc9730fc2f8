"""The training loop: one document a step, fixed seeds, a checkpoint an epoch, the best epoch by a measure."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch.nn.utils import clip_grad_norm_

from coref.native.network import Network
from coref.training import checkpoint
from coref.training.checkpoint import Epoch, Story
from coref.training.example import Example, losses

Measure = Callable[[Network], Mapping[str, float]]
"""Figures on documents that are not trained on; `score` decides which epoch is best."""


@dataclass(frozen=True, slots=True)
class Plan:
    epochs: int = 11
    encoder_rate: float = 2e-4
    head_rate: float = 1e-3
    decay: float = 0.01
    warm_up: int = 80
    """Steps until the rates are full; then they fall in a line."""
    least: float = 0.02
    """Share of the rates that is left at the end."""
    clip: float = 1.0
    patience: int = 4
    """Epochs without a better score after which nothing better is expected."""
    seed: int = 1


def fit(
    network: Network,
    examples: Sequence[Example],
    plan: Plan,
    *,
    folder: Path,
    measure: Measure,
    told: Callable[[Epoch], None],
) -> Story:
    """Trains, or goes on where it was stopped; the best weights lie in `folder` under `checkpoint.BEST`."""
    optimizer = _optimizer(network, plan)
    story = checkpoint.load(folder, asdict(plan), network, optimizer)
    while len(story.epochs) < plan.epochs and not _over(story, plan):
        began = time.monotonic()
        number = len(story.epochs)
        lost = _epoch(network, examples, plan, optimizer, number=number)
        network.eval()
        with torch.no_grad():
            measured = measure(network)
        epoch = Epoch(number, lost, measured, round(time.monotonic() - began, 1))
        if all(measured["score"] > before.measured["score"] for before in story.epochs):
            checkpoint.save_best(folder, network)
        story = Story(story.plan, (*story.epochs, epoch))
        checkpoint.save(folder, story, network, optimizer)
        told(epoch)
    return story


def _over(story: Story, plan: Plan) -> bool:
    scores = [epoch.measured["score"] for epoch in story.epochs]
    return bool(scores) and len(scores) - 1 - scores.index(max(scores)) >= plan.patience


def _optimizer(network: Network, plan: Plan) -> torch.optim.AdamW:
    inner = list(network.encoder.parameters())
    ours = {id(parameter) for parameter in inner}
    heads = [parameter for parameter in network.parameters() if id(parameter) not in ours]
    groups = [{"params": inner, "lr": plan.encoder_rate}, {"params": heads, "lr": plan.head_rate}]
    return torch.optim.AdamW(groups, weight_decay=plan.decay)


def _epoch(
    network: Network,
    examples: Sequence[Example],
    plan: Plan,
    optimizer: torch.optim.Optimizer,
    *,
    number: int,
) -> dict[str, float]:
    """The same order and the same dropout for the same epoch, however often the training was stopped."""
    torch.manual_seed(plan.seed * 10_000 + number)
    order = random.Random(plan.seed * 10_000 + number).sample(examples, len(examples))
    sums = dict.fromkeys(("mentions", "links", "kinds"), 0.0)
    network.train()
    for at, example in enumerate(order):
        _set_rates(optimizer, plan, step=number * len(order) + at, steps=plan.epochs * len(order))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            lost = losses(network, example, with_found=number > 0)
        optimizer.zero_grad()
        lost.total.backward()  # type: ignore[no-untyped-call]
        clip_grad_norm_(network.parameters(), plan.clip)
        optimizer.step()
        for name in sums:
            sums[name] += float(getattr(lost, name).detach())
    return {name: round(total / len(order), 4) for name, total in sums.items()}


def _set_rates(optimizer: torch.optim.Optimizer, plan: Plan, *, step: int, steps: int) -> None:
    share = min(1.0, (step + 1) / plan.warm_up) * max(plan.least, 1 - step / steps)
    for group, rate in zip(optimizer.param_groups, (plan.encoder_rate, plan.head_rate), strict=True):
        group["lr"] = rate * share
