"""Train the adapter that categorises claims, and say how well it does on novels that it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from torch import Tensor

from evaluation.facts.category_lessons import CategoryLesson
from evaluation.facts.measure import ClassifierLabels, measured
from evaluation.facts.types import AnnotatorScores
from generation.checking.categories import categorise
from generation.types import Category
from retrieval.telling.reader import SentenceReader
from retrieval.telling.reader_training import ReaderCourse, train

COURSE: Final = ReaderCourse(rank=8)
Tell = Callable[[str], object]


def trained(lessons: Sequence[CategoryLesson], encoder: Path, *, tell: Tell) -> dict[str, Tensor]:
    return train([each.lesson for each in lessons], encoder, COURSE, tell=tell)


def by_folds(
    claims: Sequence[CategoryLesson],
    facts: Sequence[CategoryLesson],
    encoder: Path,
    folds: int,
    *,
    tell: Tell,
) -> AnnotatorScores:
    """Return the scores on the claims, each read by an adapter that saw nothing of its novel."""
    names = sorted({each.novel for each in claims})
    gold: list[Category] = []
    said: list[Category] = []
    for fold in range(folds):
        unseen = frozenset(names[fold::folds])
        learnt = [each for each in (*claims, *facts) if each.novel not in unseen]
        reader = SentenceReader(encoder, trained(learnt, encoder, tell=tell))
        asked = [each for each in claims if each.novel in unseen]
        gold += (each.category for each in asked)
        said += categorise([each.text for each in asked], reader)
        tell(f"Fold {fold + 1} of {folds}: {len(asked)} claims of {len(unseen)} novels")
    return measured(gold, ClassifierLabels("by folds", said))
