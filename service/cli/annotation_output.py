"""Writes annotations in the format that the user chose."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli import files, output

if TYPE_CHECKING:
    from books.types import Book
    from coref.types import Annotations


class Format(StrEnum):
    JSON = "json"
    JSONL = "jsonl"
    CONLL = "conll"
    CONLL_BOOK = "conll-book"
    BOOKNLP = "booknlp"


FormatOption = Annotated[
    Format,
    typer.Option(
        "--format",
        help="json (bookworm.annotations/1), jsonl (one object per line), conll (CoNLL-2012, one part per "
        "chapter), conll-book (CoNLL-2012, one part) or booknlp (four files).",
    ),
]


def check_target(form: Format, to: Path | None) -> None:
    """Raises before the work is done if the output cannot be written."""
    if form is Format.BOOKNLP and to is None:
        raise typer.BadParameter("booknlp writes several files: give a folder with --output.")


def deliver(
    book: Book, annotations: Annotations, *, form: Format, to: Path | None, name: str, json: bool
) -> None:
    """Writes to stdout or to `to`. `name` is the base name of the files in BookNLP format."""
    if to is None:
        _print(book, annotations, form)
        return
    _write(book, annotations, form, to, name)
    found = {kind: len(getattr(annotations, kind)) for kind in ("characters", "mentions", "quotes")}
    if json:
        output.write_json({"output": str(to), **found})
    else:
        output.tell(f"{to}: " + ", ".join(f"{count} {kind}" for kind, count in found.items()))


def _print(book: Book, annotations: Annotations, form: Format) -> None:
    from coref.export.document import to_json

    if form is Format.JSON:
        output.write_json(to_json(book, annotations))
    else:
        output.write_text(_text(book, annotations, form))


def _write(book: Book, annotations: Annotations, form: Format, to: Path, name: str) -> None:
    from coref.export.booknlp import to_booknlp
    from coref.export.document import to_json

    if form is Format.JSON:
        files.write_json(to, to_json(book, annotations))
    elif form is Format.BOOKNLP:
        texts = to_booknlp(book, annotations)
        files.write_folder(to, {f"{name}.{ending}": text for ending, text in texts.items()})
    else:
        files.write_text(to, _text(book, annotations, form))


def _text(book: Book, annotations: Annotations, form: Format) -> str:
    from coref.export.conll import to_conll
    from coref.export.jsonl import to_jsonl

    if form is Format.JSONL:
        return to_jsonl(book, annotations)
    return to_conll(book, annotations, whole=form is Format.CONLL_BOOK)
