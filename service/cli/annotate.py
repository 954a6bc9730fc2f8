"""`bookworm annotate`: a file in, its annotations out. Needs neither a database nor a data folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from service.cli import files, output, progress
from service.cli.options import JsonFlag, Output
from service.cli.session import Session


def annotate(
    context: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", exists=True, dir_okay=False, help="A novel as plain text, gzipped or not."
        ),
    ],
    to: Output = None,
    resolver: Annotated[
        str | None, typer.Option("--resolver", help="Who resolves; see `bookworm doctor`.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Find the characters, mentions and quotes of a FILE (bookworm.annotations/1), without a library."""
    settings = Session.of(context).settings
    document = _annotate(
        files.load(file, limit=settings.max_upload_bytes),
        name=file.name,
        resolver=resolver or settings.resolver,
    )
    if to is None:
        output.write_json(document)
        return
    files.write_json(to, document)
    found = {name: len(document[name]) for name in ("characters", "mentions", "quotes")}
    if json:
        output.write_json({"output": str(to), **found})
    else:
        output.tell(f"{to}: " + ", ".join(f"{count} {name}" for name, count in found.items()))


def _annotate(data: bytes, *, name: str, resolver: str) -> dict[str, Any]:
    from books.reading import read
    from coref.export import to_json
    from coref.registry import make_resolver

    engine = make_resolver(resolver)
    book = read(data, name=name)
    with progress.bar("Resolving") as told:
        return to_json(book, engine.annotate(book, progress=told))
