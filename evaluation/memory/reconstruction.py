"""Summaries with errors, put right from memory: how near the truth they come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from generation.quiz.types import CorrectionTask
from retrieval.index import BookIndex

COLUMNS: Final = ("rouge1", "rouge2", "rougeL", "bertscore")
ANSWERED: Final = "qa_f1"
_MOST: Final = 10
"""Tasks of each level about one novel."""
_LEVELS: Final = (0, 2)
"""One event, and those of the whole book: the corpus has one event of each chapter."""
_ROOM: Final = 1.5
"""Tokens of an answer for each of the given summary."""


def tasks(novel: ToldNovel, book: Book, annotations: Annotations, *, seed: int = 0) -> list[CorrectionTask]:
    """Return summaries with errors about a whole novel."""
    reading, rng = BookSoFar(book, annotations, novel.happenings), Random(f"{seed} {novel.novel}")
    return [task for level in _LEVELS for task in corrections(reading, level=level, count=_MOST, rng=rng)]


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
) -> Mapping[str, float]:
    """Return the means of all measures over the texts beside the right ones.

    With `asking` also of the share of questions about the right ones that the texts answer, if there are any.
    """
    pairs = [(text, task.right) for text, task in zip(texts, given, strict=True)]
    rouge, bertscore = Rouge(), BertScore()
    rows = [
        {**rouge.compare(*pair), **alike} for pair, alike in zip(pairs, bertscore.compare(pairs), strict=True)
    ]
    found = {column: float(np.mean([row[column] or 0.0 for row in rows])) for column in COLUMNS}
    answered = [row[ANSWERED] for row in asking.compare(pairs)] if asking else []
    known = [share for share in answered if share is not None]
    return {**found, ANSWERED: float(np.mean(known))} if known else found
