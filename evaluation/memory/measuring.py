"""Figures of a test of memory: who is right, by the words read since, and which mistakes are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.memory.memory_sets import MemoryQuestion
from evaluation.metrics.statistics import Interval, interval

BOUNDS: Final = (2_000, 5_000, 10_000, 20_000, 40_000)
"""Words since the scene at which one part of the curve ends and the next begins."""
NOTHING: Final = "none of these"
_FEWEST: Final = 8
"""Questions of a part of the curve."""
UNUSABLE: Final = "no usable answer"


@dataclass(frozen=True, slots=True)
class TakenQuestion:
    novel: str
    choices: int
    answer: int
    taken: int | None
    load: int | None
    why: str | None
    """Why the choice that was taken is wrong; None if it is right."""
    by_names: bool

    @property
    def right(self) -> bool:
        return self.taken == self.answer


@dataclass(frozen=True, slots=True)
class CurvePoint:
    low: int
    high: int | None
    accuracy: Interval


def taken(question: MemoryQuestion, choice: int | None) -> TakenQuestion:
    asked = question.asked
    return TakenQuestion(
        question.novel,
        len(asked.choices),
        asked.answer,
        choice,
        asked.load,
        _why(question, choice),
        question.by_names,
    )


def accuracy(results: Sequence[TakenQuestion]) -> Interval | None:
    return interval([float(each.right) for each in results], books=[each.novel for each in results])


def curve(results: Sequence[TakenQuestion], *, fewest: int = _FEWEST) -> list[CurvePoint]:
    """Return the forgetting curve: accuracy by how many words were read since the scene.

    Parts with fewer than `fewest` questions are left out.
    """
    edges = (0, *BOUNDS)
    found: list[CurvePoint] = []
    for low, high in zip(edges, (*BOUNDS, None), strict=True):
        part = [
            each
            for each in results
            if each.load is not None and low <= each.load and (high is None or each.load < high)
        ]
        measured = accuracy(part)
        if measured is not None and len(part) >= fewest:
            found.append(CurvePoint(low, high, measured))
    return found


def chance(results: Sequence[TakenQuestion]) -> float:
    """Return the share that guessing gets right."""
    return float(np.mean([1 / (each.choices + 1) for each in results]))


def wrong(results: Sequence[TakenQuestion]) -> Mapping[str, int]:
    """Return how often each kind of wrong choice was taken."""
    return Counter(each.why for each in results if each.why is not None)


def positions(results: Sequence[TakenQuestion]) -> Mapping[int, int]:
    """Return how often the right choice stands in each position."""
    return Counter(each.answer for each in results)


def _why(question: MemoryQuestion, choice: int | None) -> str | None:
    if choice == question.asked.answer:
        return None
    if choice is None:
        return UNUSABLE
    if choice == len(question.asked.choices):
        return NOTHING
    why = question.asked.choices[choice].why
    assert why is not None
    return why.value
