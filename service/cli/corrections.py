"""`bookworm corrections`: lists what readers have corrected about the characters, and undoes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from service.cli import output
from service.cli.library import meant, reading
from service.cli.options import Book, JsonFlag

if TYPE_CHECKING:
    from service.usecases.decisions import Logged


def corrections(
    context: typer.Context,
    book: Book,
    undo: Annotated[
        int | None,
        typer.Option("--undo", min=1, metavar="NUMBER", help="Undo a correction, or an undoing of one."),
    ] = None,
    copy_from: Annotated[
        str | None,
        typer.Option(
            "--copy-from", metavar="BOOK", help="Make the corrections of another draft in this one."
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """List the corrections of the characters of a BOOK, undo one, or copy those of another draft."""
    from coref.decisions.types import Decision, DecisionKind
    from service.usecases import copied_decisions, decisions

    with reading(context, book) as (library, book_id):
        if undo is not None:
            decisions.decide(library, book_id=book_id, wanted=Decision(0, DecisionKind.UNDO, undoes=undo))
        if copy_from is not None:
            source = meant(library, copy_from)
            for left in copied_decisions.copy(library, book_id=book_id, source=source):
                output.warn(f"Not copied: {_told(left.entry)}. {left.reason}")
        found = decisions.logged(library, book_id=book_id)
    if json:
        from service.wire.decisions import DecisionsOut, LoggedOut

        output.write_json(DecisionsOut(items=[LoggedOut.of_entry(entry) for entry in found]))
    elif found:
        show(found)
    else:
        output.tell("There are no corrections.")


def _told(entry: Logged) -> str:
    made = entry.decision
    people = (entry.character or made.character, entry.other or made.other, made.name)
    return f"correction {made.number}, {made.kind.value} {', '.join(filter(None, people))}"


def show(found: Sequence[Logged]) -> None:
    headings = ("No.", "Kind", "Character", "Other", "Name", "Words", "Chapter", "Status")
    table = output.table(*headings, figures={"No."})
    for entry in found:
        made = entry.decision
        kind = f"{made.kind.value} {made.undoes or ''}".rstrip()
        people = (entry.character or made.character or "", entry.other or made.other or "")
        words = ", ".join(made.aliases) or (entry.at.words if entry.at else "")
        chapter = str(entry.at.chapter or "") if entry.at else ""
        status = "undone" if entry.undone else "" if entry.in_effect else "no effect"
        table.add_row(str(made.number), *map(Text, (kind, *people, made.name or "", words, chapter, status)))
    output.out.print(table)
