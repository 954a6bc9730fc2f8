"""The people of a book: `characters`, and the `passages` that speak of one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from service.cli import output
from service.cli.library import reading
from service.cli.options import Book, JsonFlag, Name, Retriever, Upto
from service.cli.plain import plain
from service.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable

    from retrieval.types import Passage
    from service.usecases.characters import Presence


def characters(context: typer.Context, book: Book, upto: Upto = None, json: JsonFlag = False) -> None:
    """List the characters of a BOOK, most mentioned first."""
    from service.usecases import characters as usecases

    with reading(context, book) as (services, book_id):
        cast = usecases.cast(services, library=Session.of(context).library, book_id=book_id, upto=upto)
    if json:
        output.write_json(plain(cast))
    else:
        show_cast(cast)


def show_cast(cast: Iterable[Presence]) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("Id", style="dim", no_wrap=True)
    table.add_column("Name", no_wrap=True)
    table.add_column("Mentions", justify="right")
    table.add_column("From ch.", justify="right")
    table.add_column("Pronouns")
    table.add_column("Kind")
    table.add_column("Also called")
    for met in cast:
        c = met.character
        others = ", ".join(a.text for a in c.aliases if a.text != c.name)
        counts = (str(c.mention_count), str(met.first_chapter))
        table.add_row(c.id, Text(c.name), *counts, c.pronouns or "", c.kind.value, Text(others))
    output.out.print(table)


def passages(
    context: typer.Context,
    book: Book,
    name: Name,
    text: Annotated[
        str | None, typer.Option("--text", help="Look for these words instead of the name.")
    ] = None,
    retriever: Retriever = None,
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="At most so many.")] = 10,
    upto: Upto = None,
    json: JsonFlag = False,
) -> None:
    """Show the passages of a BOOK that speak of a character NAME."""
    from service.usecases import characters as usecases

    with reading(context, book) as (services, book_id):
        found = usecases.passages(
            services,
            library=Session.of(context).library,
            book_id=book_id,
            key=name,
            retriever=retriever,
            k=k,
            text=text,
            upto=upto,
        )
    if json:
        output.write_json(plain(found))
    else:
        show_passages(found.passages)


def show_passages(found: Iterable[Passage]) -> None:
    for passage in found:
        head = f"ch. {passage.chapter + 1}, score {passage.score:.2f}, {'+'.join(passage.sources)}"
        output.out.print(Text(head, style="dim"))
        output.out.print(Text(" ".join(passage.text.split())), end="\n\n")
