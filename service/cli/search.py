"""`bookworm passages` and `bookworm search`: passages about a character, and search in one book or in all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from books.errors import BookwormError
from retrieval.types import Order
from service.cli import output
from service.cli.finding import find_in
from service.cli.library import mend_here, reading
from service.cli.options import Book, JsonFlag, Name, Retriever, Seed, Upto
from service.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable

    from retrieval.types import Finding, Passage
    from service.library import Library
    from service.services import Services
    from service.usecases.searching import Asked, Hit, Searched, Skipped

Budget = Annotated[
    int | None,
    typer.Option("--budget", min=1, help="Maximum total tokens, as counted by the generator."),
]
Neighbours = Annotated[
    int, typer.Option("--neighbours", min=0, max=5, help="Number of passages to add before and after each.")
]


def passages(
    context: typer.Context,
    book: Book,
    name: Name,
    text: Annotated[
        str | None, typer.Option("--text", help="Words to search for in addition to the name.")
    ] = None,
    retriever: Retriever = None,
    k: Annotated[int, typer.Option("-k", "--k", min=1, max=200, help="Maximum number of passages.")] = 10,
    budget: Budget = None,
    neighbours: Neighbours = 0,
    order: Annotated[
        Order, typer.Option("--order", help="In the order of the story, or best first.")
    ] = Order.STORY,
    upto: Upto = None,
    seed: Seed = 0,
    json: JsonFlag = False,
) -> None:
    """Show the passages of a BOOK about a character NAME."""
    from service.usecases import searching

    asked = searching.Asked(text, retriever, k, budget, neighbours, order, upto, seed)
    with reading(context, book) as (library, book_id):
        found = searching.about(library.services, library.view(book_id, upto), key=name, asked=asked)
    if json:
        from service.wire.passages import PassagesOut

        output.write_json(PassagesOut.of(found))
    else:
        show_passages(found.passages)


def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words to search for.")],
    book: Annotated[
        str | None, typer.Option("--book", metavar="BOOK", help="Search only this book: its id, or a file.")
    ] = None,
    retriever: Annotated[str | None, typer.Option("--retriever", help="bm25, dense or hybrid.")] = None,
    k: Annotated[int, typer.Option("-k", "--k", min=1, max=1000, help="Maximum number of results.")] = 10,
    per_book: Annotated[
        int | None, typer.Option("--per-book", min=1, help="Maximum number of results per book.")
    ] = None,
    budget: Budget = None,
    neighbours: Neighbours = 0,
    upto: Upto = None,
    json: JsonFlag = False,
) -> None:
    """Search one book for words, "phrases", by:NAME, with:NAME, said:WORD, chapter:3-5; or the whole library.

    With --retriever, and in the library, the passages that match best are listed; they have all phrases.
    """
    from service.usecases.searching import Asked

    if context.args:
        raise typer.BadParameter("Put the words in quotes, and give a book as --book BOOK.")
    if upto and not book:
        raise typer.BadParameter("--upto requires --book.")
    if book and retriever is None and per_book is None and budget is None and not neighbours:
        find_in(context, book, query, upto, k, as_json=json)
        return
    asked = Asked(query, retriever, k, budget, neighbours, upto=upto)
    session = Session.of(context)
    with reading(context, book) as (library, book_id):
        found = _search(library, session, asked, per_book=per_book, book_id=book_id or None)
    if json:
        from service.wire.passages import SearchOut

        output.write_json(SearchOut.of(found))
    else:
        _show_hits(found)
    _tell(found)


def _show_hits(found: Searched) -> None:
    """Show the hits. Those without any of the words, and the passages beside them, stand apart."""
    by_words = {hit.rank for hit in found.hits if any(f.source == "bm25" for f in hit.passage.findings)}
    near = [hit for hit in found.hits if found.retriever == "hybrid" and hit.rank not in by_words]
    _print_hits(hit for hit in found.hits if hit not in near)
    if near and not by_words:
        output.out.print(Text("Nothing has any of these words.", style="bold"))
    if near:
        output.out.print(Text("Near in meaning:", style="bold"))
    _print_hits(near)


def _print_hits(hits: Iterable[Hit]) -> None:
    for hit in hits:
        output.out.print(Text(f"{hit.rank}. {hit.record.title} ({hit.record.id})", style="bold"))
        show_passages([hit.passage])


def _search(
    library: Library, session: Session, asked: Asked, *, per_book: int | None, book_id: str | None
) -> Searched:
    """Damaged books are repaired first."""
    from service.usecases.searching import in_library

    def once() -> Searched:
        return in_library(library, asked=asked, per_book=per_book, book_id=book_id)

    found = once()
    mended = [_mended(library.services, session, skipped) for skipped in found.skipped]
    return once() if any(mended) else found


def _mended(services: Services, session: Session, skipped: Skipped) -> bool:
    from retrieval.errors import IndexStale

    why = skipped.why
    if not isinstance(why, IndexStale) or why.job is None:
        return False
    try:
        mend_here(services, session, why, job_id=why.job)
    except BookwormError:
        return False  # the book is reported as not searched
    return True


def _tell(found: Searched) -> None:
    for skipped in found.skipped:
        called = skipped.record.title or skipped.record.filename or skipped.record.id
        output.warn(f"Not searched: {called}. {skipped.why}")
    if not found.hits:
        output.tell("No results.")


def show_passages(found: Iterable[Passage]) -> None:
    for passage in found:
        why = ", ".join(_why(finding) for finding in passage.findings)
        told = f"ch. {passage.chapter + 1}, score {passage.score:.2f}, {why}"
        output.out.print(Text(told, style="dim"))
        output.out.print(Text(" ".join(passage.text.split())), end="\n\n")


def _why(finding: Finding) -> str:
    """`no. 4 by dense`; `next to no. 4` for a neighbouring passage."""
    from retrieval.types import NEIGHBOUR

    beside = finding.source == NEIGHBOUR
    return f"next to no. {finding.rank}" if beside else f"no. {finding.rank} by {finding.source}"
