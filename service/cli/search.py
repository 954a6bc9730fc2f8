"""`bookworm search`: passages, over one book or the whole library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from service.cli import output
from service.cli.library import all_books, reading
from service.cli.options import JsonFlag, Retriever, Upto
from service.cli.people import passage_json, show_passages
from service.cli.session import Session

if TYPE_CHECKING:
    from books.types import Book as BookText
    from db.types import BookRecord
    from retrieval.types import Passage
    from service.services import Services

Hit = tuple["BookRecord", "Passage", "BookText"]

ONE_BOOK = "hybrid"
MANY_BOOKS = "dense"
"""A cosine means the same in every book; fused ranks do not, and BM25 weighs words by their book."""


def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words to look for.")],
    book: Annotated[
        str | None, typer.Option("--book", metavar="BOOK", help="Only this one: its id, or a file.")
    ] = None,
    retriever: Retriever = None,
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="At most so many.")] = 10,
    upto: Upto = None,
    json: JsonFlag = False,
) -> None:
    """Search the passages of the library, best first."""
    if upto and not book:
        raise typer.BadParameter("--upto is a place in one book: give --book too.")
    library = Session.of(context).library
    with reading(context, book) as (services, book_id):
        hits = find(services, query, library=library, book_id=book_id, retriever=retriever, k=k, upto=upto)
    if json:
        output.write_json(
            [{"book": {"id": b.id, "title": b.title}, **passage_json(p, book=text)} for b, p, text in hits]
        )
        return
    for record, passage, _ in hits:
        output.out.print(Text(f"{record.title} ({record.id})", style="bold"))
        show_passages([passage])
    if not hits:
        output.tell("Nothing was found.")


def find(
    services: Services,
    query: str,
    *,
    library: str,
    book_id: str = "",
    retriever: str | None = None,
    k: int = 10,
    upto: str | None = None,
) -> list[Hit]:
    """The best `k` over the books asked."""
    from db.types import BookState
    from retrieval.types import Order
    from service.usecases import library as books
    from service.usecases.characters import passages

    if book_id:
        asked = [books.get(services, library=library, book_id=book_id)]
    else:
        asked = [b for b in all_books(services, library=library) if b.state is BookState.READY]
    hits: list[Hit] = []
    for record in asked:
        found = passages(
            services,
            library=library,
            book_id=record.id,
            text=query,
            retriever=retriever or (ONE_BOOK if book_id else MANY_BOOKS),
            k=k,
            order=Order.SCORE,
            upto=upto,
        )
        hits += [(record, passage, found.book) for passage in found.passages]
        hits = sorted(hits, key=lambda hit: -hit[1].score)[:k]  # now: each one keeps its book in memory
    return hits
