"""The questions of the corpus with their kinds."""

from __future__ import annotations

from typing import Final

from evaluation.corpus.loading import novels
from evaluation.corpus.questions import count_questions, questions, story_questions
from evaluation.corpus.types import Split
from retrieval.asking.kinds import QuestionKind

_DEV: Final = 4
"""Every how many of the questions without answers belong to the dev novels."""


def asked_kinds(split: Split) -> list[tuple[str, QuestionKind]]:
    found = [
        (q.question, QuestionKind(q.kind))
        for novel in novels(split)
        for q in questions(novel.novel).questions
    ]
    others = ((count_questions(), QuestionKind.COUNT), (story_questions(), QuestionKind.STORY))
    for every, kind in others:
        found += [(asked, kind) for n, asked in enumerate(every) if (n % _DEV == 0) == (split == "dev")]
    return found
