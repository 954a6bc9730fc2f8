"""`bookworm overrule` and `bookworm overrulings`: readers change the verdicts of the judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from generation.types import Label
from service.cli import output
from service.cli.library import reading
from service.cli.options import Book, JsonFlag, Upto

if TYPE_CHECKING:
    from db.types import OverrulingRecord


def overrule(
    context: typer.Context,
    book: Book,
    fact: Annotated[str, typer.Argument(metavar="FACT", help="Id of the fact, shown below its category.")],
    label: Annotated[Label | None, typer.Argument(metavar="[LABEL]", help="The correct verdict.")] = None,
    comment: Annotated[str | None, typer.Option("--comment", help="Why.")] = None,
    delete: Annotated[bool, typer.Option("--delete", help="Restore the verdict of the judge.")] = False,
    json: JsonFlag = False,
) -> None:
    """Change the verdict on a FACT about a BOOK. It applies wherever the same fact occurs again."""
    from service.usecases import overrulings as usecases

    if delete == (label is not None):
        raise typer.BadParameter("give a LABEL or --delete.")
    with reading(context, book) as (library, book_id):
        if label is None:
            gone = usecases.restore(library, book_id=book_id, fact_id=fact)
            output.tell("Verdict of the judge restored." if gone else "The verdict had not been changed.")
            if json:
                output.write_json({"deleted": gone})
            return
        kept = usecases.overrule(library, book_id=book_id, fact_id=fact, label=label, comment=comment)
    if json:
        from service.wire.overrulings import OverrulingOut

        output.write_json(OverrulingOut.of(kept))
    else:
        output.out.print(Text(f"“{kept.fact.text}” is now {kept.label.value}."))


def overrulings(context: typer.Context, book: Book, upto: Upto = None, json: JsonFlag = False) -> None:
    """List the verdicts about a BOOK that readers have changed."""
    from service.usecases.overrulings import listed

    with reading(context, book) as (library, book_id):
        found = listed(library, book_id=book_id, upto=upto)
    if json:
        from service.wire.overrulings import OverrulingOut, OverrulingPage

        items = [OverrulingOut.of(record) for record in found.items]
        output.write_json(OverrulingPage(items=items, next=None, total=found.total))
    elif found.items:
        show(found.items)
    else:
        output.tell("No verdicts have been changed.")


def show(found: tuple[OverrulingRecord, ...]) -> None:
    table = output.table("Fact", "Judge", "Reader", "By", "Comment", "Id")
    for one in found:
        row = (one.fact.text, one.fact.label.value, one.label.value, one.by or "", one.comment or "")
        table.add_row(*map(Text, row), Text(one.fact.id, style="dim"))
    output.out.print(table)
