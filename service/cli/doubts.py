"""`bookworm doubts`: lists possible duplicates and doubtful people, and applies what a reader decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from service.cli import output
from service.cli.library import reading
from service.cli.options import Book, JsonFlag, Upto

if TYPE_CHECKING:
    from service.library import Library
    from service.usecases.doubts import Question

ALIASES = 4
"""Maximum number of aliases in a table cell."""


def doubts(
    context: typer.Context,
    book: Book,
    merge: Annotated[
        tuple[str, str] | None,
        typer.Option("--merge", metavar="ONE OTHER", help="They are one person: names or ids."),
    ] = None,
    dismiss: Annotated[
        tuple[str, str] | None,
        typer.Option("--dismiss", metavar="ONE OTHER", help="They are different people: do not ask again."),
    ] = None,
    revealed: Annotated[
        int | None,
        typer.Option(
            "--revealed",
            min=1,
            metavar="CHAPTER",
            help="The chapter that reveals that the two merged are one. Before its end they stay two.",
        ),
    ] = None,
    upto: Upto = None,
    give_back: Annotated[
        str | None,
        typer.Option("--give-back", metavar="NAME", help="Let a doubtful person's pronouns mean nobody."),
    ] = None,
    confirm: Annotated[
        str | None,
        typer.Option("--confirm", metavar="NAME", help="A doubtful person is one person: do not ask again."),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """List possible duplicates and doubtful people of a BOOK; merge, dismiss or correct them."""
    from service.usecases.doubts import person_questions, questions

    if sum(given is not None for given in (merge, dismiss, give_back, confirm)) > 1:
        raise typer.BadParameter("--merge, --dismiss, --give-back and --confirm cannot be used together.")
    if revealed is not None and merge is None:
        raise typer.BadParameter("--revealed is of a --merge.")
    with reading(context, book) as (library, book_id):
        pair = merge or dismiss
        if pair is not None:
            _settle(library, pair, book_id=book_id, upto=upto, one=merge is not None, revealed=revealed)
        if name := give_back or confirm:
            _settle_person(library, name, book_id=book_id, upto=upto, one=confirm is not None)
        view = library.view(book_id, upto)
        found, people = questions(view), person_questions(view)
    if json:
        from service.wire.doubts import DoubtsOut

        output.write_json(DoubtsOut.of(found, people))
        return
    if found:
        show_doubts(found)
    else:
        output.tell("There are no possible duplicates.")
    for question in people:
        output.out.print(Text(f"Is {question.character.name} really one person? {question.doubtful.told}"))


def _settle(
    library: Library,
    pair: tuple[str, str],
    *,
    book_id: str,
    upto: str | None,
    one: bool,
    revealed: int | None,
) -> None:
    from coref.decisions.types import Decision, DecisionKind
    from service import spoiler_gate
    from service.usecases.characters import met
    from service.usecases.decisions import decide

    view = library.view(book_id, upto)
    first, second = sorted((met(view, key) for key in pair), key=lambda c: -c.mention_count)
    kind = DecisionKind.MERGE if one else DecisionKind.DISMISS
    spans = (spoiler_gate.chapter(library.view(book_id), revealed).span,) if revealed else ()
    wanted = Decision(0, kind, character=first.id, other=second.id, spans=spans)
    decision = decide(library, book_id=book_id, wanted=wanted)
    names = f"{first.name} and {second.name}"
    output.tell(f"{names}: {'same person' if one else 'different people'}, correction {decision.number}.")


def _settle_person(library: Library, name: str, *, book_id: str, upto: str | None, one: bool) -> None:
    from coref.decisions.types import Decision, DecisionKind
    from service.usecases.characters import met
    from service.usecases.decisions import decide
    from service.usecases.doubts import person_questions

    view = library.view(book_id, upto)
    who = met(view, name)
    question = next((q for q in person_questions(view) if q.character.id == who.id), None)
    if question is None:
        raise typer.BadParameter(f"{who.name} is not among the doubtful people of this book.")
    wanted = Decision(0, DecisionKind.DISMISS, character=who.id) if one else question.give_back
    decision = decide(library, book_id=book_id, wanted=wanted)
    done = "one person" if one else f"{question.doubtful.pronouns} pronouns mean nobody now"
    output.tell(f"{who.name}: {done}, correction {decision.number}.")


def show_doubts(found: Sequence[Question]) -> None:
    figures = ("Likelihood", "Mentions", "Chapter")
    table = output.table("Person 1", "Person 2", *figures, "Evidence", figures=figures)
    for question in found:
        names = (_names([a.text for a in c.aliases]) for c in (question.one, question.other))
        likely = "" if question.doubt.confidence is None else f"{question.doubt.confidence:.0%}"
        moved = f"{question.impact:,}"
        chapter = str(question.at.chapter) if question.at and question.at.chapter else ""
        table.add_row(*map(Text, names), likely, moved, chapter, Text(question.doubt.evidence))
    output.out.print(table)


def _names(names: Sequence[str]) -> str:
    more = "" if len(names) <= ALIASES else f" and {len(names) - ALIASES} more"
    return ", ".join(names[:ALIASES]) + more
