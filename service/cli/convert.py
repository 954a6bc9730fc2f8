"""`bookworm convert`: what BookNLP wrote of a file, as annotations of ours. Nothing is resolved anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli import files, output
from service.cli.annotation_output import Format, FormatOption, check_target, deliver
from service.cli.options import Encoding, Force, JsonFlag, Output
from service.cli.session import Session

if TYPE_CHECKING:
    from coref.booknlp.importer import BookNLPImport

NAME = "booknlp/files"


def convert(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="The text that BookNLP read.")
    ],
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER",
            help="What BookNLP wrote of it: `.entities`, and `.tokens`, `.quotes`, `.book` if there.",
        ),
    ],
    to: Output = None,
    form: FormatOption = Format.JSON,
    encoding: Encoding = None,
    force: Force = False,
    json: JsonFlag = False,
) -> None:
    """Turn BookNLP's output for a FILE into annotations, in any of the formats of `annotate`."""
    from coref.booknlp.importer import import_output
    from coref.booknlp.output_files import read_output

    check_target(form, to)
    book = files.read_book(file, settings=Session.of(context).settings, encoding=encoding, force=force)
    found = import_output(read_output(folder), book, name=NAME)
    _report(found)
    deliver(book, found.annotations, form=form, to=to, name=files.stem(file), json=json)


def _report(found: BookNLPImport) -> None:
    """What did not come along is told, on stderr."""
    lost = found.mentions - found.mentions_found, found.quotes - found.quotes_found
    if any(lost):
        output.warn(
            f"{lost[0]} of {found.mentions} mentions and {lost[1]} of {found.quotes} quotes were not found, "
            f"or not surely, in this text ({found.aligned:.2%} were); they are left out."
        )
    if found.outside or found.repeated:
        output.tell(
            f"Left out as well: {found.outside} outside the story, {found.repeated} that repeat others."
        )
