"""A test of memory that several takers sit together, novel after novel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from evaluation.memory.measuring import TakenQuestion, taken
from evaluation.memory.memory_sets import MemoryQuestion
from evaluation.memory.reconstruction import Corrector, scores
from evaluation.memory.takers import Taker
from evaluation.metrics.qa import QuestionAnswering
from generation.quiz.types import CorrectionTask
from retrieval.index import BookIndex

UNCHANGED: Final = "unchanged"
"""What the summaries with errors are as they were given."""


@dataclass
class Sitting:
    takers: Sequence[Taker]
    correctors: Sequence[Corrector] = ()
    asking: QuestionAnswering | None = None
    asked: list[MemoryQuestion] = field(default_factory=list)
    results: dict[str, list[TakenQuestion]] = field(default_factory=dict)
    _given: list[CorrectionTask] = field(default_factory=list)
    _corrected: dict[str, list[str]] = field(default_factory=dict)

    def take(self, questions: Sequence[MemoryQuestion], index: BookIndex) -> None:
        """Ask every taker the questions about one novel."""
        self.asked += questions
        for taker in self.takers:
            choices = taker.take(questions, index)
            found = [taken(question, choice) for question, choice in zip(questions, choices, strict=True)]
            self.results.setdefault(taker.name, []).extend(found)

    def correct(self, novel: str, given: Sequence[CorrectionTask], index: BookIndex) -> None:
        """Give every corrector the summaries with errors of one novel."""
        self._given += given
        for corrector in self.correctors:
            self._corrected.setdefault(corrector.name, []).extend(corrector.correct(novel, given, index))

    def scores(self) -> Mapping[str, Mapping[str, Mapping[str, float]]]:
        """Return how near the corrected summaries come to the right ones, by level; nothing without any."""
        if not self._given:
            return {}
        texts = {UNCHANGED: [task.given for task in self._given], **self._corrected}
        return {name: scores(found, self._given, self.asking) for name, found in texts.items()}
