"""The commands `ingest`, `books`, `reprocess` and `delete`, and the meaning of a BOOK argument."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from books.errors import BookwormError
from service.cli import files, output, progress
from service.cli.exits import Exit
from service.cli.options import Author, Encoding, JsonFlag, Novel, Title, Wait
from service.cli.session import Session

if TYPE_CHECKING:
    from db.types import BookRecord, JobRecord
    from service.errors import BookUnknown
    from service.library import Library
    from service.services import Services
    from service.usecases.books import Upload
    from service.usecases.reading_orders import Given
    from service.wire.books import BookOut, BookPage

POLL = 0.25
"""Seconds between two checks of a job."""
CONTINUE = "Run the same command again to continue."
NO_BOOK = "Use an id or a title from `bookworm books`, or the path of a file."
SHORTEST_ID = 6
"""Minimum number of characters of a shortened id."""


class Again(Exception):
    """A damaged book was repaired. The command must be run again from the start."""

    def __init__(self, stood_in_the_way: BookwormError) -> None:
        super().__init__(str(stood_in_the_way))
        self.stood_in_the_way = stood_in_the_way


class IngestFailed(BookwormError):
    code = "ingest_failed"
    remedy = "Fix the problem, then run the same command again. Completed stages are not repeated."


def ingest(
    context: typer.Context,
    file: Novel,
    title: Title = None,
    author: Author = None,
    encoding: Encoding = None,
    force: Annotated[
        bool | None, typer.Option(help="Process the book although its language is not supported.")
    ] = None,
    wait: Wait = True,
    json: JsonFlag = False,
) -> None:
    """Add a FILE to the library: find its characters, mentions and quotes, and build its index.

    The options are stored with the book. The same file with other options is processed again.
    `--encoding auto` detects the encoding again.
    """
    from service.usecases.reading_orders import Given

    session = Session.of(context)
    given = Given(title, author, encoding, force)
    with session.services(jobs_here=wait) as services:
        taken = take_in(services, session, file=file, given=given, wait=wait)
        book = taken.book
        outdated = services.jobs.outdated([book])
    if json:
        from service.wire.books import UploadOut
        from service.wire.jobs import JobOut

        job = JobOut.of(taken.job, candid=True) if taken.job else None
        output.write_json(
            UploadOut(book=book_out(book, outdated=book.id in outdated), job=job, created=taken.created)
        )
    else:
        show_books([book], outdated)
        tell_warnings(book)


def books(context: typer.Context, json: JsonFlag = False) -> None:
    """List the books in the library."""
    from service.library import Library

    session = Session.of(context)
    with session.services() as services:
        found = list(Library(services, session.library).every_book())
        outdated = services.jobs.outdated(found)
    if json:
        output.write_json(page_of(found, outdated))
    elif found:
        show_books(found, outdated)
        if outdated:
            output.tell("This version may read the outdated ones better: run `bookworm reprocess --all`.")
    else:
        output.tell("The library is empty. Add a book with `bookworm ingest FILE`.")


def reprocess(
    context: typer.Context,
    book: Annotated[
        list[str] | None, typer.Argument(metavar="BOOK…", help="Ids or titles of books.", show_default=False)
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All books of the library.")] = False,
    wait: Wait = True,
    json: JsonFlag = False,
) -> None:
    """Process each BOOK again, as after an upgrade. Corrections stay.

    Stages whose engines are still the same are not repeated.
    """
    from service.library import Library
    from service.usecases import books as usecases

    if bool(book) == every:
        raise typer.BadParameter("Name books, or pass --all.")
    session = Session.of(context)
    with session.services(jobs_here=wait) as services:
        library = Library(services, session.library)
        named = [library.book(meant(library, name)) for name in book or ()]
        records = list(library.every_book()) if every else named
        found, failed = [], False
        for record in records:
            label = f"Processing {shown_title(record)}"
            again = partial(usecases.reprocess, library, book_id=record.id)
            try:
                job = after_other_jobs(again, services, session, label=label, wait=wait)
                if wait:
                    follow(services, job, label=label)
                found.append(library.book(record.id))
            except BookwormError as error:
                if len(records) == 1:
                    raise
                failed = True
                told = error.wording(candid=True)
                output.warn(f"{label}: {told.detail} {told.remedy}")
        outdated = services.jobs.outdated(found)
    if json:
        output.write_json(page_of(found, outdated))
    else:
        show_books(found, outdated)
    if failed:
        raise typer.Exit(Exit.ERROR)


def delete(
    context: typer.Context,
    book: Annotated[str, typer.Argument(metavar="BOOK", help="Id or title of a book.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
    json: JsonFlag = False,
) -> None:
    """Delete a BOOK and everything made from it. A running job of the book stops."""
    from service.usecases import books as usecases

    with reading(context, book, files_too=False) as (library, book_id):
        name = shown_title(library.book(book_id))
        if not (yes or output.at_terminal()):
            raise typer.BadParameter("Without a terminal, pass --yes to delete the book.")
        told = f"Delete “{name}” ({book_id}), its people, generated texts and corrections?"
        if not (yes or typer.confirm(output.harmless(told), err=True)):
            output.tell("Nothing was deleted.")
            raise typer.Exit(Exit.ERROR)
        usecases.delete(library, book_id=book_id)
    if json:
        output.write_json({"deleted": book_id})
    else:
        output.tell(f"“{name}” was deleted.")


def book_out(record: BookRecord, *, outdated: bool) -> BookOut:
    from service.wire.books import BookOut

    return BookOut.of(record, outdated=outdated)


def page_of(records: list[BookRecord], outdated: Collection[str]) -> BookPage:
    from service.wire.books import BookPage

    return BookPage(items=[book_out(each, outdated=each.id in outdated) for each in records], next=None)


def show_books(records: list[BookRecord], outdated: Collection[str]) -> None:
    from books.languages import unit_of

    table = output.table("Id", "Title", "Author", "Length", "Status", "File", figures={"Length"})
    table.columns[0].no_wrap = True
    for record in records:
        length = "" if record.words is None else f"{record.words:,} {unit_of(record.language)}"
        status = record.state.value + (", outdated" if record.id in outdated else "")
        table.add_row(
            record.id, shown_title(record), record.author or "", length, status, record.filename or ""
        )
    output.out.print(table)


def shown_title(record: BookRecord) -> str:
    return record.title or record.filename or ""


def tell_warnings(record: BookRecord) -> None:
    for warning in (record.report or {}).get("warnings", ()):
        output.warn(warning)


@contextmanager
def reading(
    context: typer.Context,
    book: str | None,
    *,
    working: bool = False,
    files_too: bool = True,
    check: Callable[[Services], object] | None = None,
) -> Iterator[tuple[Library, str]]:
    """The library, and the id of the book that BOOK means; a file that is not in the library is read first.

    `working`: the command will want a job done here. `files_too`: BOOK may be a file. `check` raises what
    would make reading a file vain.
    """
    from retrieval.errors import IndexStale
    from service.library import Library

    session = Session.of(context)
    file = file_of(book) if files_too else None
    with session.services(jobs_here=working or file is not None) as services:
        library = Library(services, session.library)
        if check is not None:
            check(services)
        found = (
            take_in(services, session, file=file).book.id
            if file
            else meant(library, book, files_too=files_too)
        )
        try:
            yield library, found
        except IndexStale as unsound:
            if unsound.job is None:
                raise
            mend_here(services, session, unsound, job_id=unsound.job)
            raise Again(unsound) from unsound


def file_of(book: str | None) -> Path | None:
    """The file that BOOK means, if it is not a book of the library."""
    path = Path(book or "").expanduser()
    return path if path.is_file() else None


def meant(library: Library, book: str | None, *, files_too: bool = False) -> str:
    """The id of the book with this id, or of the only one with this title, file, or beginning of an id."""
    from service.errors import BookUnknown

    if not book:
        return ""
    try:
        return library.book(book).id
    except BookUnknown:
        found = _bearing(list(library.every_book()), book)
        if len(found) != 1:
            raise _unknown(library, book, files_too=files_too) from None
        return found[0].id


def _bearing(records: list[BookRecord], book: str) -> list[BookRecord]:
    shortened, wanted = len(book) >= SHORTEST_ID, book.casefold()
    return [
        r
        for r in records
        if (shortened and r.id.startswith(book)) or wanted in (_key(r), (r.filename or "").casefold())
    ]


def _unknown(library: Library, book: str, *, files_too: bool) -> BookUnknown:
    """No book of the library is meant, or several are, such as two drafts with one title."""
    from service.errors import BookUnknown

    records = list(library.every_book())
    several = _bearing(records, book)
    if len(several) > 1:
        each = "; ".join(f"{r.id} ({r.filename}, added {r.created:%Y-%m-%d %H:%M})" for r in several)
        detail = f"{len(several)} books match “{book}”: {each}."
        return BookUnknown(detail, remedy="Use the id of the one that you mean.")
    close = get_close_matches(book.casefold(), map(_key, records), n=3)
    near = "; ".join(f"{shown_title(r)} ({r.id})" for r in [r for r in records if _key(r) in close][:3])
    detail = f"There is no book {'or file ' if files_too else ''}“{book}”.{near and f' Near: {near}.'}"
    return BookUnknown(detail, remedy=NO_BOOK if files_too else None)


def _key(record: BookRecord) -> str:
    return shown_title(record).casefold()


def mend_here(services: Services, session: Session, unsound: BookwormError, *, job_id: str) -> None:
    """Runs the repair job of a damaged book, whichever request queued it. Raises the error if it fails."""
    from db.types import JobState
    from service.library import Library

    job = Library(services, session.library).job(job_id)
    if job.state is JobState.SUCCEEDED:
        return  # another process has just completed it
    if job.state.ended:
        raise unsound
    output.warn(f"{unsound.detail} The book is reprocessed.")
    services.jobs.start(working=True)
    follow(services, job, label="Reprocessing")


def take_in(
    services: Services,
    session: Session,
    *,
    file: Path,
    given: Given | None = None,
    wait: bool = True,
) -> Upload:
    from service.library import Library
    from service.usecases.books import upload
    from service.usecases.reading_orders import AS_BEFORE

    library = Library(services, session.library)
    data = files.load(file, limit=session.settings.max_upload_bytes)
    label = f"Processing {file.name}"

    def uploaded() -> Upload:
        return upload(library, data=data, filename=file.name, given=given or AS_BEFORE)

    taken = after_other_jobs(uploaded, services, session, label=label, wait=wait)
    if wait and taken.job is not None:
        follow(services, taken.job, label=label)
    job = taken.job and library.job(taken.job.id)
    return replace(taken, book=library.book(taken.book.id), job=job)


Done = TypeVar("Done")


def after_other_jobs(
    action: Callable[[], Done], services: Services, session: Session, *, label: str, wait: bool
) -> Done:
    """Repeats a change after the running job of the book has ended, if it was refused because of that job."""
    from db.errors import JobRunning
    from service.library import Library

    while True:
        try:
            return action()
        except JobRunning as running:
            if not wait:
                raise
            job = Library(services, session.library).job(running.job)
        watch(services, job, label=label)


def follow(services: Services, job: JobRecord, *, label: str) -> None:
    """Waits until the job succeeds; raises an error if it does not."""
    from db.types import JobState
    from service.job_failures import failure_of

    job = watch(services, job, label=label)
    if job.state is JobState.CANCELLED:
        raise IngestFailed("The job was cancelled.", remedy=CONTINUE)
    if job.state is JobState.FAILED:
        raise failure_of(job)


def watch(services: Services, job: JobRecord, *, label: str) -> JobRecord:
    """Waits until the job ends; Ctrl-C cancels it."""
    try:
        with progress.stages(label) as told:
            while not job.state.ended:
                told(job.stage, job.progress, job.seconds_left)
                job = services.jobs.wait(job.id, POLL)
    except KeyboardInterrupt:
        services.jobs.cancel(job.id)
        output.tell(f"Completed stages are kept. {CONTINUE}")
        raise
    return job
