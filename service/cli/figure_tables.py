"""Tables of figures for `bookworm evaluate …`."""

from __future__ import annotations

from collections.abc import Collection

from rich.table import Table

from evaluation.coref.tallies import Share
from service.cli import output


def figure_table(first: str, *headings: str, left: Collection[str] = ()) -> Table:
    """Return a table of numbers, but for what is in the first column and in those named as `left`."""
    table = output.table(first, *headings)
    for column in table.columns[1:]:
        column.justify = "left" if column.header in left else "right"
    return table


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def percent_of(share: Share) -> str:
    return percent(share.value if share.all else None)
