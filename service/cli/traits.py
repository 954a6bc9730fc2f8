"""`bookworm traits`: the words that the book uses for a character."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from service.cli import output
from service.cli.library import reading
from service.cli.options import Book, JsonFlag, Name, Upto

if TYPE_CHECKING:
    from coref.traits.summary import ToldTrait, TraitSummary
    from coref.types import TraitKind

PLACES = 5
CHAPTERS = 4
"""Maximum number of chapters in a line."""


def traits(
    context: typer.Context,
    book: Book,
    name: Name,
    k: Annotated[int, typer.Option("-k", min=1, max=200, help="Maximum number of words of each kind.")] = 12,
    upto: Upto = None,
    json: JsonFlag = False,
) -> None:
    """Show what a character NAME of a BOOK does, undergoes, is and has, and their relations to others."""
    from service.usecases import traits as usecases
    from service.wire.traits import Most, TraitsOut

    with reading(context, book) as (library, book_id):
        view = library.view(book_id, upto)
        found = usecases.traits(view, name)
        remarks = usecases.remarks_on_traits(view)
    if json:
        told = TraitsOut.of(found, book=view.book, most=Most(k, PLACES), remarks=remarks)
        output.write_json(told)
        return
    names = {c.id: c.name for c in view.annotations.characters}
    lines = list(_page(found, names, k))
    for line in lines:
        output.out.print(line)
    if not lines:
        output.tell(" ".join((f"No traits of {names[found.character]} were found.", *remarks)))


def _page(found: TraitSummary, names: Mapping[str, str], k: int) -> Iterator[Text]:
    parts = (("", found.said), ("Denied", found.denied), ("Possible", found.possible))
    for head, part in parts:
        lines = [_line(kind, things[:k], names) for kind, things in part.items() if things]
        if head and lines:
            yield Text(head, style="bold")
        yield from lines


def _line(kind: TraitKind, things: tuple[ToldTrait, ...], names: Mapping[str, str]) -> Text:
    """`does  refuse ×3 (ch. 1, 4), laugh (ch. 2)`."""
    line = Text(f"{kind.value:<10}", style="dim")
    line.append(", ".join(_told(told, names) for told in things), style="not dim")
    return line


def _told(told: ToldTrait, names: Mapping[str, str]) -> str:
    whose = f" of {names[told.other]}" if told.other else ""
    times = f" ×{told.count}" if told.count > 1 else ""
    more = "…" if len(told.chapters) > CHAPTERS else ""
    chapters = ", ".join(map(str, told.chapters[:CHAPTERS]))
    return f"{told.lemma}{whose}{times} (ch. {chapters}{more})" if chapters else f"{told.lemma}{whose}{times}"
