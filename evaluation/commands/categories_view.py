"""Readable output of `bookworm evaluate categories`."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table

from evaluation.facts.types import AnnotatorScores, CategoryReport
from generation.types import Category
from service.cli import output
from service.cli.figure_tables import figure_table, percent


def show(report: CategoryReport) -> None:
    which = report.half.value if report.half else "all"
    output.out.print(f"{report.facts} facts ({which}), labels {report.sha256}", markup=False)
    output.out.print()
    output.out.print(_together(report))
    for one in report.measured:
        output.out.print()
        output.out.print(_by_category(one))
    for line in _notes(report):
        output.out.print(line, markup=False)


def _together(report: CategoryReport) -> Table:
    table = figure_table("Compared with the gold", "Accuracy", "Macro F1", "Cohen's kappa")
    for one in report.measured:
        table.add_row(one.annotator, percent(one.accuracy), percent(one.macro_f1), percent(one.kappa))
    return table


def _by_category(one: AnnotatorScores) -> Table:
    """Scores and the confusion matrix."""
    table = figure_table(one.annotator, "Precision", "Recall", "F1", "Facts", *map(_short, Category))
    for category, found in one.categories.items():
        counts = (str(n) if n else "·" for n in one.confusion[category].values())
        shares = map(percent, (found.precision, found.recall, found.f1))
        table.add_row(category.value, *shares, str(found.facts), *counts)
    return table


def _notes(report: CategoryReport) -> Iterator[str]:
    yield ""
    yield f"Fleiss' kappa over the gold and {len(report.measured)} annotators: {percent(report.fleiss)}."
    for one in report.measured:
        if one.offline:
            yield f"{one.annotator} gave {one.offline} facts no category. They have the offline category."


def _short(category: Category) -> str:
    return category.value[:6]
