"""The questions of the corpus with their kinds."""

from __future__ import annotations

from typing import Final

from evaluation.corpus.loading import novels
from evaluation.corpus.questions import count_questions, questions
from evaluation.corpus.types import Split
from retrieval.asking.kinds import QuestionKind

_DEV: Final = 4
"""Every how many of the questions for counts belong to the dev novels."""


def asked_kinds(split: Split) -> list[tuple[str, QuestionKind]]:
    found = [
        (q.question, QuestionKind(q.kind))
        for novel in novels(split)
        for q in questions(novel.novel).questions
    ]
    counts = [(n % _DEV == 0, question) for n, question in enumerate(count_questions())]
    return found + [(question, QuestionKind.COUNT) for dev, question in counts if dev == (split == "dev")]
