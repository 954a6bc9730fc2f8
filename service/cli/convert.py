"""`bookworm convert`: converts the output of BookNLP for a file to annotations, without resolving again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coref.export.formats import ExportFormat
from service.cli import files, output
from service.cli.annotation_output import FormatOption, check_target, deliver
from service.cli.options import Encoding, Force, JsonFlag, Output
from service.cli.session import Session

if TYPE_CHECKING:
    from coref.booknlp.importer import BookNLPImport

NAME = "booknlp/files"


def convert(
    context: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="The text that BookNLP processed."),
    ],
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER",
            help="Output of BookNLP: `.entities`, and `.tokens`, `.quotes`, `.book` if present.",
        ),
    ],
    to: Output = None,
    form: FormatOption = ExportFormat.JSON,
    encoding: Encoding = None,
    force: Force = False,
    json: JsonFlag = False,
) -> None:
    """Convert the output of BookNLP for a FILE to any of the formats of `annotate`."""
    from coref.booknlp.importer import import_output
    from coref.booknlp.output_files import read_output

    check_target(form, to, inputs=[file, folder], json=json)
    book = files.read_book(file, settings=Session.of(context).settings, encoding=encoding, force=force)
    found = import_output(read_output(folder), book, name=NAME)
    _report(found)
    deliver(book, found.annotations, form=form, to=to, name=files.stem(file), json=json)


def _report(found: BookNLPImport) -> None:
    """Reports on stderr what could not be converted."""
    lost = found.mentions - found.mentions_found, found.quotes - found.quotes_found
    if any(lost):
        output.warn(
            f"{lost[0]} of {found.mentions} mentions and {lost[1]} of {found.quotes} quotes could not be "
            f"located reliably in this text ({found.aligned:.2%} could). They are omitted."
        )
    if found.outside or found.repeated:
        output.tell(f"Also omitted: {found.outside} outside the story, {found.repeated} duplicates.")
