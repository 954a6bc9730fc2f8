"""Readable output of `bookworm evaluate portraits`: one table per task. The rest is in the report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from evaluation.portraits import figure_format
from evaluation.portraits.report import intro, mark
from service.cli import output
from service.cli.figure_tables import figure_table

if TYPE_CHECKING:
    from evaluation.portraits.report import PortraitReport

SHOWN = (
    *("rouge1", "rouge2", "rougeL", "entity_recall", "bertscore"),
    *("qa_f1", "nli", "prisma_precision", "prisma_reference_f1"),
)
"""The columns that fit on a terminal."""


def show(report: PortraitReport, out: Path) -> None:
    for table in report.tables:
        main = [column for column in figure_format.split_columns(table)[0] if column in SHOWN]
        page = figure_table(*figure_format.FIRST, *map(figure_format.heading, main))
        for row in table.rows:
            page.add_row(*figure_format.about(row), *(figure_format.mean_of(c, row.cells[c]) for c in main))
        output.out.print(f"{table.task.value.capitalize()}: {intro(table)}", markup=False, soft_wrap=True)
        output.out.print(page)
        output.out.print(mark(table), markup=False, soft_wrap=True)
        output.out.print()
    for failure in report.failures:
        entry = failure.case.entry
        output.warn(f"{failure.system or 'all systems'}, {entry.character} ({entry.title}): {failure.why}")
    output.out.print(f"The report is in {out}: report.md, report.html, report.csv.", markup=False)
