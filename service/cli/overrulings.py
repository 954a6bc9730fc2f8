"""`bookworm overrule` and `bookworm overrulings`: a reader's word against the judge's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from generation.types import Label
from service.cli import output
from service.cli.library import reading
from service.cli.options import Book, JsonFlag, Upto

if TYPE_CHECKING:
    from db.types import OverrulingRecord
    from service.usecases.overrulings import Listed


def overrule(
    context: typer.Context,
    book: Book,
    fact: Annotated[str, typer.Argument(metavar="FACT", help="Its id: it stands under the category.")],
    label: Annotated[Label | None, typer.Argument(metavar="[LABEL]", help="What is so.")] = None,
    comment: Annotated[str | None, typer.Option("--comment", help="Why.")] = None,
    delete: Annotated[bool, typer.Option("--delete", help="Let the judge's verdict count again.")] = False,
    json: JsonFlag = False,
) -> None:
    """Say yourself whether a FACT of an answer about a BOOK is so; it counts wherever it is claimed again."""
    from service.usecases import overrulings as usecases

    if delete == (label is not None):
        raise typer.BadParameter("give a LABEL or --delete.")
    with reading(context, book) as (library, book_id):
        if label is None:
            gone = usecases.restore(library, book_id=book_id, fact_id=fact)
            output.tell("The judge's verdict counts again." if gone else "Nobody had overruled it.")
            if json:
                output.write_json({"deleted": gone})
            return
        kept = usecases.overrule(library, book_id=book_id, fact_id=fact, label=label, comment=comment)
    if json:
        from service.wire.overrulings import OverrulingOut

        output.write_json(OverrulingOut.of(kept).model_dump(mode="json"))
    else:
        output.out.print(Text(f"“{kept.fact.text}” counts as {kept.label.value}."))


def overrulings(context: typer.Context, book: Book, upto: Upto = None, json: JsonFlag = False) -> None:
    """List what readers of a BOOK said against the judge."""
    from service.usecases.overrulings import listed

    with reading(context, book) as (library, book_id):
        found = listed(library, book_id=book_id, upto=upto)
    if json:
        output.write_json(_page(found))
    elif found.items:
        show(found.items)
    else:
        output.tell("Nobody has overruled a verdict.")


def show(found: tuple[OverrulingRecord, ...]) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for column in ("Fact", "Judged", "Counts as", "By", "Comment", "Id"):
        table.add_column(column)
    for one in found:
        row = (one.fact.text, one.fact.label.value, one.label.value, one.by or "", one.comment or "")
        table.add_row(*map(Text, row), Text(one.fact.id, style="dim"))
    output.out.print(table)


def _page(found: Listed) -> object:
    from service.wire.overrulings import OverrulingOut, OverrulingPage

    items = [OverrulingOut.of(record) for record in found.items]
    return OverrulingPage(items=items, next=None, total=found.total).model_dump(mode="json")
