"""`bookworm export`: the annotations of a book in the library, with the corrections of its readers."""

from __future__ import annotations

from functools import partial

import typer

from coref.export.formats import ExportFormat
from service.cli.annotation_output import FormatOption, check_target, deliver
from service.cli.library import file_of, reading
from service.cli.options import Book, JsonFlag, Output, Upto


def export(
    context: typer.Context,
    book: Book,
    to: Output = None,
    form: FormatOption = ExportFormat.JSON,
    upto: Upto = None,
    json: JsonFlag = False,
) -> None:
    """Export who is who in a BOOK, with your corrections, in the formats of `annotate`."""
    from service.usecases.profiles import who_texts
    from service.wire.exports import base_name
    from service.wire.markdown import how_far

    check_target(form, to, inputs=[file_of(book)], json=json)
    with reading(context, book) as (library, book_id):
        view = library.view(book_id, upto)
        deliver(
            view.book,
            view.annotations,
            form=form,
            to=to,
            name=base_name(view),
            json=json,
            who=partial(who_texts, view),
            how_far=how_far(view),
        )
