"""`bookworm evaluate booookscore`: how coherent summaries of books are, by the share of clear sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from books.errors import BookwormError
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag


class SummariesInvalid(BookwormError):
    code = "summaries_invalid"
    remedy = "See evaluation/booookscore/README.md for the files that the command reads."


Summaries = Annotated[
    Path,
    typer.Argument(
        metavar="PATH",
        exists=True,
        help="The folder that was released with the paper.",
    ),
]


def booookscore(summaries: Summaries, json: JsonFlag = False) -> None:
    """Measure how coherent summaries of books are, and reproduce the figures of the BooookScore paper."""
    from evaluation.booookscore.release import is_release

    if not is_release(summaries):
        raise SummariesInvalid(f"{summaries} has no folders `summaries` and `annotations`.")
    _release(summaries, as_json=json)


def _release(folder: Path, *, as_json: bool) -> None:
    from evaluation.booookscore.release_report import release_report
    from evaluation.datasets.types import DataInvalid

    try:
        report = release_report(folder)
    except DataInvalid as error:
        raise SummariesInvalid(str(error)) from error
    if as_json:
        output.write_json(plain(report))
    else:
        from evaluation.commands import booookscore_view as view

        view.show_release(report)
