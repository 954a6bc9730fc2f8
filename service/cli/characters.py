"""`bookworm characters`: lists the characters of a book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from service.cli import output
from service.cli.library import reading
from service.cli.options import Book, JsonFlag, Upto

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from service.shelf import View
    from service.usecases.characters import Presence
    from service.wire.characters import CastOut

ALIASES = 3
"""Maximum number of aliases in a table cell."""
WHO = 30
"""Number of characters with a line that says who they are."""
ROOM_FOR_IDS = 110
ROOM_FOR_PRONOUNS = 75
"""Widths of the terminal from which a column is shown."""


def characters(
    context: typer.Context,
    book: Book,
    why: Annotated[
        bool, typer.Option("--why", help="Show the evidence for merging names into one character.")
    ] = False,
    upto: Upto = None,
    json: JsonFlag = False,
) -> None:
    """List the characters of a BOOK, most mentioned first.

    A narrow terminal shows no ids, which --json has.
    """
    from service.usecases.characters import cast
    from service.usecases.profiles import who_lines

    with reading(context, book) as (library, book_id):
        view = library.view(book_id, upto)
        if json:
            output.write_json(cast_out(view))
        else:
            found = cast(view)
            if not found:
                output.tell(
                    "No characters were found." if upto is None else "No characters were found so far."
                )
                return
            show_cast(found, who={person.id: line.text for person, line in who_lines(view, WHO)})
            if why:
                show_merges(found)


def cast_out(view: View) -> CastOut:
    from service.usecases.characters import cast
    from service.wire.characters import CastOut, CharacterOut

    said = view.annotations
    items = [CharacterOut.of(presence) for presence in cast(view)]
    return CastOut(book=view.record.id, items=items, narrator=said.narrator, resolver=said.resolver)


def show_cast(cast: Iterable[Presence], *, who: Mapping[str, str]) -> None:
    """Show the characters as a table. `who`: the line that says who somebody is, by id."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", expand=True)
    pronouns, ids = output.out.width >= ROOM_FOR_PRONOUNS, output.out.width >= ROOM_FOR_IDS
    table.add_column("Name", max_width=output.out.width // 4)
    table.add_column("Mentions", justify="right", no_wrap=True)
    table.add_column("First", justify="right", no_wrap=True)
    if pronouns:
        table.add_column("Pronouns", no_wrap=True)
    table.add_column("Who they are, and names", ratio=1, min_width=20)
    if ids:
        table.add_column("Id", style="dim", no_wrap=True)
    for met in cast:
        c = met.character
        kind = "" if c.kind.value == "person" else f" ({c.kind.value})"
        others = [a.text for a in c.aliases if a.text != c.name]
        more = "" if len(others) <= ALIASES else f" and {len(others) - ALIASES} more"
        called = ", ".join(others[:ALIASES]) + more
        first = f"ch. {met.first_chapter}"
        doubtful = f"This may not be one person. {met.doubtful.told}" if met.doubtful else ""
        lines = (Text(doubtful, style="yellow"), Text(who.get(c.id, "")), Text(called, style="dim"))
        told = Text("\n").join(line for line in lines if line)
        row: list[str | Text] = [Text(c.name + kind), str(c.mention_count), first]
        row += [c.pronouns or ""] * pronouns + [told] + [c.id] * ids
        table.add_row(*row)
    output.out.print(table)


def show_merges(cast: Iterable[Presence]) -> None:
    merges = [(met.character.name, merge) for met in cast for merge in met.merges]
    for name, merge in merges:
        told = f"{name}: “{merge.name}” is “{merge.other}” ({merge.confidence:.0%}): {merge.evidence}"
        output.out.print(Text(told))
    if not merges:
        output.tell("No names were merged.")
