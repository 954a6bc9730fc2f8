"""What a summary of a scene, a chapter or all that is read tells, and which of it is told shortly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Final

from generation.quiz.types import Happening, QuizLevel

SHORT: Final = 8
"""Happenings of a short summary, at most."""


def grouped(happenings: Sequence[Happening], level: QuizLevel) -> list[tuple[Happening, ...]]:
    """Return what happens by scene, by chapter or all in one, in story order."""
    ordered = sorted(happenings, key=lambda each: each.place)
    if level is QuizLevel.SCENE:
        return [(each,) for each in ordered]
    if level is QuizLevel.BOOK:
        return [tuple(ordered)] if ordered else []
    return [tuple(inside) for _, inside in groupby(ordered, key=lambda each: each.scene.chapter)]


def shortened(happenings: Sequence[Happening]) -> tuple[Happening, ...]:
    """Return what tells most of each of a few stretches, so that all of the story has its share."""
    bounds = [n * len(happenings) // SHORT for n in range(SHORT + 1)]
    stretches = (happenings[low:high] for low, high in pairwise(bounds))
    return tuple(max(some, key=lambda each: each.telling) for some in stretches if some)
