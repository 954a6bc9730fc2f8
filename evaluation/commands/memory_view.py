"""The tables of `bookworm evaluate memory`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaluation.memory.guessing import Guessed
from evaluation.memory.measuring import BOUNDS, TakenQuestion, accuracy, chance, curve, positions, wrong
from evaluation.memory.reconstruction import ANSWERED, COLUMNS
from service.cli import output
from service.cli.figure_tables import figure_table


def show(results: Mapping[str, Sequence[TakenQuestion]], guessed: Guessed | None) -> None:
    edges = (0, *BOUNDS)
    loads = (f"{low // 1000}k" for low in edges)
    table = figure_table("Taken by", "Right", *loads, "Wrong choices taken", left=("Wrong choices taken",))
    for name, found in results.items():
        points = {point.low: point.accuracy.percents(digits=0) for point in curve(found)}
        mistakes = ", ".join(f"{why} {n}" for why, n in sorted(wrong(found).items(), key=lambda w: -w[1]))
        parts = (points.get(low, "–") for low in edges)
        right = accuracy(found)
        assert right is not None
        table.add_row(name, right.percents(), *parts, mistakes)
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


def show_corrections(scores: Mapping[str, Mapping[str, Mapping[str, float]]]) -> None:
    rows = [(name, level, row) for name, levels in scores.items() for level, row in levels.items()]
    columns = [c for c in (*COLUMNS, ANSWERED) if any(c in row for _, _, row in rows)]
    table = figure_table("Corrected by", "Summaries", *columns, left=("Summaries",))
    for name, level, row in rows:
        table.add_row(
            name, level, *(f"{100 * row[column]:.1f}" if column in row else "–" for column in columns)
        )
    output.out.print(table)
