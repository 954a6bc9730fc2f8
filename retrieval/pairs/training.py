"""Train the network that reads pairs: first a large teacher, and then MiniLM, which learns what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, smooth_l1_loss

from retrieval.pairs.network import PairNetwork
from retrieval.pairs.types import Asks, PairLesson
from retrieval.telling.sentence_table import Floats

Tell = Callable[[str], object]
_OF_GROUP: Final = 8
"""Maximum number of passages of a question that are compared in a step."""
_RIGHT: Final = 2
"""Maximum number of those that are right."""
_LEADING: Final = 3.0
"""The smaller, the more often the wrong passages that were found first are compared."""
_ALIKE: Final = 24
"""Batches in which pairs are sorted by length."""
_HEAD_RATE: Final = 10.0
"""What the rate of the outputs is multiplied by."""
_WARM: Final = 0.05
"""Share of the steps in which the rate rises."""
_LOWEST: Final = 0.02
_CLIPPED: Final = 1.0
_LABELS_OF_CLAIMS, _LABELS_OF_GROUPS, _LEVEL = 0.4, 0.5, 0.05
"""Weights of the labels, and of the distance from the teacher's log odds, beside its probabilities."""
_ABSENT: Final = -1e9


@dataclass(frozen=True, slots=True)
class PairCourse:
    rate: float
    claims: int
    """Claims at once."""
    groups: int
    """Questions at once."""
    rounds: int = 4
    decay: float = 0.01
    seed: int = 0


TEACHER: Final = PairCourse(rate=3e-5, claims=96, groups=12)
STUDENT: Final = PairCourse(rate=2e-4, claims=192, groups=24)
"""With twelve rounds it did worse on novels that it had not seen."""


@dataclass(frozen=True, slots=True)
class PairBatch:
    rows: tuple[int, ...]
    """The numbers of its lessons."""
    sizes: tuple[int, ...] = ()
    """The number of passages of each question; none for claims."""


def train(
    network: PairNetwork,
    lessons: Sequence[PairLesson],
    course: PairCourse,
    *,
    tell: Tell,
    taught: Floats | None = None,
) -> None:
    """Train a network where it is; `taught` has the teacher's log odds for each lesson, if there is one.

    Raises ValueError if there is nothing to learn.
    """
    torch.manual_seed(course.seed)
    pieces = network.pieces(lessons)
    plan = _Plan(lessons, [len(row) for row in pieces], course, unlabelled=taught is not None)
    if not plan.steps:
        raise ValueError("there are no lessons")
    table = _PairLabels(lessons, taught, network.head.weight.device)
    step = _PairSteps(network, course, course.rounds * plan.steps)
    network.train()
    for each in range(course.rounds):
        whole = count = 0.0
        for batch in plan.round():
            said = network([pieces[n] for n in batch.rows])
            loss = table.loss(said, batch)
            step(loss)
            whole, count = whole + float(loss.detach()), count + 1
        tell(f"Round {each + 1} of {course.rounds}: loss {whole / count:.3f}")


class _Plan:
    """Puts the lessons into batches, in another order each round."""

    def __init__(
        self, lessons: Sequence[PairLesson], lengths: Sequence[int], course: PairCourse, *, unlabelled: bool
    ) -> None:
        self._lessons, self._lengths, self._course = lessons, lengths, course
        self._chance = np.random.default_rng(course.seed)
        self._claims: list[int] = []
        groups: dict[str, list[int]] = {}
        for n, lesson in enumerate(lessons):
            if lesson.group is not None:
                groups.setdefault(lesson.group, []).append(n)
            elif unlabelled or lesson.true is not None:
                self._claims.append(n)
        self._groups = list(groups.values())

    @property
    def steps(self) -> int:
        """The number of batches in a round."""
        return -(-len(self._claims) // self._course.claims) + -(-len(self._groups) // self._course.groups)

    def round(self) -> list[PairBatch]:
        every = [*self._of_claims(), *self._of_groups()]
        return [every[n] for n in self._chance.permutation(len(every))]

    def _of_claims(self) -> Iterator[PairBatch]:
        order, size = self._chance.permutation(self._claims).tolist(), self._course.claims
        for first in range(0, len(order), size * _ALIKE):
            alike = sorted(order[first : first + size * _ALIKE], key=lambda n: self._lengths[n])
            for start in range(0, len(alike), size):
                yield PairBatch(tuple(alike[start : start + size]))

    def _of_groups(self) -> Iterator[PairBatch]:
        order = self._chance.permutation(len(self._groups)).tolist()
        for first in range(0, len(order), self._course.groups):
            some = [self._some(self._groups[n]) for n in order[first : first + self._course.groups]]
            yield PairBatch(tuple(n for rows in some for n in rows), tuple(map(len, some)))

    def _some(self, group: Sequence[int]) -> list[int]:
        """Return some passages of a question, wrong ones rather if they were found early."""
        right = [n for n in group if self._lessons[n].true]
        wrong = [n for n in group if not self._lessons[n].true]
        chosen: list[int] = self._chance.permutation(right).tolist()[:_RIGHT]
        often = 1 / (np.arange(len(wrong)) + _LEADING)
        count = min(len(wrong), _OF_GROUP - len(chosen))
        if count:
            chosen += self._chance.choice(wrong, count, replace=False, p=often / often.sum()).tolist()
        return chosen


class _PairLabels:
    """The labels of the lessons, and what the teacher says, where the network is."""

    def __init__(self, lessons: Sequence[PairLesson], taught: Floats | None, device: torch.device) -> None:
        def column(values: Sequence[float]) -> Tensor:
            return torch.tensor(values, dtype=torch.float32, device=device)

        self._true = column([float(bool(lesson.true)) for lesson in lessons])
        self._weight = column([0.0 if lesson.true is None else lesson.weight for lesson in lessons])
        self._taught = None if taught is None else column(taught.tolist())

    def loss(self, said: Tensor, batch: PairBatch) -> Tensor:
        """Return the loss of both outputs' log odds for a batch."""
        rows = list(batch.rows)
        true, weight = self._true[rows], self._weight[rows]
        taught = None if self._taught is None else self._taught[rows]
        odds = said[:, Asks.ANSWERS if batch.sizes else Asks.BEARS_OUT]
        each = binary_cross_entropy_with_logits(odds, true, reduction="none")
        labels = (each * weight).sum() / weight.sum().clamp(min=1.0)
        if batch.sizes:
            groups = _Groups(batch.sizes, odds.device)
            labels = labels + groups.right_first(odds, true)
            if taught is None:
                return labels
            return _LABELS_OF_GROUPS * labels + groups.as_taught(odds, taught) + _agree(odds, taught)
        if taught is None:
            return labels
        return _LABELS_OF_CLAIMS * labels + _agree(odds, taught) + _LEVEL * smooth_l1_loss(odds, taught)


def _agree(odds: Tensor, taught: Tensor) -> Tensor:
    return binary_cross_entropy_with_logits(odds, torch.sigmoid(taught))


class _Groups:
    """Compares the passages of each question in a batch."""

    def __init__(self, sizes: Sequence[int], device: torch.device) -> None:
        counts = torch.tensor(sizes, device=device)
        self._there = torch.arange(max(sizes), device=device)[None] < counts[:, None]

    def _rows(self, values: Tensor, absent: float) -> Tensor:
        found = values.new_full(self._there.shape, absent)
        found[self._there] = values
        return found

    def right_first(self, odds: Tensor, true: Tensor) -> Tensor:
        """Return how unlikely the right passages are to come first, where there are any."""
        likely = torch.log_softmax(self._rows(odds, _ABSENT), 1)
        right = self._rows(true, 0.0) > 0
        known = right.any(1)
        first = torch.logsumexp(likely.masked_fill(~right, _ABSENT), 1)
        return -first[known].sum() / known.sum().clamp(min=1)

    def as_taught(self, odds: Tensor, taught: Tensor) -> Tensor:
        """Return how far the comparison is from the teacher's."""
        likely = torch.log_softmax(self._rows(odds, _ABSENT), 1)
        wanted = torch.softmax(self._rows(taught, _ABSENT), 1)
        return -(wanted * likely).sum(1).mean()


class _PairSteps:
    """Takes one step after the other, with a rate that rises and then falls."""

    def __init__(self, network: PairNetwork, course: PairCourse, steps: int) -> None:
        head = list(network.head.parameters())
        encoder = [p for p in network.encoder.parameters() if p.requires_grad]
        self._learnt = [*encoder, *head]
        self._rates = (course.rate, course.rate * _HEAD_RATE)
        self._optimiser = torch.optim.AdamW(
            [{"params": encoder}, {"params": head}], lr=course.rate, weight_decay=course.decay
        )
        self._all, self._done = steps, 0

    def __call__(self, loss: Tensor) -> None:
        gone = self._done / self._all
        share = min(1.0, (gone + 1 / self._all) / _WARM) * max(_LOWEST, 1 - gone)
        for group, rate in zip(self._optimiser.param_groups, self._rates, strict=True):
            group["lr"] = rate * share
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self._learnt, _CLIPPED)
        self._optimiser.step()
        self._done += 1
