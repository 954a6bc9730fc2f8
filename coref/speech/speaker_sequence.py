"""The probability of each candidate to speak each turn of a conversation, with all turns weighed jointly.

A turn's speaker depends on the two previous speakers: it may be the last one again, or the last but one. The
sums over all assignments of a conversation are exact (forward-backward over pairs of speakers).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
NOBODY = -1
"""Stands for anybody outside the candidates. Two of them need not be the same person."""


@dataclass(frozen=True, slots=True)
class TurnLink:
    """Weights of a turn's links to earlier turns.

    They apply if it has the speaker of the last turn, has that of the last but one, or names the last speaker
    in a vocative.
    """

    again: float
    back: float
    answer: float
    called: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class TurnStep:
    """One turn: its candidates, their scores, and how it follows the previous turn."""

    candidates: Sequence[int]
    scores: Array
    link: TurnLink | None


@dataclass(frozen=True, slots=True)
class ConversationOutcome:
    """The result for one conversation: the probabilities of its candidates by turn, and of its links."""

    total: float
    speakers: list[Array]
    links: list[tuple[float, float, float]]
    """Probabilities of the links of each turn.

    Its speaker is the last one again, its speaker is the last but one, and it names the last speaker in a
    vocative.
    """


def weigh(steps: Sequence[TurnStep]) -> ConversationOutcome:
    tables = [_table(steps, at) for at in range(len(steps))]
    forward: list[Array] = []
    for at, table in enumerate(tables):
        before = forward[-1][:, :, None] if at else np.zeros((1, 1, 1))
        forward.append(_sum(before + table, 0))
    total = float(_sum(forward[-1].reshape(-1), 0))
    backward = np.zeros_like(forward[-1])
    speakers: list[Array] = []
    links: list[tuple[float, float, float]] = []
    for at in range(len(steps) - 1, -1, -1):
        before = forward[at - 1][:, :, None] if at else np.zeros((1, 1, 1))
        joint = np.exp(before + tables[at] + backward[None] - total)
        speakers.append(joint.sum((0, 1)))
        links.append(_expected(steps, at, joint))
        backward = _sum(tables[at] + backward[None], 2)
    return ConversationOutcome(total, speakers[::-1], links[::-1])


def _table(steps: Sequence[TurnStep], at: int) -> Array:
    """Return scores indexed by the speakers of the last turn but one, the last turn, and this one."""
    step = steps[at]
    again, back, answer = _respects(steps, at)
    table = np.zeros((back.shape[0], again.shape[0], len(step.candidates)))
    table += step.scores
    if step.link is not None:
        table += step.link.again * again[None] + step.link.answer * answer[None]
        table += step.link.back * (back[:, None, :] * (1 - again[None]))
    return table


def _respects(steps: Sequence[TurnStep], at: int) -> tuple[Array, Array, Array]:
    step = steps[at]
    last = steps[at - 1].candidates if at else (NOBODY,)
    earlier = steps[at - 2].candidates if at > 1 else (NOBODY,)
    again, back = _same(last, step.candidates), _same(earlier, step.candidates)
    called = step.link.called if step.link is not None else frozenset()
    heard = np.array([who in called for who in last], dtype=np.float64)
    return again, back, heard[:, None] * (1 - again)


def _same(ones: Sequence[int], others: Sequence[int]) -> Array:
    equal = np.equal.outer(np.array(ones), np.array(others))
    known: Array = (equal & (np.array(others) != NOBODY)).astype(np.float64)
    return known


def _expected(steps: Sequence[TurnStep], at: int, joint: Array) -> tuple[float, float, float]:
    again, back, answer = _respects(steps, at)
    pairs = joint.sum(0)
    return (
        float((pairs * again).sum()),
        float((joint * (back[:, None, :] * (1 - again[None]))).sum()),
        float((pairs * answer).sum()),
    )


def _sum(values: Array, axis: int) -> Array:
    """Return the logarithm of the sum of exponentials."""
    most = values.max(axis=axis, keepdims=True)
    most = np.where(np.isfinite(most), most, 0.0)
    summed: Array = np.log(np.exp(values - most).sum(axis=axis)) + most.squeeze(axis)
    return summed
