"""Books: `ingest` and `books`, and what a BOOK argument means."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from books.errors import BookwormError
from service.cli import files, output, progress
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from db.types import BookRecord, JobRecord
    from service.services import Services

POLL = 0.25
"""Seconds between two looks at a job."""
PAGE = 200
NO_BOOK = "Give an id from `bookworm books`, or the path of a file."


class IngestFailed(BookwormError):
    code = "ingest_failed"
    remedy = "Mend what it says, then run the same command again: stages that are done are not done again."


def ingest(
    context: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", exists=True, dir_okay=False, help="A novel as plain text, gzipped or not."
        ),
    ],
    title: Annotated[str | None, typer.Option("--title", help="Instead of what the text says.")] = None,
    author: Annotated[str | None, typer.Option("--author", help="Instead of what the text says.")] = None,
    wait: Annotated[bool, typer.Option(help="Do the work here, or leave it to the workers.")] = True,
    json: JsonFlag = False,
) -> None:
    """Read a FILE into the library: characters, mentions, quotes, index."""
    session = Session.of(context)
    with session.services(jobs_here=wait) as services:
        book = take_in(services, session, file=file, title=title, author=author, wait=wait)
    if json:
        output.write_json(book_json(book))
    else:
        show_books([book])


def books(context: typer.Context, json: JsonFlag = False) -> None:
    """List the library."""
    session = Session.of(context)
    with session.services() as services:
        found = list(all_books(services, library=session.library))
    if json:
        output.write_json([book_json(book) for book in found])
    elif found:
        show_books(found)
    else:
        output.tell("The library is empty: `bookworm ingest FILE` reads a book into it.")


def all_books(services: Services, *, library: str) -> Iterator[BookRecord]:
    from service.usecases import library as usecases

    after: str | None = None
    while page := usecases.list_books(services, library=library, after=after, limit=PAGE):
        yield from page
        after = page[-1].id


def book_json(record: BookRecord) -> Any:
    from service.http.schemas.books import BookOut

    return BookOut.of(record).model_dump(mode="json")


def show_books(records: list[BookRecord]) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("Id", no_wrap=True)
    table.add_column("Title")
    table.add_column("Author")
    table.add_column("Words", justify="right")
    table.add_column("State")
    for record in records:
        words = f"{record.words:,}" if record.words is not None else ""
        title = record.title or record.filename or ""
        table.add_row(record.id, title, record.author or "", words, record.state.value)
    output.out.print(table)


@contextmanager
def reading(context: typer.Context, book: str | None) -> Iterator[tuple[Services, str]]:
    """Services, and the id of the book that BOOK means; a file that is not in the library is read first."""
    from service.errors import BookUnknown

    session = Session.of(context)
    path = Path(book or "").expanduser()
    with session.services(jobs_here=path.is_file()) as services:
        try:
            yield services, take_in(services, session, file=path).id if path.is_file() else book or ""
        except BookUnknown as error:
            raise BookUnknown(f"There is no book and no file called “{book}”.", remedy=NO_BOOK) from error


def take_in(
    services: Services,
    session: Session,
    *,
    file: Path,
    title: str | None = None,
    author: str | None = None,
    wait: bool = True,
) -> BookRecord:
    from service.usecases import library as usecases

    data = files.load(file, limit=session.settings.max_upload_bytes)
    upload = usecases.upload(
        services, library=session.library, data=data, filename=file.name, title=title, author=author
    )
    if wait and upload.job is not None:
        follow(services, upload.job, label=f"Reading {file.name}")
    return usecases.get(services, library=session.library, book_id=upload.book.id)


def follow(services: Services, job: JobRecord, *, label: str) -> None:
    """Until the job ends; Ctrl-C cancels it."""
    from db.types import JobState

    with progress.stages(label) as told:
        try:
            while not job.state.ended:
                told(job.stage, job.progress, job.seconds_left)
                job = services.jobs.wait(job.id, POLL)
        except KeyboardInterrupt:
            services.jobs.cancel(job.id)
            raise
    if job.state is JobState.CANCELLED:
        raise IngestFailed("The job was cancelled.", remedy="Run the same command again to go on.")
    if job.state is JobState.FAILED:
        raise IngestFailed(job.error or "The job failed.")
