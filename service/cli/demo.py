"""`bookworm demo`: processes the bundled novella, describes its main character and lists its people."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

import typer
from rich.rule import Rule
from rich.text import Text

from service.cli import output
from service.cli.answers import answer_out
from service.cli.characters import cast_out, show_cast
from service.cli.library import book_out, take_in
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from db.types import BookRecord
    from service.library import Library
    from service.usecases.answers import Answer

SHOWN = 12
"""Number of characters listed."""
READ = 5
"""Number of chapters that whoever is described next is known in."""


def demo(context: typer.Context, json: JsonFlag = False) -> None:
    """Process the bundled novella, describe its main character and list its people."""
    from evaluation import novella
    from service.cli.answer_view import show_text
    from service.library import Library
    from service.usecases import characters

    session = Session.of(context)
    with session.services(jobs_here=True) as services:
        book = take_in(services, session, file=novella.path()).book
        library = Library(services, session.library)
        cast = characters.cast(library.view(book.id))
        main = cast[0].character.id
        answer = described(library, book_id=book.id, name=main)
        if json:
            output.write_json(as_json(library, book=book, answer=answer))
            return
        output.out.print(Rule(Text(f"Who is {cast[0].character.name}?", style="bold")))
        output.out.print(show_text(answer.portrait))
        read = chapters_before_the_end_of(answer)
        so_far = "1 chapter" if read == 1 else f"{read} chapters"
        output.out.print(Rule(Text(f"The same after {so_far}, without spoilers", style="bold")))
        gated = described(library, book_id=book.id, name=main, upto=str(read))
        output.out.print(show_text(gated.portrait))
        output.out.print(Rule(Text(f"{book.title}, {book.words or 0:,} words", style="bold")))
        show_cast(cast[:SHOWN], who=said_to_be(library, book.id))
        met = characters.cast(library.view(book.id, str(READ)))
        next_steps(session, book.id, cast[0].character.name, met[min(1, len(met) - 1)].character.name)


def chapters_before_the_end_of(answer: Answer) -> int:
    """Return after how many chapters a reader does not know all of an answer yet, if it has several."""
    cited = (place.chapter for sentence in answer.portrait.sentences for place in sentence.citations)
    return max((1, *cited))


def described(library: Library, *, book_id: str, name: str, upto: str | None = None) -> Answer:
    from generation.types import Task
    from service.default_generator import ChoiceReason
    from service.usecases import answers
    from service.usecases.answer_request import Wanted

    services, view = library.services, library.view(book_id, upto)
    # A model that happens to run here is told of below, and not waited for.
    here = services.engines.default.reason is ChoiceReason.FOUND
    wanted = Wanted(upto=upto, generator=answers.FALLBACK if here else None)
    asked = answers.ask(services, view, task=Task.DESCRIPTION, names=[name], wanted=wanted)
    return answers.answer(services, asked)


def said_to_be(library: Library, book_id: str) -> dict[str, str]:
    from service.usecases.profiles import who_lines

    return {person.id: line.text for person, line in who_lines(library.view(book_id), SHOWN)}


def as_json(library: Library, *, book: BookRecord, answer: Answer) -> dict[str, Any]:
    return {
        "book": book_out(book, outdated=book.id in library.services.jobs.outdated([book])),
        "characters": cast_out(library.view(book.id)),
        "description": answer_out(library, answer),
    }


def _model_nearby() -> str | None:
    """Return a language model that runs on this machine."""
    from generation.models.openai.local_servers import find_models

    return next((model.name for model in find_models()), None)


def next_steps(session: Session, book_id: str, main: str, someone: str) -> None:
    folder = "" if session.data_dir is None else f" --data-dir {session.data_dir}"
    bookworm = "bookworm" if shutil.which("bookworm") else os.path.relpath(sys.argv[0])
    settings, near = session.settings, _model_nearby()
    output.out.print(Rule(Text("Next steps", style="bold")))
    for words, command in (
        ("The facts of the description, checked:", f'{bookworm}{folder} describe {book_id} "{main}"'),
        (
            f"Another character, up to chapter {READ}:",
            f'{bookworm}{folder} describe {book_id} "{someone}" --upto {READ}',
        ),
        ("Your own book:", f"{bookworm}{folder} ingest novel.txt"),
        *(
            (
                (
                    "By a language model that was found here:",
                    f'{bookworm}{folder} describe {book_id} "{main}" --model {near}',
                ),
            )
            if near
            else ()
        ),
        ("The service:", f"{bookworm}{folder} serve"),
        ("and then:", f"curl http://{settings.host}:{settings.port}/v1/books/{book_id}/characters"),
    ):
        output.out.print(Text(f"{words:<42}", style="dim").append(command, style="bold"), soft_wrap=True)
