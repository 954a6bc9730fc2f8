"""`bookworm evaluate booksum`: BookSum's alignment files counted, checked and matched with novels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from books.errors import BookwormError
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from evaluation.commands.booksum_report import BookSumReport


class BookSumInvalid(BookwormError):
    code = "booksum_invalid"
    remedy = "Use BookSum's own files and folders: see evaluation/booksum/README.md."


def booksum(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", exists=True, file_okay=False, help="Folder with BookSum's alignment files."
        ),
    ],
    novels: Annotated[
        Path | None,
        typer.Option(
            "--novels",
            metavar="FOLDER",
            exists=True,
            file_okay=False,
            help="Match the sections with the chapters of these novels, named by Project Gutenberg number.",
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Count and check BookSum's summaries, and match them with chapters."""
    found = _found(data, novels)
    if json:
        output.write_json(plain(found))
    else:
        from evaluation.commands import booksum_view as view

        view.show(found)


def _found(data: Path, novels: Path | None) -> BookSumReport:
    from evaluation.booksum.alignment import read_alignment
    from evaluation.booksum.counts import by_source, by_split, oddities
    from evaluation.booksum.novel_sections import disputed, match_novels
    from evaluation.booksum.split_checks import check_splits
    from evaluation.commands.booksum_report import BookSumReport
    from evaluation.datasets.types import DataInvalid

    try:
        rows = read_alignment(data)
    except (DataInvalid, OSError) as error:
        raise BookSumInvalid(str(error)) from error
    if novels is not None:
        output.tell(f"Reading the novels in {novels}")
    return BookSumReport(
        splits=by_split(rows),
        sources=by_source(rows),
        oddities=oddities(rows),
        check=check_splits(rows),
        disputed=disputed(rows),
        novels=None if novels is None else match_novels(rows, novels),
    )
