"""Measure how well pairs are read: true claims against each kind of others, and right places found first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.metrics.logistic import area_or_chance
from retrieval.pairs.types import PairLesson
from retrieval.telling.sentence_table import Floats

_FIVE: Final = 5


@dataclass(frozen=True, slots=True)
class ClaimFigure:
    """The area under the curve of true claims against false ones of a kind."""

    kind: str
    claims: int
    area: float


@dataclass(frozen=True, slots=True)
class QuestionFigure:
    """Shares of questions of a kind with a right passage first, and among the first five."""

    kind: str
    questions: int
    """Those with a right passage among the places found."""
    first: float
    five: float


def claim_figures(lessons: Sequence[PairLesson], said: Floats, true: str) -> Iterator[ClaimFigure]:
    """Yield a figure for each kind of false claims; `true` is the kind of the true ones."""
    kinds = np.array([lesson.kind for lesson in lessons])
    false = {lesson.kind for lesson in lessons if lesson.group is None and lesson.true is False}
    for kind in sorted(false) if (kinds == true).any() else ():
        both = (kinds == true) | (kinds == kind)
        yield ClaimFigure(kind, int((kinds == kind).sum()), area_or_chance(said[both], kinds[both] == true))


def question_figures(lessons: Sequence[PairLesson], said: Floats) -> Iterator[QuestionFigure]:
    """Yield a figure for each kind of questions, if the places found have a right one for any."""
    ranks: dict[str, list[int]] = {}
    groups: dict[str, list[int]] = {}
    for n, lesson in enumerate(lessons):
        if lesson.group is not None:
            groups.setdefault(lesson.group, []).append(n)
    for rows in groups.values():
        right = [said[n] for n in rows if lessons[n].true]
        if right:
            ahead = sum(bool(said[n] > max(right)) for n in rows)
            ranks.setdefault(lessons[rows[0]].kind, []).append(ahead + 1)
    for kind, found in sorted(ranks.items()):
        at = np.array(found)
        yield QuestionFigure(kind, len(at), float((at == 1).mean()), float((at <= _FIVE).mean()))
