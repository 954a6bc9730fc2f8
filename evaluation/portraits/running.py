"""Run systems over a set of references and measure their answers. Finished work is not repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from books.types import text_sha256
from coref.errors import CharacterAmbiguous, CharacterUnknown
from coref.lookup import find
from evaluation.datasets.types import DatasetEntry
from evaluation.metrics.protocols import Metric
from evaluation.metrics.types import MetricSample
from evaluation.portraits.errors import TaskUnsupported
from evaluation.portraits.reference_judging import beside_reference
from evaluation.portraits.result_log import ResultLog, key_of
from evaluation.portraits.types import OpenedBook, System, SystemAnswer, SystemEngines, SystemQuestion
from generation import serialise
from generation.errors import BudgetExceeded, DraftRejected, ModelServerFailed, PromptTooLong, SummaryMissing
from generation.types import Task, Usage

FAILURES = (
    BudgetExceeded,
    DraftRejected,
    ModelServerFailed,
    PromptTooLong,
    SummaryMissing,
    TaskUnsupported,
)
"""Failures of one answer; others may succeed. They are reported, and retried by the next run."""

Open = Callable[[Path], AbstractContextManager[OpenedBook]]
Tell = Callable[[str, int, int], None]
"""Reports what was done, with the progress and the total."""


@dataclass(frozen=True, slots=True)
class ReferencedBook:
    """A reference, and the file of the book it is about."""

    entry: DatasetEntry
    path: Path
    origin: str
    """The file of the reference."""
    summary: str | None = None


@dataclass(frozen=True, slots=True)
class Lengths:
    """The intended lengths of answers."""

    words: Mapping[Task, int]
    sentences: Mapping[Task, int]
    """Sentences of an extract. BookWorm takes as many as its references have on average."""


@dataclass(frozen=True, slots=True)
class SystemResult:
    case: ReferencedBook
    system: str
    book: str
    """Hash of the text."""
    character: str
    """The id of the resolver's character."""
    text: str
    usage: Usage
    scores: Mapping[str, float | None]
    made_of: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class SystemFailure:
    case: ReferencedBook
    system: str | None
    """None if the character was not found, so that no system was asked."""
    why: str


@dataclass(frozen=True, slots=True)
class SystemsRun:
    systems: Sequence[System]
    metrics: Sequence[Metric]
    engines: SystemEngines
    lengths: Lengths
    seed: int
    answers: ResultLog
    scores: ResultLog
    tell: Tell = lambda *_: None

    def over(
        self, cases: Sequence[ReferencedBook], open_book: Open
    ) -> tuple[list[SystemResult], list[SystemFailure]]:
        """Run book by book, so that one at a time is open; the results are in the order of the cases."""
        results: list[SystemResult] = []
        failures: list[SystemFailure] = []
        every, done = len(cases) * len(self.systems), 0
        for path in dict.fromkeys(case.path for case in cases):
            mine = [case for case in cases if case.path == path]
            with open_book(path) as opened:
                asked = [(case, self._question(case, opened)) for case in mine]
                failures += (SystemFailure(case, None, q) for case, q in asked if isinstance(q, str))
                known = _together([(case, q) for case, q in asked if isinstance(q, SystemQuestion)])
                for system in self.systems:
                    answered = []
                    for case, question in known:
                        self.tell(f"{system.name}: {question.character.name}", done, every)
                        answered.append((case, question, self._answer(system, question)))
                        done += 1
                    failures += (
                        SystemFailure(c, system.name, a) for c, _, a in answered if isinstance(a, str)
                    )
                    good = [(c, q, a) for c, q, a in answered if isinstance(a, SystemAnswer)]
                    self.tell(f"{system.name}: measuring", done, every)
                    results += self._measured(system, good)
        place = {case: at for at, case in enumerate(cases)}
        return sorted(results, key=lambda result: place[result.case]), failures

    def _question(self, case: ReferencedBook, opened: OpenedBook) -> SystemQuestion | str:
        """Return a question, or why there is nobody to ask about."""
        task = case.entry.task
        try:
            character = find(opened.annotations, case.entry.character)
        except (CharacterUnknown, CharacterAmbiguous) as error:
            return error.wording(candid=True).detail
        return SystemQuestion(
            opened,
            character,
            task,
            words=self.lengths.words[task],
            sentences=self.lengths.sentences[task],
            seed=self.seed,
            reference=case.entry.text,
            summary=case.summary,
        )

    def _answer(self, system: System, question: SystemQuestion) -> SystemAnswer | str:
        """Return an answer, or why there is none."""
        key = key_of(_inputs(system, question))
        kept = self.answers.get(key)
        if kept is not None:
            return _read(kept)
        try:
            answer = system.describe(question)
        except FAILURES as error:
            return f"{error.code}: {error.wording(candid=True).detail}"
        self.answers.put(key, _row(system, question, answer))
        return answer

    def _measured(
        self, system: System, answered: Sequence[tuple[ReferencedBook, SystemQuestion, SystemAnswer]]
    ) -> Iterator[SystemResult]:
        samples = [_Measuring.of(question, answer, self.engines) for _, question, answer in answered]
        for metric in self.metrics:
            self._measure(metric, samples)
        for (case, question, answer), sample in zip(answered, samples, strict=True):
            yield SystemResult(
                case,
                system.name,
                question.opened.book.sha256,
                question.character.id,
                answer.text,
                answer.usage,
                sample.scores,
                system.made_of(question),
            )

    def _measure(self, metric: Metric, samples: Sequence[_Measuring]) -> None:
        missing: list[tuple[str, _Measuring]] = []
        for sample in samples:
            key = key_of({"metric": metric.name, "seed": self.seed, **sample.inputs})
            kept = self.scores.get(key)
            if kept is None:
                missing.append((key, sample))
            else:
                sample.scores.update(kept["scores"])
        if missing:
            found = metric.score([sample.sample(metric) for _, sample in missing])
            for (key, sample), scores in zip(missing, found, strict=True):
                self.scores.put(key, {"metric": metric.name, "scores": dict(scores)})
                sample.scores.update(scores)


Asked = list[tuple[ReferencedBook, SystemQuestion]]


def _together(asked: Asked) -> Asked:
    """Add to each question about a book all people of its task, in the order of the cast."""
    people: dict[Task, set[str]] = {}
    for _, q in asked:
        people.setdefault(q.task, set()).add(q.character.id)
    return [
        (
            case,
            replace(q, together=tuple(c for c in q.opened.annotations.characters if c.id in people[q.task])),
        )
        for case, q in asked
    ]


@dataclass(slots=True)
class _Measuring:
    """An answer that is being measured."""

    inputs: Mapping[str, object]
    bare: MetricSample
    engines: SystemEngines
    scores: dict[str, float | None]

    @staticmethod
    def of(question: SystemQuestion, answer: SystemAnswer, engines: SystemEngines) -> _Measuring:
        opened = question.opened
        facts = serialise.to_dict(answer.portrait)["facts"] if answer.portrait else None
        inputs = {
            "book": opened.book.sha256,
            "resolver": opened.annotations.resolver,
            "character": question.character.id,
            "task": question.task.value,
            "answer": text_sha256(answer.text),
            "facts": facts and key_of({"facts": facts}),
            "reference": text_sha256(question.reference),
            "judge": engines.judge.name,
            "extractor": engines.extractor.name,
        }
        sample = MetricSample(
            opened.book,
            opened.annotations,
            question.character,
            question.task,
            answer.text,
            question.reference,
            answer.portrait,
        )
        return _Measuring(inputs, sample, engines, {})

    def sample(self, metric: Metric) -> MetricSample:
        """Return a sample.

        Facts are judged against the reference only for metrics that need it, because it takes a while.
        """
        if self.bare.portrait is None or not any(c.startswith("prisma_reference") for c in metric.columns):
            return self.bare
        if self.bare.portrait.prisma.reference is None:
            judged = beside_reference(self.bare, self.engines.judge, self.engines.extractor)
            self.bare = replace(self.bare, portrait=judged)
        return self.bare


def _inputs(system: System, question: SystemQuestion) -> dict[str, object]:
    """Return the inputs of an answer: those common to all systems, and those of this system."""
    opened = question.opened
    return {
        "system": system.name,
        "made_of": dict(system.made_of(question)),
        "book": opened.book.sha256,
        "resolver": opened.annotations.resolver,
        "character": question.character.id,
        "task": question.task.value,
        "seed": question.seed,
    }


def _row(system: System, question: SystemQuestion, answer: SystemAnswer) -> dict[str, object]:
    usage = {name: getattr(answer.usage, name) for name in Usage.__slots__}
    return {
        **_inputs(system, question),
        "title": question.opened.book.title,
        "name": question.character.name,
        "text": answer.text,
        "usage": usage,
        "portrait": serialise.to_dict(answer.portrait) if answer.portrait else None,
    }


def _read(row: Mapping[str, object]) -> SystemAnswer:
    usage, portrait = row["usage"], row["portrait"]
    assert isinstance(usage, dict)
    return SystemAnswer(
        str(row["text"]),
        Usage(**usage),
        serialise.from_dict(portrait) if isinstance(portrait, dict) else None,
    )
