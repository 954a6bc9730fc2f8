"""The training loop: one document per step, fixed seeds, a checkpoint per epoch, the best epoch by a measure.

Each step adds one document of the treebank, if there is one and not only links are learnt, and the encoder
learns from both. The moving average of the weights, which is steadier than those of any one step, is
evaluated and kept.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch
from torch.nn.utils import clip_grad_norm_

from coref.native.network import DocumentBatch, LiteraryNetwork
from coref.native.precision import moved, reduced
from coref.training import checkpoint
from coref.training.checkpoint import CorefEpoch, CorefTrainingState
from coref.training.coref_targets import CorefExample, hidden, losses
from coref.training.grammar_targets import GrammarExample, grammar_losses
from coref.training.weight_average import Average

Measure = Callable[[LiteraryNetwork], Mapping[str, float]]
"""Figures on documents outside the training data. `score` selects the best epoch."""


@dataclass(frozen=True, slots=True)
class CorefTrainingPlan:
    epochs: int = 14
    encoder_rate: float = 2e-4
    head_rate: float = 1e-3
    decay: float = 0.01
    warm_up: int = 80
    """Number of steps until the rates are full. After that they fall linearly."""
    least: float = 0.02
    """Share of the rates that remains at the end."""
    clip: float = 1.0
    patience: int = 4
    """Number of epochs without a better score after which training stops."""
    seed: int = 1
    grammar: float = 0.5
    """Weight of the treebank's losses, relative to a document's."""
    hide: float = 0.08
    """Share of a document's words that are masked."""
    average: float = 0.995
    """Share of the average that is kept at each step."""
    trained: bool = False
    """Whether it was trained before. Then the mentions it finds are compared from the first epoch."""

    def scaled(self, rate: float) -> CorefTrainingPlan:
        """Return the plan with its rates multiplied."""
        return replace(self, encoder_rate=self.encoder_rate * rate, head_rate=self.head_rate * rate)


def fit(
    network: LiteraryNetwork,
    examples: Sequence[CorefExample],
    plan: CorefTrainingPlan,
    *,
    treebank: Sequence[GrammarExample] = (),
    mask: int,
    folder: Path,
    measure: Measure,
    told: Callable[[CorefEpoch], None],
) -> CorefTrainingState:
    """Train, or continue where it was stopped. The best weights are in `folder` as `checkpoint.BEST`.

    `mask` is the piece that stands for a masked word. The training runs on the network's device, which may
    differ each time: examples stay in main memory, and masking is decided there.
    """
    optimizer = _optimizer(network, plan)
    average = Average(network, plan.average)
    story = checkpoint.load(folder, asdict(plan), network, optimizer, average)
    while len(story.epochs) < plan.epochs and not _over(story, plan):
        began = time.monotonic()
        number = len(story.epochs)
        torch.manual_seed(plan.seed * 10_000 + number)
        lessons = list(_lessons(examples, treebank, plan, mask, number=number))
        lost = _epoch(network, lessons, plan, optimizer, average, number=number)
        network.eval()
        with torch.no_grad(), average.worn_by(network):
            measured = measure(network)
            if all(measured["score"] > before.measured["score"] for before in story.epochs):
                checkpoint.save_best(folder, network)
        epoch = CorefEpoch(number, lost, measured, round(time.monotonic() - began, 1))
        story = CorefTrainingState(story.plan, (*story.epochs, epoch))
        checkpoint.save(folder, story, network, optimizer, average)
        told(epoch)
    return story


def _over(story: CorefTrainingState, plan: CorefTrainingPlan) -> bool:
    scores = [epoch.measured["score"] for epoch in story.epochs]
    return bool(scores) and len(scores) - 1 - scores.index(max(scores)) >= plan.patience


def _optimizer(network: LiteraryNetwork, plan: CorefTrainingPlan) -> torch.optim.AdamW:
    inner = list(network.encoder.parameters())
    ours = {id(parameter) for parameter in inner}
    heads = [parameter for parameter in network.parameters() if id(parameter) not in ours]
    groups = [{"params": inner, "lr": plan.encoder_rate}, {"params": heads, "lr": plan.head_rate}]
    return torch.optim.AdamW(groups, weight_decay=plan.decay)


@dataclass(frozen=True, slots=True)
class _Lesson:
    """The data of one step."""

    example: CorefExample
    batch: DocumentBatch
    sentences: GrammarExample | None
    with_found: bool
    """Not set in the first epoch of an untrained network, when mentions are found everywhere."""


def _lessons(
    examples: Sequence[CorefExample],
    treebank: Sequence[GrammarExample],
    plan: CorefTrainingPlan,
    mask: int,
    *,
    number: int,
) -> Iterator[_Lesson]:
    """Yield an epoch's steps, in an order that depends on the epoch alone, also after a stop."""
    order = random.Random(plan.seed * 10_000 + number).sample(examples, len(examples))
    for at, example in enumerate(order):
        whole = treebank and not example.links_only
        sentences = _turn(treebank, plan.seed, number * len(order) + at) if whole else None
        with_found = plan.trained or number > 0
        yield _Lesson(example, hidden(example.batch, plan.hide, mask), sentences, with_found)


def _turn(treebank: Sequence[GrammarExample], seed: int, step: int) -> GrammarExample:
    """Return a part of the treebank: each one once before any recurs, always in another order."""
    turn, at = divmod(step, len(treebank))
    return random.Random(seed * 10_000 + turn).sample(treebank, len(treebank))[at]


def _epoch(
    network: LiteraryNetwork,
    lessons: Sequence[_Lesson],
    plan: CorefTrainingPlan,
    optimizer: torch.optim.Optimizer,
    average: Average,
    *,
    number: int,
) -> dict[str, float]:
    sums: Counter[str] = Counter()
    network.train()
    for at, lesson in enumerate(moved(each, network.device) for each in lessons):
        _set_rates(optimizer, plan, step=number * len(lessons) + at, steps=plan.epochs * len(lessons))
        optimizer.zero_grad()
        sums.update(_learn(network, lesson))
        if lesson.sentences is not None:
            sums.update(_learn_grammar(network, lesson.sentences, plan.grammar))
        clip_grad_norm_(network.parameters(), plan.clip)
        optimizer.step()
        average.follow(network)
    return {name: round(total / len(lessons), 4) for name, total in sums.items()}


def _learn(network: LiteraryNetwork, lesson: _Lesson) -> Counter[str]:
    with reduced(network.device.type):
        lost = losses(network, lesson.example, lesson.batch, with_found=lesson.with_found)
    lost.total.backward()  # type: ignore[no-untyped-call]
    return _loss_figures(lost, ("mentions", "links", "kinds", "events"))


def _learn_grammar(network: LiteraryNetwork, example: GrammarExample, weight: float) -> Counter[str]:
    if network.grammar is None:
        raise ValueError("a network without grammar cannot be trained on a treebank")
    with reduced(network.device.type):
        lost = grammar_losses(network, network.grammar, example)
    (weight * lost.total).backward()  # type: ignore[no-untyped-call]
    return _loss_figures(lost, ("tags", "scripts", "arcs", "labels"))


def _loss_figures(lost: object, names: Sequence[str]) -> Counter[str]:
    return Counter({name: float(getattr(lost, name).detach()) for name in names})


def _set_rates(optimizer: torch.optim.Optimizer, plan: CorefTrainingPlan, *, step: int, steps: int) -> None:
    share = min(1.0, (step + 1) / plan.warm_up) * max(plan.least, 1 - step / steps)
    for group, rate in zip(optimizer.param_groups, (plan.encoder_rate, plan.head_rate), strict=True):
        group["lr"] = rate * share
