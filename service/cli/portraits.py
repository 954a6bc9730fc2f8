"""Answers: `describe`, `analyse` and `joint`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.cli import output
from service.cli.library import reading
from service.cli.options import Book, Generator, JsonFlag, Refresh, Retriever, Seed, Upto, Words
from service.cli.session import Session

if TYPE_CHECKING:
    from generation.types import Task
    from service.services import Services
    from service.usecases.portraits import Answer, Wanted

BookAndName = Annotated[
    list[str],
    typer.Argument(
        metavar="[BOOK] NAME", help="Whom; without a BOOK (id or file), whoever in the library fits."
    ),
]


def describe(
    context: typer.Context,
    who: BookAndName,
    upto: Upto = None,
    retriever: Retriever = None,
    generator: Generator = None,
    words: Words = None,
    seed: Seed = 0,
    refresh: Refresh = False,
    json: JsonFlag = False,
) -> None:
    """Say who a character is: about 90 words, every sentence cited, every fact checked."""
    from generation.types import Task
    from service.usecases.portraits import Wanted

    wanted = Wanted(upto, retriever, generator, words, seed, refresh)
    _one(context, who, task=Task.DESCRIPTION, wanted=wanted, json=json)


def analyse(
    context: typer.Context,
    who: BookAndName,
    upto: Upto = None,
    retriever: Retriever = None,
    generator: Generator = None,
    words: Words = None,
    seed: Seed = 0,
    refresh: Refresh = False,
    json: JsonFlag = False,
) -> None:
    """Interpret a character in depth: about 600 words under headings, cited and checked."""
    from generation.types import Task
    from service.usecases.portraits import Wanted

    wanted = Wanted(upto, retriever, generator, words, seed, refresh)
    _one(context, who, task=Task.ANALYSIS, wanted=wanted, json=json)


def joint(
    context: typer.Context,
    book: Book,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Whom; the main characters by default.")
    ] = None,
    upto: Upto = None,
    retriever: Retriever = None,
    generator: Generator = None,
    words: Words = None,
    seed: Seed = 0,
    refresh: Refresh = False,
    json: JsonFlag = False,
) -> None:
    """Describe several characters of a BOOK together."""
    from service.usecases import portraits
    from service.usecases.portraits import Wanted

    wanted = Wanted(upto, retriever, generator, words, seed, refresh)
    library = Session.of(context).library
    with reading(context, book) as (services, book_id):
        answer = portraits.joint(services, library=library, book_id=book_id, names=names or (), wanted=wanted)
        show_answer(services, answer, library=library, as_json=json)


def _one(context: typer.Context, who: list[str], *, task: Task, wanted: Wanted, json: bool) -> None:
    if len(who) == 1 and "/" in who[0]:
        who = who[0].split("/", 1)  # as candidates are told
    if len(who) > 2:
        raise typer.BadParameter("give a BOOK and one NAME; a name of several words goes in quotes.")
    from service.usecases import portraits

    library = Session.of(context).library
    with reading(context, who[0] if len(who) == 2 else None) as (services, book_id):
        answer = portraits.describe_by_name(
            services, library=library, name=who[-1], task=task, book_id=book_id or None, wanted=wanted
        )
        show_answer(services, answer, library=library, as_json=json)


def show_answer(services: Services, answer: Answer, *, library: str, as_json: bool) -> None:
    from service.cli.portrait_view import show_portrait

    if as_json:
        output.write_json(answer_json(services, answer, library=library))
        return
    book = services.shelf.open(answer.book_id, library=library).book
    output.out.print(show_portrait(answer.portrait, book=book))


def answer_json(services: Services, answer: Answer, *, library: str) -> Any:
    """The document that HTTP gives."""
    from service.http.schemas.portraits import PortraitOut

    book = services.shelf.open(answer.book_id, library=library).book
    return PortraitOut.of(answer.portrait, book_id=answer.book_id, book=book).model_dump(mode="json")
