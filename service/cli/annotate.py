"""`bookworm annotate`: a file in, its annotations out. Needs neither a database nor a data folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.cli import files, output, progress
from service.cli.options import Encoding, Force, JsonFlag, Output
from service.cli.session import Session
from service.formats import listed

if TYPE_CHECKING:
    from books.types import Book


def annotate(
    context: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", exists=True, dir_okay=False, help=f"A novel as {listed()}, gzipped or not."
        ),
    ],
    to: Output = None,
    resolver: Annotated[
        str | None, typer.Option("--resolver", help="Who resolves; see `bookworm doctor`.")
    ] = None,
    encoding: Encoding = None,
    force: Force = False,
    json: JsonFlag = False,
) -> None:
    """Find the characters, mentions and quotes of a FILE (bookworm.annotations/1), without a library."""
    settings = Session.of(context).settings
    book = files.read_book(file, settings=settings, encoding=encoding, force=force)
    document = _annotate(book, resolver=resolver or settings.resolver)
    if to is None:
        output.write_json(document)
        return
    files.write_json(to, document)
    found = {name: len(document[name]) for name in ("characters", "mentions", "quotes")}
    if json:
        output.write_json({"output": str(to), **found})
    else:
        output.tell(f"{to}: " + ", ".join(f"{count} {name}" for name, count in found.items()))


def _annotate(book: Book, *, resolver: str) -> dict[str, Any]:
    from coref.export import to_json
    from coref.registry import make_resolver

    engine = make_resolver(resolver)
    with progress.bar("Resolving") as told:
        return to_json(book, engine.annotate(book, progress=told))
