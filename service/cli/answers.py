"""Commands that generate answers: `describe`, `analyse`, `joint` and `ask`."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.text import Text

from service.cli import output
from service.cli.answer_options import Asked, asking
from service.cli.library import meant, reading
from service.cli.models import write_with
from service.cli.options import Book, OfOne

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from generation.protocols import Generator
    from generation.types import Task
    from service.library import Library
    from service.services import Services
    from service.shelf import View
    from service.usecases.answers import Answer, Estimate
    from service.usecases.library_questions import BookAnswer
    from service.wire.answers import PortraitOut

EVERY_BOOK: Final = "all"
BookAndName = Annotated[
    list[str],
    typer.Argument(
        metavar="[BOOK] NAME",
        help="The character, and the id or file of the book. Without BOOK the whole library is searched.",
    ),
]


@asking
def describe(
    context: typer.Context,
    who: BookAndName,
    task: Annotated[
        OfOne, typer.Option("--task", help="A description of about 90 words, or an analysis of about 600.")
    ] = OfOne.DESCRIPTION,
    *,
    asked: Asked,
) -> None:
    """Describe a character in about 90 words. Every sentence is cited and every fact is checked."""
    from generation.types import Task

    _one(context, who, Task(task), asked)


@asking
def analyse(context: typer.Context, who: BookAndName, *, asked: Asked) -> None:
    """Analyse a character in about 600 words under headings, with citations and checked facts."""
    from generation.types import Task

    _one(context, who, Task.ANALYSIS, asked)


@asking
def joint(
    context: typer.Context,
    book: Book,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Characters. The default is the main characters."),
    ] = None,
    *,
    asked: Asked,
) -> None:
    """Describe several characters of a BOOK together."""
    from generation.types import Task
    from service.usecases import answers

    answers.check_number(names or ())
    write_with(context, asked.model)
    with reading(context, book, check=writer_of(asked)) as (library, book_id):
        reply(library, book_id, Task.JOINT, names or (), asked)


@asking
def ask(
    context: typer.Context,
    book: Book,
    question: Annotated[str, typer.Argument(help="The question, in quotes.")],
    people: Annotated[
        list[str] | None,
        typer.Option("--about", metavar="NAME", help="Whom the question means, if it does not name them."),
    ] = None,
    books: Annotated[
        list[str] | None,
        typer.Option("--book", metavar="BOOK", help="With `all`: ask only this one and others given so."),
    ] = None,
    upto: Annotated[
        list[str] | None,
        typer.Option(
            "--upto",
            metavar="PLACE",
            help="How far you have read: a chapter (`5`) or a paragraph (`p:120`); with `all` BOOK=PLACE.",
        ),
    ] = None,
    *,
    asked: Asked,
) -> None:
    """Ask a BOOK a question, or `all` of them. The answer is cited, or says that there is none.

    With `all`, each answer is shown when it is ready, and --book and --upto can be given several times.
    """
    from generation.types import Task
    from service.usecases.questions import QUESTION_MOST

    if not any(map(str.isalnum, question)):
        raise typer.BadParameter("ask something.", param_hint="QUESTION")
    if len(question) > QUESTION_MOST:
        raise typer.BadParameter(
            f"it has {len(question):,} characters. The limit is {QUESTION_MOST}.", param_hint="QUESTION"
        )
    write_with(context, asked.model)
    if book == EVERY_BOOK:
        if people:
            raise typer.BadParameter("--about is for one book.")
        _ask_all(context, question, books or (), upto or (), asked)
        return
    if books or len(upto or ()) > 1:
        raise typer.BadParameter("--book, and --upto more than once, are for `all`.")
    asked = replace(asked, wanted=replace(asked.wanted, question=question, upto=upto[0] if upto else None))
    with reading(context, book, check=writer_of(asked)) as (library, book_id):
        reply(library, book_id, Task.QUESTION, people or (), asked)


def _one(context: typer.Context, who: list[str], task: Task, asked: Asked) -> None:
    if len(who) == 1 and "/" in who[0]:
        who = who[0].split("/", 1)  # the form in which candidates are listed
    if len(who) > 2:
        raise typer.BadParameter("give a BOOK and one NAME. Put quotes around a name of several words.")
    from service.usecases import name_lookup

    name = who[-1]
    write_with(context, asked.model)
    with reading(context, who[0] if len(who) == 2 else None, check=writer_of(asked)) as (library, book_id):
        if not book_id:
            book_id, name = name_lookup.only_one(library, name=name, upto=asked.wanted.upto)
        reply(library, book_id, task, [name], asked)


def _ask_all(
    context: typer.Context, question: str, books: Sequence[str], upto: Sequence[str], asked: Asked
) -> None:
    from service.usecases.library_questions import (
        LibraryEstimate,
        ask_books,
        choose_books,
        estimate_books,
    )
    from service.wire.questions import LibraryAnswersOut, LibraryPlanOut

    read = [place.rpartition("=") for place in upto]
    if not all(book for book, _, _ in read):
        raise typer.BadParameter("With `all`, give BOOK=PLACE, such as bk_1k190wj5=5.", param_hint="--upto")
    audience = Onlooker() if asked.stream else None
    numbers = count(1)

    def tell(each: BookAnswer) -> None:
        if audience is not None:
            audience.end()
        if each.answered:
            _show_in_turn(each, asked, number=next(numbers))

    with reading(context, None, check=writer_of(asked)) as (library, _):
        which = [meant(library, book) for book in books]
        gates = {meant(library, book): place for book, _, place in read}
        chosen = choose_books(library, question, books=which, upto=gates)
        found = (
            estimate_books(library, chosen, asked.wanted)
            if asked.dry_run
            else ask_books(library, chosen, asked.wanted, audience=audience, tell=tell)
        )
    if asked.json:
        output.write_json(
            LibraryPlanOut.of(found) if isinstance(found, LibraryEstimate) else LibraryAnswersOut.of(found)
        )
        return
    if isinstance(found, LibraryEstimate):
        for estimate in found.estimates:
            output.out.print(Text(estimate.asked.view.book.title, style="bold"))
            show_estimate(estimate, as_json=False)
    for skipped in found.skipped:
        output.warn(f"Not asked: {skipped.record.title or skipped.record.id}. {skipped.why}")
    if found.silent:
        output.tell(f"Books that do not say: {len(found.silent)}.")


def _show_in_turn(each: BookAnswer, asked: Asked, *, number: int) -> None:
    from service.cli.answer_view import show_portrait

    if asked.markdown:
        _write_markdown(each.answer, each.view, prefix=f"{number}-", end="\n")
    elif not asked.json:
        output.out.print(Text(each.answer.book_title, style="bold"))
        output.out.print(show_portrait(each.answer.portrait, book=each.view.book), end="\n\n")


def writer_of(asked: Asked) -> Callable[[Services], Generator]:
    """Raises before a book is processed if the generator is not available."""
    return lambda services: services.engines.generator(asked.wanted.generator)


def reply(library: Library, book_id: str, task: Task, names: Sequence[str], asked: Asked) -> None:
    from service.usecases import answers

    services, view = library.services, library.view(book_id, asked.wanted.upto)
    request = answers.ask(services, view, task=task, names=names, wanted=asked.wanted)
    if asked.dry_run:
        show_estimate(answers.estimate(services, request), as_json=asked.json)
        return
    audience = Onlooker() if asked.stream else None
    answer = answers.answer(services, request, audience=audience)
    if audience is not None:
        audience.end()
    show_answer(library, answer, asked)


class Onlooker:
    """Shows an answer on the terminal while it is generated."""

    def __init__(self) -> None:
        self._thinks = False

    def hear(self, piece: str) -> None:
        output.err.print(piece, end="", soft_wrap=True)

    def again(self, reason: str) -> None:
        self.end()
        output.warn(f"Starting again: {reason}")

    def think(self) -> None:
        if not self._thinks:
            self._thinks = True
            output.tell("The model thinks before it answers.")

    def advance(self, done: int, parts: int) -> None:
        output.tell(f"{done} of {parts} texts on parts of the book are written.")

    def gone(self) -> bool:
        return False

    def end(self) -> None:
        output.err.print()


def show_estimate(estimate: Estimate, *, as_json: bool) -> None:
    from service.cli.answer_view import estimate_lines

    if as_json:
        from service.wire.answers import PlanOut

        output.write_json(PlanOut.of(estimate))
        return
    for line in estimate_lines(estimate):
        output.out.print(line)


def show_answer(library: Library, answer: Answer, asked: Asked) -> None:
    from service.cli.answer_view import show_portrait

    if asked.json:
        output.write_json(answer_out(library, answer))
        return
    if asked.markdown:
        _write_markdown(answer, _view(library, answer))
        return
    book = library.open(answer.book_id).book
    output.out.print(show_portrait(answer.portrait, book=book))


def _write_markdown(answer: Answer, view: View, *, prefix: str = "", end: str = "") -> None:
    from service.cli.answer_view import note_lines
    from service.wire.markdown import answer_markdown

    output.write_text(answer_markdown(answer.portrait, view=view, prefix=prefix) + end)
    for line in note_lines(answer.portrait):
        output.tell(line)


def answer_out(library: Library, answer: Answer) -> PortraitOut:
    """The same document as in the HTTP API."""
    from service.wire.answers import PortraitOut

    return PortraitOut.of(answer.portrait, view=_view(library, answer))


def _view(library: Library, answer: Answer) -> View:
    """What the answer was made from."""
    return library.open(answer.book_id).view(answer.portrait.provenance.upto)
