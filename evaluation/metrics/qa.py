"""The share of questions about the reference that the answer can answer.

A language model writes questions from the reference. A question is kept when the reader, given the reference,
finds its answer again: at least half of the words, by F1. Then the reader gets the system's answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from evaluation.metrics.errors import MetricUnavailable
from evaluation.metrics.extractive_reader import ExtractiveReader
from evaluation.metrics.options import Options
from evaluation.metrics.questions import ModelReader, QuestionAsker, ReferenceQuestion
from evaluation.metrics.squad import exact, f1
from evaluation.metrics.types import MetricSample, Scores

_REMEDY = "Choose a writer with a language model (`llama` or `openai`) for the questions, or leave `qa` out."
_FOUND = 0.5
"""F1 of the reader's answer with the model's, on the reference itself."""


class AnswerReader(Protocol):
    @property
    def name(self) -> str: ...

    def answers(self, asked: Sequence[tuple[str, Sequence[str]]]) -> list[list[str] | None]:
        """Answer questions about each text: empty for no answer, None if the reader failed."""
        ...


class QuestionAnswering:
    columns = ("qa_exact", "qa_f1", "qa_questions")

    def __init__(self, options: Options) -> None:
        if options.model is None:
            raise MetricUnavailable("`qa` needs a language model.", remedy=_REMEDY)
        self._asker = QuestionAsker(options.model, seed=options.seed)
        own = ModelReader(options.model, seed=options.seed)
        self._reader: AnswerReader = ExtractiveReader(options.reader) if options.reader else own
        self._questions: dict[str, list[ReferenceQuestion]] = {}
        """By reference, which is the same for every system that is measured."""

    @property
    def name(self) -> str:
        return f"qa/1-{self._asker.name}-{self._reader.name}"

    def score(self, samples: Sequence[MetricSample]) -> list[Scores]:
        return self.compare([(sample.answer, sample.reference) for sample in samples])

    def compare(self, pairs: Sequence[tuple[str, str]]) -> list[Scores]:
        """Score answers beside references."""
        self._ask([reference for _, reference in pairs])
        asked = [
            (answer, [question.text for question in self._questions[reference]])
            for answer, reference in pairs
        ]
        replies = self._reader.answers(asked)
        return [
            self._scored(self._questions[reference], answers)
            for (_, reference), answers in zip(pairs, replies, strict=True)
        ]

    def _scored(self, questions: Sequence[ReferenceQuestion], answers: Sequence[str] | None) -> Scores:
        count = len(questions)
        if not questions or answers is None:
            return {"qa_exact": None, "qa_f1": None, "qa_questions": float(count)}
        pairs = [(answer, question.answer) for answer, question in zip(answers, questions, strict=True)]
        return {
            "qa_exact": sum(exact(*pair) for pair in pairs) / count,
            "qa_f1": sum(f1(*pair) for pair in pairs) / count,
            "qa_questions": float(count),
        }

    def _ask(self, references: Sequence[str]) -> None:
        """Ask for questions; a model that writes none at all cannot be used for measuring."""
        new = [text for text in dict.fromkeys(references) if text not in self._questions]
        worth = [text for text in new if text.strip()]
        got = self._asker.questions(worth)
        if got and all(each.value is None for each in got):
            raise MetricUnavailable(
                f"{self._asker.name} wrote no usable question: {got[0].fault}.", remedy=_REMEDY
            )
        made = {text: each.value or [] for text, each in zip(worth, got, strict=True)}
        answers = self._reader.answers([(text, [q.text for q in made[text]]) for text in worth])
        for text, again in zip(worth, answers, strict=True):
            pairs = zip(made[text], again or [], strict=False)
            self._questions[text] = [q for q, answer in pairs if f1(answer, q.answer) >= _FOUND]
        for text in new:
            self._questions.setdefault(text, [])
