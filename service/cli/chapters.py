"""`bookworm chapters`: look at a book's chapters, correct them, or take the correction back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from service.cli import files, output
from service.cli.library import after_other_jobs, follow, reading
from service.cli.options import Book, JsonFlag, Upto
from service.cli.read import CHAPTERS_BY, chapter_table
from service.cli.session import Session

if TYPE_CHECKING:
    from books.edits import ChapterMark
    from service.library import Library
    from service.shelf import View
    from service.wire.chapters import ChaptersOut

LABEL = "Reading it with these chapters"


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
            help="Correct them: JSON as --json writes it; `start` and `title` of each count.",
        ),
    ] = None,
    reset: Annotated[bool, typer.Option("--reset", help="Back to the chapters that are found.")] = False,
    wait: Annotated[bool, typer.Option(help="Do the work here, or leave it to the workers.")] = True,
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
        found = _found(library.view(book_id, upto))
    if json:
        output.write_json(found.model_dump(mode="json"))
    else:
        show(found)


def _correct(
    library: Library, session: Session, book_id: str, marks: list[ChapterMark] | None, *, wait: bool
) -> None:
    """None: back to those that are found."""
    from service.usecases import chapters as usecases

    def change() -> usecases.Corrected:
        if marks is None:
            return usecases.forget(library, book_id=book_id)
        return usecases.correct(library, book_id=book_id, marks=marks)

    services = library.services
    done = after_other_jobs(change, services, session, label=LABEL, wait=wait)
    if done.job is None:
        output.tell("The chapters are these already.")
    elif wait:
        follow(services, done.job, label=LABEL)
    else:
        output.tell(f"Kept; the job {done.job.id} reads the book so.")


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
            f"The chapters can't be read: {where}: {first['msg']}.",
            remedy='Give {"chapters": [{"start": 0, "title": "…"}, …]}, as `--json` writes it.',
        ) from error
    return given.marks()


def _found(view: View) -> ChaptersOut:
    from service.wire.chapters import ChaptersOut

    return ChaptersOut.of(view.book, book_id=view.record.id, words=view.words_by_chapter)


def show(found: ChaptersOut) -> None:
    rows = ((c.number, c.words, c.start, c.title) for c in found.chapters)
    output.out.print(chapter_table(rows))
    told = f"{len(found.chapters):,}, {CHAPTERS_BY.get(found.by, found.by)}"
    output.out.print(Text(told, style="dim"))
