"""`bookworm doubts`: who may be one and the same, and what is decided about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from service.cli import output
from service.cli.library import reading
from service.cli.options import Book, JsonFlag, Upto

if TYPE_CHECKING:
    from service.library import Library
    from service.usecases.doubts import Question

ALIASES = 4
"""How many a table cell has room for."""


def doubts(
    context: typer.Context,
    book: Book,
    merge: Annotated[
        int | None, typer.Option("--merge", min=1, metavar="NUMBER", help="They are one: merge them.")
    ] = None,
    dismiss: Annotated[
        int | None, typer.Option("--dismiss", min=1, metavar="NUMBER", help="They are two: ask no more.")
    ] = None,
    upto: Upto = None,
    json: JsonFlag = False,
) -> None:
    """List who may be one and the same in a BOOK, what matters most first; merge them, or dismiss it."""
    from service.usecases.doubts import questions

    if merge is not None and dismiss is not None:
        raise typer.BadParameter("--merge and --dismiss exclude each other.")
    with reading(context, book) as (library, book_id):
        found = questions(library.view(book_id, upto))
        number = merge or dismiss
        if number is not None:
            _settle(library, _numbered(found, number), book_id=book_id, one=merge is not None)
            found = questions(library.view(book_id, upto))
    if json:
        output.write_json(doubts_json(found))
    elif found:
        show_doubts(found)
    else:
        output.tell("There is no doubt about anybody.")


def _numbered(found: Sequence[Question], number: int) -> Question:
    if number > len(found):
        raise typer.BadParameter(f"There is no doubt {number}; there are {len(found)}.")
    return found[number - 1]


def _settle(library: Library, question: Question, *, book_id: str, one: bool) -> None:
    from coref.decisions.types import DecisionKind
    from service.usecases.decisions import decide

    decision = decide(
        library,
        book_id=book_id,
        kind=DecisionKind.MERGE if one else DecisionKind.DISMISS,
        character=question.one.id,
        other=question.other.id,
    )
    names = f"{question.one.name} and {question.other.name}"
    output.tell(f"{names} are {'one' if one else 'two'}: decision {decision.number} of this book.")


def doubts_json(found: Sequence[Question]) -> object:
    from service.wire.doubts import DoubtOut, DoubtsOut

    return DoubtsOut(items=[DoubtOut.of(question) for question in found]).model_dump(mode="json")


def show_doubts(found: Sequence[Question]) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("No.", justify="right")
    table.add_column("One")
    table.add_column("The other")
    table.add_column("Likely", justify="right")
    table.add_column("Mentions", justify="right")
    table.add_column("Because")
    for number, question in enumerate(found, 1):
        names = (_names([a.text for a in c.aliases]) for c in (question.one, question.other))
        likely = f"{question.doubt.confidence:.0%}"
        moved = f"{question.impact:,}"
        table.add_row(str(number), *map(Text, names), likely, moved, Text(question.doubt.evidence))
    output.out.print(table)


def _names(names: Sequence[str]) -> str:
    more = "" if len(names) <= ALIASES else f" and {len(names) - ALIASES} more"
    return ", ".join(names[:ALIASES]) + more
