"""Statistics about the samples, shown before a training begins."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from generation.training.types import DataSplit, TrainingLesson


@dataclass(frozen=True, slots=True)
class LengthSpread:
    least: int
    median: float
    mean: float
    most: int
    total: int


@dataclass(frozen=True, slots=True)
class SplitStatistics:
    """Statistics of one split."""

    books: int
    samples: int
    characters_a_book: LengthSpread
    """Number of different people asked about."""
    reference_words: LengthSpread
    prompt_tokens: LengthSpread
    answer_tokens: LengthSpread
    passages: LengthSpread
    left_out: LengthSpread
    """Passages that were within the budget and did not fit."""
    truncated: int
    """Answers whose end was cut off."""


def of_split(lessons: Sequence[TrainingLesson], split: DataSplit) -> SplitStatistics | None:
    """Return the statistics of a split, or None if it is empty."""
    mine = [lesson for lesson in lessons if lesson.placed.split is split]
    if not mine:
        return None
    people: dict[str, set[str]] = defaultdict(set)
    for lesson in mine:
        people[lesson.placed.text_sha256].update(lesson.characters)
    return SplitStatistics(
        books=len(people),
        samples=len(mine),
        characters_a_book=_spread([len(those) for those in people.values()]),
        reference_words=_spread([len(lesson.placed.sample.reference.split()) for lesson in mine]),
        prompt_tokens=_spread([len(lesson.example.prompt) for lesson in mine]),
        answer_tokens=_spread([len(lesson.example.answer) for lesson in mine]),
        passages=_spread([lesson.passages for lesson in mine]),
        left_out=_spread([lesson.left_out for lesson in mine]),
        truncated=sum(lesson.cut for lesson in mine),
    )


def fingerprint(lessons: Sequence[TrainingLesson]) -> str:
    """Return a hash of everything that is trained, validated and tested on: every token, in order."""
    digest = hashlib.sha256()
    for lesson in lessons:
        row = [lesson.placed.split.value, lesson.example.prompt, lesson.example.answer]
        digest.update(json.dumps(row).encode())
    return digest.hexdigest()


def _spread(numbers: Sequence[int]) -> LengthSpread:
    return LengthSpread(min(numbers), median(numbers), round(fmean(numbers), 1), max(numbers), sum(numbers))
