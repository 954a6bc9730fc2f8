"""`bookworm annotate`: annotates a file. It needs neither a database nor a data folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from coref.export.formats import ExportFormat
from service.cli import files, progress
from service.cli.annotation_output import FormatOption, check_target, deliver
from service.cli.options import Encoding, Force, JsonFlag, Novel, Output, Resolver
from service.cli.session import Session

if TYPE_CHECKING:
    from books.types import Book
    from coref.types import Annotations
    from service.settings import Settings


def annotate(
    context: typer.Context,
    file: Novel,
    to: Output = None,
    form: FormatOption = ExportFormat.JSON,
    resolver: Resolver = None,
    encoding: Encoding = None,
    force: Force = False,
    json: JsonFlag = False,
) -> None:
    """Find the characters, mentions and quotes of a FILE (bookworm.annotations/1), without a library."""
    check_target(form, to, inputs=[file], json=json)
    settings = Session.of(context).settings
    book = files.read_book(file, settings=settings, encoding=encoding, force=force)
    annotations = _annotate(book, settings, resolver=resolver or settings.resolver)
    deliver(book, annotations, form=form, to=to, name=files.stem(file), json=json)


def _annotate(book: Book, settings: Settings, *, resolver: str) -> Annotations:
    from coref.registry import make_resolver, resolver_for

    engine = resolver_for(book, make_resolver(resolver, setup=settings.resolvers))
    with progress.bar("Resolving") as told:
        return engine.annotate(book, progress=told)
