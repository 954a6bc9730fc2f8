"""Readable output of `bookworm evaluate judge`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.table import Table

from evaluation.judging.judge_figures import Bin, JudgeFigures, Rate
from evaluation.judging.report import HalfReport, JudgeReport
from service.cli import output
from service.cli.figure_tables import figure_table, percent

_HEADINGS = (
    "Facts",
    "Supported precision",
    "recall",
    "Contradicted precision",
    "recall",
    "False supported",
    "Uncertain",
)
_NOTE = (
    "Supported precision: the share of facts with the verdict supported that are true. Supported recall: the"
    " share of true facts with that verdict. The same for contradicted and false facts. False supported: the"
    " share of false facts with the verdict supported. Brackets contain 95 % confidence intervals. Never tune"
    " on the held-out half."
)


def show(reports: Sequence[JudgeReport], *, resolver: str, facts: int, left_out: int) -> None:
    left = f", {left_out:,} omitted" if left_out else ""
    output.out.print(f"Resolver {resolver}; {facts:,} facts{left}", markup=False)
    for report in reports:
        output.out.print(f"\n{report.judge}: {report.seconds:.1f} s", style="bold", markup=False)
        for half, part in report.halves.items():
            for table in _tables(half.replace("_", " "), part):
                output.out.print()
                output.out.print(table)
    output.out.print(f"\n{_NOTE}", markup=False)


def _tables(half: str, part: HalfReport) -> Iterator[Table]:
    yield _table(half.capitalize(), {"all": part.whole}, bounds=True)
    yield _table(f"By category, {half}", part.by_category)
    yield _table(f"By kind of change, {half}", part.by_falsehood)
    yield _table(f"By book, {half}", part.by_book)
    yield _reliability(half, part.reliability)


def _table(title: str, parts: Mapping[str, JudgeFigures], *, bounds: bool = False) -> Table:
    table = figure_table(title, *_HEADINGS)
    for name, found in parts.items():
        rates = (
            found.supported_precision,
            found.supported_recall,
            found.contradicted_precision,
            found.contradicted_recall,
            found.false_supported,
            found.uncertain,
        )
        table.add_row(name.replace("_", " "), str(found.facts), *(_rate(r, bounds=bounds) for r in rates))
    return table


def _reliability(half: str, bins: Sequence[Bin]) -> Table:
    table = figure_table(f"Scores, {half}", "Verdicts", "Mean score", "Correct")
    for one in bins:
        if one.said is not None:
            name = f"{one.low:.1f} to {one.high:.1f}"
            table.add_row(name, str(one.right.all), percent(one.said), _rate(one.right, bounds=True))
    return table


def _rate(rate: Rate, *, bounds: bool) -> str:
    if rate.value is None or rate.interval is None:
        return "–"
    low, high = rate.interval
    return percent(rate.value) + (f" [{percent(low)}–{percent(high)}]" if bounds else "")
