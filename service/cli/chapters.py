"""`bookworm chapters`: lists the chapters of a book, corrects them, or restores the original chapters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from service.cli import files, output
from service.cli.library import after_other_jobs, follow, reading
from service.cli.options import Book, JsonFlag, Upto, Wait
from service.cli.read import CHAPTERS_BY, chapter_table
from service.cli.session import Session

if TYPE_CHECKING:
    from books.edits import ChapterMark
    from service.library import Library
    from service.shelf import View
    from service.wire.chapters import ChaptersOut

LABEL = "Reprocessing with these chapters"


def chapters(
    context: typer.Context,
    book: Book,
    set_to: Annotated[
        Path | None,
        typer.Option(
            "--set",
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="Replace the chapters: JSON as written by --json. Only `start` and `title` are used.",
        ),
    ] = None,
    reset: Annotated[bool, typer.Option("--reset", help="Restore the chapters found in the text.")] = False,
    wait: Wait = True,
    upto: Upto = None,
    json: JsonFlag = False,
) -> None:
    """List the chapters of a BOOK, or correct them."""
    if reset and set_to is not None:
        raise typer.BadParameter("--set and --reset exclude each other.")
    session = Session.of(context)
    marks = None if set_to is None else _marks(files.load(set_to, limit=session.settings.max_upload_bytes))
    changing = reset or marks is not None
    with reading(context, book, working=changing and wait) as (library, book_id):
        if changing:
            _correct(library, session, book_id, marks, wait=wait)
        view = library.view(book_id, upto)
        found = _found(view)
    if json:
        output.write_json(found)
    else:
        show(found, language=view.book.language)


def _correct(
    library: Library, session: Session, book_id: str, marks: list[ChapterMark] | None, *, wait: bool
) -> None:
    """Replaces the chapters; None restores those found in the text."""
    from service.usecases import chapters as usecases

    def change() -> usecases.Corrected:
        if marks is None:
            return usecases.forget(library, book_id=book_id)
        return usecases.correct(library, book_id=book_id, marks=marks)

    services = library.services
    done = after_other_jobs(change, services, session, label=LABEL, wait=wait)
    if done.job is None:
        output.tell("The book already has these chapters.")
    elif wait:
        follow(services, done.job, label=LABEL)
    else:
        output.tell(f"Saved. Job {done.job.id} will reprocess the book.")


def _marks(data: bytes) -> list[ChapterMark]:
    from pydantic import ValidationError

    from books.errors import ChaptersInvalid
    from service.wire.chapters import ChaptersIn

    try:
        given = ChaptersIn.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise ChaptersInvalid(
            f"The file of chapters is invalid: {where}: {first['msg']}.",
            remedy='Use {"chapters": [{"start": 0, "title": "…"}, …]}, as written by `--json`.',
        ) from error
    return given.marks()


def _found(view: View) -> ChaptersOut:
    from service.wire.chapters import ChaptersOut

    return ChaptersOut.of(view.book, book_id=view.record.id, words=view.words_by_chapter)


def show(found: ChaptersOut, *, language: str) -> None:
    rows = ((c.number, c.words, c.start, c.title) for c in found.chapters)
    output.out.print(chapter_table(rows, language=language))
    told = f"{len(found.chapters):,}, {CHAPTERS_BY.get(found.by, found.by)}"
    output.out.print(Text(told, style="dim"))
