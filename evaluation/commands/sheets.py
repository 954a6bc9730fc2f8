"""`bookworm evaluate sheets`: what people say on the sheets of `bookworm evaluate booksum --sheet`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from books.errors import BookwormError
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from rich.table import Table

    from evaluation.booksum.rating_sheets import SheetsReport


class SheetInvalid(BookwormError):
    code = "sheet_invalid"
    remedy = "Give the key that was written with the sheet, and filled-in copies of the sheet."


def sheets(
    key: Annotated[
        Path, typer.Argument(metavar="KEY", exists=True, dir_okay=False, help="The key of the sheet.")
    ],
    filled: Annotated[
        list[Path],
        typer.Argument(
            metavar="SHEET...", exists=True, dir_okay=False, help="The sheets, one of each judge."
        ),
    ],
    json: JsonFlag = False,
) -> None:
    """Sum up how people rate summaries: means by system, and how far the judges agree."""
    from evaluation.booksum.rating_sheets import read_key, read_sheet, report
    from evaluation.datasets.types import DataInvalid

    file = key
    try:
        known = read_key(key.read_text("utf-8"))
        judges = []
        for file in filled:
            judges.append(read_sheet(file.read_text("utf-8-sig"), known))
    except (DataInvalid, UnicodeDecodeError) as error:
        raise SheetInvalid(f"{file}: {error}") from error
    found = report(known, judges)
    if not found.ratings:
        raise SheetInvalid("Nothing is filled in.")
    if json:
        output.write_json(plain(found))
    else:
        output.out.print(_table(found))


def _table(found: SheetsReport) -> Table:
    from service.cli.figure_tables import figure_table

    headings = ("System", "Dimension", "Mean", "95%", "Ratings", "Agreement")
    table = figure_table("Level", *headings, left=("System", "Dimension"))
    for each in found.ratings:
        low, high = each.mean.low, each.mean.high
        bounds = "–" if low is None or high is None else f"{low:.2f}–{high:.2f}"
        kappa = found.agreement[each.dimension]
        table.add_row(
            each.level,
            each.system,
            each.dimension,
            f"{each.mean.mean:.2f}",
            bounds,
            str(each.ratings),
            "–" if kappa is None else f"{kappa:.2f}",
        )
    return table
