"""Format figures for the reports: shares in percent, with intervals, and a mark for significance."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.portraits.published import published
from evaluation.portraits.table import HEADLINES, NO_SHARES, Cell, SystemRow, Table
from generation.types import Task

SURE = 0.05
NONE = "–"
FIRST = ("System", "Answers", "Words", "Seconds", "Tokens")
MARK = (
    "Means; in brackets the 95 % interval of the bootstrap. * differs from `{against}` by more than chance:"
    " exchanging the two systems' answers at random gives as large a difference in less than 5 of 100 cases."
)


def scaled(column: str, value: float) -> float:
    return value if column in NO_SHARES else 100 * value


def heading(column: str) -> str:
    return HEADLINES.get(column, column)


def split_columns(table: Table) -> tuple[list[str], list[str]]:
    """Return the headline columns, and the rest."""
    return [c for c in table.columns if c in HEADLINES], [c for c in table.columns if c not in HEADLINES]


def about(row: SystemRow) -> list[str]:
    """Return a row's first cells, under `FIRST`."""
    failed = f" ({row.failures} failed)" if row.failures else ""
    tokens = f"{row.tokens:,.0f}" if row.tokens else NONE
    return [row.system, f"{row.answers}{failed}", f"{row.words:.0f}", f"{row.seconds:.2f}", tokens]


def mean_of(column: str, cell: Cell | None) -> str:
    if cell is None:
        return NONE
    star = "*" if cell.against is not None and cell.against.randomised < SURE else ""
    return f"{scaled(column, cell.interval.mean):.2f}{star}"


def bounds_of(column: str, cell: Cell | None) -> str:
    """Return the bounds; empty where there is nothing, or only one unit, to draw from."""
    if cell is None or cell.interval.low is None or cell.interval.high is None:
        return ""
    return f"[{scaled(column, cell.interval.low):.1f}, {scaled(column, cell.interval.high):.1f}]"


def published_rows(task: Task, columns: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Return the published figures for what was measured here: the columns that have any, and the rows."""
    mine = [p for p in published() if p.task is task and p.metric in columns]
    have = [c for c in columns if any(p.metric == c for p in mine)]
    rows: dict[tuple[str, str], dict[str, tuple[float, str]]] = {}
    for each in mine:
        rows.setdefault((each.system, each.kind), {})[each.metric] = (each.value, each.place)
    lines = [
        [
            f"{system} ({kind})",
            *(f"{figures[c][0]:.2f}" if c in figures else NONE for c in have),
            ", ".join(dict.fromkeys(place for _, place in figures.values())),
        ]
        for (system, kind), figures in rows.items()
    ]
    return have, lines
