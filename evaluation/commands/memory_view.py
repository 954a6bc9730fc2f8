"""The tables of `bookworm evaluate memory`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table

from evaluation.memory.guessing import Guessed
from evaluation.memory.measuring import BOUNDS, TakenQuestion, accuracy, chance, curve, positions, wrong
from evaluation.memory.reconstruction import ANSWERED, COLUMNS
from evaluation.metrics.statistics import Interval
from service.cli import output


def show(results: Mapping[str, Sequence[TakenQuestion]], guessed: Guessed | None) -> None:
    edges = (0, *BOUNDS)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("Taken by")
    for heading in ("Right", *(f"{low // 1000}k" for low in edges), "Wrong choices taken"):
        table.add_column(heading, justify="left" if heading.startswith("Wrong") else "right")
    for name, found in results.items():
        points = {point.low: _bounds(point.accuracy, digits=0) for point in curve(found)}
        mistakes = ", ".join(f"{why} {n}" for why, n in sorted(wrong(found).items(), key=lambda w: -w[1]))
        parts = (points.get(low, "–") for low in edges)
        table.add_row(name, _bounds(accuracy(found)), *parts, mistakes)
    output.out.print(table)
    some = next(iter(results.values()))
    places = ", ".join(f"{at + 1}: {n}" for at, n in sorted(positions(some).items()))
    output.out.print(
        f"{len(some)} questions, {sum(each.by_names for each in some)} of which the names give away. "
        f"Guessing gets {100 * chance(some):.1f}% right. Right choices by position: {places}."
    )
    if guessed is not None:
        output.out.print(
            f"A classifier that sees the choices alone: {100 * guessed.accuracy:.1f}% of {guessed.questions} "
            f"questions with a right choice (chance {100 * guessed.chance:.1f}%). "
            f"Wrong choices that look less likely than it (chance 50%): {_shares(guessed.by_kind)}."
        )
    output.out.print(
        "Shares in percent, with 95% intervals over novels; then by thousands of words read since the scene.",
        style="dim",
    )


def _shares(of: Mapping[str, float]) -> str:
    return ", ".join(f"{what} {100 * share:.0f}%" for what, share in of.items())


def _bounds(measured: Interval | None, *, digits: int = 1) -> str:
    assert measured is not None
    mean = f"{100 * measured.mean:.{digits}f}"
    if measured.low is None or measured.high is None:
        return mean
    return f"{mean} [{100 * measured.low:.0f}–{100 * measured.high:.0f}]"


def show_corrections(scores: Mapping[str, Mapping[str, Mapping[str, float]]]) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("Corrected by")
    table.add_column("Summaries")
    rows = [(name, level, row) for name, levels in scores.items() for level, row in levels.items()]
    columns = [c for c in (*COLUMNS, ANSWERED) if any(c in row for _, _, row in rows)]
    for column in columns:
        table.add_column(column, justify="right")
    for name, level, row in rows:
        table.add_row(
            name, level, *(f"{100 * row[column]:.1f}" if column in row else "–" for column in columns)
        )
    output.out.print(table)
