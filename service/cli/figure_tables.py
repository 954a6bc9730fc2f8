"""Tables of figures for `bookworm evaluate …`."""

from __future__ import annotations

from collections.abc import Collection

from rich.table import Table

from evaluation.coref.tallies import Share


def figure_table(first: str, *headings: str, left: Collection[str] = ()) -> Table:
    """Return a table of numbers, but for what is in the first column and in those named as `left`."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column(first)
    for heading in headings:
        table.add_column(heading, justify="left" if heading in left else "right")
    return table


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def percent_of(share: Share) -> str:
    return percent(share.value if share.all else None)
