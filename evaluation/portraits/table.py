"""Tables with a row per system and a column per measure: intervals of means, and tests of differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from evaluation.metrics.statistics import Difference, Interval, difference, interval
from evaluation.portraits.running import SystemFailure, SystemResult
from evaluation.portraits.units import Unit
from generation.types import Task

HEADLINES = {
    "rouge1": "R-1",
    "rouge2": "R-2",
    "rougeL": "R-L",
    "entity_recall": "Entities",
    "bertscore": "BERTScore",
    "qa_exact": "QA-EM",
    "qa_f1": "QA-F1",
    "nli": "NLI",
    "prisma_precision": "Borne out",
    "prisma_reference_precision": "PRISMA-P",
    "prisma_reference_recall": "PRISMA-R",
    "prisma_reference_f1": "PRISMA-F1",
    "novel4_book": "New 4-grams",
    "repeated3": "Repeated 3-grams",
}
"""The columns of the first table, if measured; the other columns follow in a second table."""
NO_SHARES = ("prisma_facts", "qa_questions", "density", "compression")
"""Columns that are not shares and therefore not shown in percent."""


@dataclass(frozen=True, slots=True)
class Cell:
    interval: Interval
    against: Difference | None
    """The difference from the system that all are compared with; None for that system."""


@dataclass(frozen=True, slots=True)
class SystemRow:
    system: str
    answers: int
    failures: int
    words: float
    seconds: float
    """Time for an answer with its checks, when it was first made.

    It is the median, because the first question about a book waits until the book is loaded.
    """
    tokens: float
    cells: Mapping[str, Cell | None]
    """By column; None where nothing could be measured."""


@dataclass(frozen=True, slots=True)
class Table:
    task: Task
    samples: int
    people: int
    books: int
    reference_words: float
    against: str | None
    rows: tuple[SystemRow, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the columns that were measured for any system, the headlines first."""
        have_value = dict.fromkeys(
            c for row in self.rows for c, cell in row.cells.items() if cell is not None
        )
        return (*(c for c in HEADLINES if c in have_value), *(c for c in have_value if c not in HEADLINES))


def tables(
    results: Sequence[SystemResult],
    failures: Sequence[SystemFailure],
    *,
    systems: Sequence[str],
    against: str | None,
    unit: Unit,
    seed: int,
) -> tuple[Table, ...]:
    """Return a table for each task that has answers."""
    found = []
    for task in (Task.DESCRIPTION, Task.ANALYSIS):
        mine = [result for result in results if result.case.entry.task is task]
        if mine:
            missed = [failure for failure in failures if failure.case.entry.task is task]
            found.append(_table(task, mine, missed, systems, against, unit, seed))
    return tuple(found)


def _table(
    task: Task,
    results: Sequence[SystemResult],
    failures: Sequence[SystemFailure],
    systems: Sequence[str],
    against: str | None,
    unit: Unit,
    seed: int,
) -> Table:
    cases = list(dict.fromkeys(result.case for result in results))
    by_system = {name: {r.case: r for r in results if r.system == name} for name in systems}
    drawn = _units({r.case: r for r in results}, unit)
    columns = dict.fromkeys(column for result in results for column in result.scores)

    def values(system: str, column: str) -> list[float | None]:
        mine = by_system[system]
        return [mine[case].scores.get(column) if case in mine else None for case in cases]

    def cell(system: str, column: str) -> Cell | None:
        books = [drawn[case] for case in cases]
        own = values(system, column)
        mean = interval(own, books=books, seed=seed)
        if mean is None:
            return None
        other = None
        if against is not None and against != system:
            other = difference(own, values(against, column), books=books, seed=seed)
        return Cell(mean, other)

    rows = [
        SystemRow(
            system=name,
            answers=len(by_system[name]),
            failures=sum(failure.system == name for failure in failures),
            words=_mean(len(r.text.split()) for r in by_system[name].values()),
            seconds=_median(r.usage.seconds for r in by_system[name].values()),
            tokens=_mean(_tokens(r) for r in by_system[name].values()),
            cells={column: cell(name, column) for column in columns},
        )
        for name in systems
    ]
    return Table(
        task,
        samples=len(cases),
        people=len({(r.book, r.character) for r in results}),
        books=len({r.book for r in results}),
        reference_words=_mean(len(case.entry.text.split()) for case in cases),
        against=against,
        rows=tuple(rows),
    )


def _units(results: Mapping[object, SystemResult], unit: Unit) -> dict[object, tuple[str, ...]]:
    """Return the units to draw: two references of one person are not two draws."""
    return {case: (r.book,) if unit is Unit.BOOKS else (r.book, r.character) for case, r in results.items()}


def _tokens(result: SystemResult) -> int:
    """Return the tokens that a language model read and wrote; a writer without one counts its words."""
    usage = result.usage
    return usage.prompt_tokens + usage.completion_tokens if usage.calls else 0


def _median(values: Iterator[float]) -> float:
    every = list(values)
    return median(every) if every else 0.0


def _mean(values: Iterator[float] | Iterator[int]) -> float:
    every = [float(value) for value in values]
    return fmean(every) if every else 0.0
