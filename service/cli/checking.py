"""`bookworm check`: checks the facts in any text about a character against the book."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from books.types import count_words
from service.cli import files, output
from service.cli.library import reading
from service.cli.options import Book, JsonFlag, Judge, OfOne, Upto

if TYPE_CHECKING:
    from service.usecases.checking import Checked


def check(
    context: typer.Context,
    book: Book,
    character: Annotated[
        str, typer.Option("--character", metavar="NAME", help="The character: name, alias or id.")
    ],
    text: Annotated[
        Path,
        typer.Option("--text", metavar="FILE", exists=True, dir_okay=False, help="The text, in UTF-8."),
    ],
    judge: Judge = None,
    reference: Annotated[
        OfOne | None, typer.Option("--reference", help="Also compare it with the reference text.")
    ] = None,
    upto: Upto = None,
    json: JsonFlag = False,
) -> None:
    """Check a text about a character of a BOOK: split it into facts and check each of them."""
    from generation.types import Task
    from service.usecases import checking
    from service.usecases.given_texts import TEXT_MOST, clean

    given = clean(files.read_text(text, most=TEXT_MOST), what="text")
    with reading(context, book, check=lambda services: services.engines.judge_called(judge)) as (
        library,
        book_id,
    ):
        checked = checking.check(
            library,
            book_id=book_id,
            name=character,
            text=given,
            upto=upto,
            judge=judge,
            against=Task(reference) if reference else None,
        )
    if json:
        from service.wire.checking import CheckOut

        output.write_json(CheckOut.of(checked))
    else:
        show(checked)


def show(checked: Checked) -> None:
    from books.languages import identify, unit_of
    from service.cli.answer_view import fact_table, prisma_lines

    view = checked.view
    gate = "" if view.upto is None else ", checked against the chapters you have read"
    unit = unit_of(identify(checked.text))
    head = f"{checked.person.name}: a text of {count_words(checked.text):,} {unit}{gate}"
    output.out.print(Text(head, style="bold"))
    output.out.print(fact_table(checked.facts, book=view.book, upto=view.upto))
    for line in prisma_lines(checked.prisma):
        output.out.print(Text(line, style="bold"))
    for note in checked.notes:
        output.out.print(Text(f"Note: {note}", style="yellow"))
    told = f"judge {checked.judge}, extractor {checked.extractor}, resolver {view.annotations.resolver}"
    output.out.print(Text(told, style="dim"))
