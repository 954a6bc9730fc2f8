"""The report: one set of figures as Markdown, as a page and as CSV, with its inputs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluation.portraits import figure_format
from evaluation.portraits.published import DIFFERENT, SOURCE
from evaluation.portraits.running import SystemFailure, SystemResult
from evaluation.portraits.table import Table

CSV_COLUMNS = (
    "task",
    "system",
    "metric",
    "mean",
    "low",
    "high",
    "count",
    "units",
    "against",
    "difference",
    "difference_low",
    "difference_high",
    "p_randomised",
    "p_bootstrapped",
)


@dataclass(frozen=True, slots=True)
class PortraitReport:
    tables: Sequence[Table]
    results: Sequence[SystemResult]
    failures: Sequence[SystemFailure]
    missing: Sequence[str]
    """Books that were not found."""
    made_of: Mapping[str, object]
    """Versions, seeds and hashes, for `run.json`."""
    facts: Sequence[tuple[str, str]]
    """What a reader should know about the figures: name and value."""


def intro(table: Table) -> str:
    return (
        f"{table.samples} references of {table.people} people in {_counted(table.books, 'book')};"
        f" they have {table.reference_words:.0f} words on average."
    )


def markdown(report: PortraitReport) -> str:
    return "\n\n".join(_paragraphs(report)) + "\n"


def as_csv(report: PortraitReport) -> str:
    """Return every column of every system, as shares and not in percent."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for table in report.tables:
        for row in table.rows:
            for column, cell in row.cells.items():
                if cell is not None:
                    mean, other = cell.interval, cell.against
                    values = (mean.mean, mean.low, mean.high, mean.count, mean.units)
                    beside = (
                        (
                            table.against,
                            other.mean,
                            other.low,
                            other.high,
                            other.randomised,
                            other.bootstrapped,
                        )
                        if other
                        else ("",) * 6
                    )
                    cells = (table.task.value, row.system, column, *values, *beside)
                    writer.writerow(map(_cell, cells))
            for column in ("words", "seconds", "tokens"):
                values = (getattr(row, column), None, None, row.answers, row.answers)
                writer.writerow(map(_cell, (table.task.value, row.system, column, *values, *("",) * 6)))
    return out.getvalue()


def _paragraphs(report: PortraitReport) -> Iterator[str]:
    yield "# Portraits, measured"
    yield "\n".join(f"- {name}: {value}" for name, value in report.facts)
    for table in report.tables:
        main, rest = figure_format.split_columns(table)
        yield f"## {table.task.value.capitalize()}"
        yield intro(table)
        yield _grid(
            [*figure_format.FIRST, *map(figure_format.heading, main)],
            [
                [
                    *figure_format.about(row),
                    *(
                        f"{figure_format.mean_of(c, row.cells[c])} {figure_format.bounds_of(c, row.cells[c])}"
                        for c in main
                    ),
                ]
                for row in table.rows
            ],
        )
        yield mark(table)
        have, values = figure_format.published_rows(table.task, main)
        if values:
            yield "### Published figures"
            yield f"{SOURCE}. {DIFFERENT}"
            yield _grid(["System", *map(figure_format.heading, have), "Where"], values)
        if rest:
            yield "### All other measures"
            names = [row.system for row in table.rows]
            yield _grid(
                ["Measure", *names],
                [[c, *(figure_format.mean_of(c, row.cells[c]) for row in table.rows)] for c in rest],
            )
    if wrong := troubles(report):
        yield "## What is not in it"
        yield "\n".join(f"- {trouble}" for trouble in wrong)


def mark(table: Table) -> str:
    if table.against is None:
        return figure_format.MARK.partition(" * ")[0]
    return figure_format.MARK.format(against=table.against)


def troubles(report: PortraitReport) -> list[str]:
    return [*report.missing, *map(_failed, report.failures)]


def _failed(failure: SystemFailure) -> str:
    entry = failure.case.entry
    who = f"{entry.character} ({entry.title}, {entry.task.value})"
    return f"{failure.system or 'no system was asked'}: {who}: {failure.why}"


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
    return "\n".join("| " + " | ".join(map(_escaped, line)) + " |" for line in lines)


def _escaped(text: str) -> str:
    """Escape a name, which may contain the separator of a table's cells."""
    return text.strip().replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def _cell(value: object) -> object:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else value


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
