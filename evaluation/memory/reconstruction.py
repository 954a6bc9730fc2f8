"""Summaries with errors, put right from memory: how near the truth they come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final

import numpy as np

from books.types import Book
from coref.types import Annotations
from evaluation.memory.contexts import PROMPTS, Shown, Sought, request
from evaluation.memory.memory_sets import ToldNovel
from evaluation.metrics.bertscore import BertScore
from evaluation.metrics.qa import QuestionAnswering
from evaluation.metrics.rouge import Rouge
from generation.models.protocols import LanguageModel
from generation.quiz.material import BookSoFar
from generation.quiz.questions import corrections
from generation.quiz.types import CorrectionTask, QuizLevel
from generation.quiz.written import written_corrections
from retrieval.index import BookIndex

COLUMNS: Final = ("rouge1", "rouge2", "rougeL", "bertscore")
ANSWERED: Final = "qa_f1"
ALL: Final = "all"
"""The summaries of every level together."""
_MOST: Final = 10
"""Tasks of each level about one novel."""
_ROOM: Final = 1.5
"""Tokens of an answer for each of the given summary."""


def tasks(
    novel: ToldNovel,
    book: Book,
    annotations: Annotations,
    *,
    seed: int = 0,
    model: LanguageModel | None = None,
) -> list[CorrectionTask]:
    """Return summaries with errors about a whole novel, made by the model if there is one.

    A chapter of which one thing is told has the same summary as its scene, which is not asked for twice.
    """
    reading, rng = BookSoFar(book, annotations, novel.happenings), Random(f"{seed} {novel.novel}")
    make = corrections if model is None else partial(written_corrections, model)
    every = [task for level in QuizLevel for task in make(reading, level=level, count=_MOST, rng=rng)]
    return [task for task in every if task.level is QuizLevel.SCENE or len(task.happenings) > 1]


@dataclass(frozen=True, slots=True)
class Corrector:
    """A language model that corrects summaries, with a part of the book before it."""

    model: LanguageModel
    shown: Shown
    name: str

    def correct(self, novel: str, given: Sequence[CorrectionTask], index: BookIndex) -> list[str]:
        requests = [
            request(
                self.model,
                PROMPTS.fill("correction", given=task.given),
                self.shown(Sought(novel, (task.given,), task.at), index),
                answer=int(_ROOM * self.model.count_tokens(task.given)),
            )
            for task in given
        ]
        return [completion.text.strip() for completion in self.model.complete(requests)]


def scores(
    texts: Sequence[str], given: Sequence[CorrectionTask], asking: QuestionAnswering | None = None
) -> Mapping[str, Mapping[str, float]]:
    """Return the means of all measures over the texts beside the right ones: of all, and of each level.

    With `asking` also of the share of questions about the right ones that the texts answer, if there are any.
    """
    pairs = [(text, task.right) for text, task in zip(texts, given, strict=True)]
    rouge, bertscore = Rouge(), BertScore()
    rows = [
        {**rouge.compare(*pair), **alike} for pair, alike in zip(pairs, bertscore.compare(pairs), strict=True)
    ]
    if asking:
        rows = [{**row, **answered} for row, answered in zip(rows, asking.compare(pairs), strict=True)]
    levels = dict.fromkeys(task.level for task in given)
    of_level = {
        level.value: [r for r, task in zip(rows, given, strict=True) if task.level is level]
        for level in levels
    }
    return {level: _means(some) for level, some in {ALL: rows, **of_level}.items()}


def _means(rows: Sequence[Mapping[str, float | None]]) -> Mapping[str, float]:
    answered = [share for row in rows if (share := row.get(ANSWERED)) is not None]
    found = {column: float(np.mean([row[column] or 0.0 for row in rows])) for column in COLUMNS}
    return {**found, ANSWERED: float(np.mean(answered))} if answered else found
