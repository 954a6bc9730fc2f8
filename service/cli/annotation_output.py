"""Writes annotations in the format that the user chose."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coref.export.formats import FORMATS_TOLD, SEVERAL_FILES, ExportFormat, export
from service.cli import files, output

if TYPE_CHECKING:
    from books.types import Book
    from coref.export.tables import WhoTexts
    from coref.types import Annotations


FormatOption = Annotated[ExportFormat, typer.Option("--format", help=FORMATS_TOLD)]


def check_target(form: ExportFormat, to: Path | None, *, inputs: Iterable[Path | None], json: bool) -> None:
    """Raises before the work is done if the output cannot be written."""
    if to is not None:
        files.keep_inputs(inputs, to=to)
    elif form in SEVERAL_FILES:
        raise typer.BadParameter(f"{form} writes several files: give a folder with --output.")
    elif json and form is not ExportFormat.JSON:
        raise typer.BadParameter(f"{form} is not one JSON document: omit --json, or give --output.")


def deliver(
    book: Book,
    annotations: Annotations,
    *,
    form: ExportFormat,
    to: Path | None,
    name: str,
    json: bool,
    who: Callable[[], WhoTexts] = dict,
    how_far: str = "",
) -> None:
    """Writes to stdout or to `to`. `name` is the base name of the files if there are several."""
    texts = export(book, annotations, form, who=who, how_far=how_far)
    if to is None:
        output.write_text("".join(texts.values()))
        return
    if form in SEVERAL_FILES:
        files.write_folder(to, {f"{name}.{ending}": text for ending, text in texts.items()})
    else:
        files.write_text(to, "".join(texts.values()))
    found = {kind: len(getattr(annotations, kind)) for kind in ("characters", "mentions", "quotes")}
    if json:
        output.write_json({"output": str(to), **found})
    else:
        output.tell(f"{to}: " + ", ".join(f"{count} {kind}" for kind, count in found.items()))
