"""`bookworm reference` and `bookworm references`: reference texts with which answers are compared."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from books.types import count_words
from service.cli import files, output
from service.cli.library import reading
from service.cli.options import Book, JsonFlag, Name, OfOne

if TYPE_CHECKING:
    from service.usecases.references import Kept


def reference(
    context: typer.Context,
    book: Book,
    name: Name,
    text: Annotated[
        Path | None,
        typer.Option("--text", metavar="FILE", exists=True, dir_okay=False, help="Store this text."),
    ] = None,
    source: Annotated[
        str | None, typer.Option("--source", help="Author or source of the text; required with --text.")
    ] = None,
    delete: Annotated[bool, typer.Option("--delete", help="Delete the reference text.")] = False,
    task: Annotated[
        OfOne, typer.Option("--task", help="Which answers to compare with it.")
    ] = OfOne.DESCRIPTION,
    json: JsonFlag = False,
) -> None:
    """Show, store or delete a reference text about a character NAME of a BOOK."""
    from generation.types import Task
    from service.usecases import references

    if delete and text is not None:
        raise typer.BadParameter("--text and --delete cannot be used together.")
    if (text is None) != (source is None):
        raise typer.BadParameter("--text and --source must be used together.")
    of = Task(task)
    given = None if text is None else _read(text)
    with reading(context, book) as (library, book_id):
        if delete:
            gone = references.delete(library, book_id=book_id, key=name, task=of)
            output.tell("Deleted." if gone else "There was no reference text.")
            if json:
                output.write_json({"deleted": gone})
            return
        if given is not None:
            references.put(library, book_id=book_id, key=name, task=of, text=given, source=source or "")
        found = references.get(library, book_id=book_id, key=name, task=of)
    if json:
        from service.wire.references import ReferenceOut

        output.write_json(ReferenceOut.of(found))
    else:
        show(found)


def references(context: typer.Context, book: Book, json: JsonFlag = False) -> None:
    """List the reference texts of a BOOK."""
    from service.usecases.references import listed

    with reading(context, book) as (library, book_id):
        found = listed(library, book_id=book_id)
    if json:
        from service.wire.references import ReferenceOut, ReferencesOut

        output.write_json(ReferencesOut(items=[ReferenceOut.of(one) for one in found]))
    elif found:
        show_all(found)
    else:
        output.tell("There are none. Add one with `bookworm reference BOOK NAME --text FILE --source …`.")


def show(kept: Kept) -> None:
    record = kept.record
    output.out.print(Text(f"{record.name}: {record.task.value}, by {record.source}", style="bold"))
    output.out.print(Text(record.text))


def show_all(found: tuple[Kept, ...]) -> None:
    table = output.table("Name", "Task", "Source", "Words", "Counts", "Id", figures={"Words"})
    for kept in found:
        record = kept.record
        words = f"{count_words(record.text):,}"
        row = (record.name, record.task.value, record.source, words, "yes" if kept.counts else "no")
        table.add_row(*map(Text, row), Text(kept.character or "no character", style="dim"))
    output.out.print(table)


def _read(text: Path) -> str:
    from service.usecases.given_texts import TEXT_MOST

    return files.read_text(text, most=TEXT_MOST)
