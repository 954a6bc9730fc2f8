"""Books: upload, list, show, read, delete."""

from __future__ import annotations

import asyncio
import time
from dataclasses import fields
from typing import Annotated, Any, Final

from anyio import to_thread
from fastapi import APIRouter, Depends, File, Form, Query, Request, Response, UploadFile
from fastapi.responses import StreamingResponse

from books.errors import BookTooLarge
from db.errors import BookGone
from db.types import BookRecord, JobRecord, JobState
from service.errors import BookUnknown, JobUnknown
from service.formats import listed
from service.http import pagination
from service.http.call import Call, ReadCall, WriteCall
from service.http.parameters import BookId, Upto, refuse_strange
from service.http.problems import OF_BOOK, OF_LIBRARY, OF_RECORD, describe
from service.job_failures import failure_of
from service.usecases import books
from service.usecases.reading_orders import Given
from service.wire.books import BookOut, BookPage, FormatsOut, UploadOut
from service.wire.jobs import JobOut

router = APIRouter(tags=["books"])

_POLL_SECONDS: Final = 0.2
JOB_LINK: Final = {"Location": {"description": "URL of the job.", "schema": {"type": "string"}}}
ORDERED: Final[dict[str, Any]] = {
    "status_code": 202,
    "response_model": JobOut,
    "responses": {202: {"headers": JOB_LINK}, **OF_BOOK},
}
"""The route of a request that is answered with a job."""
_FILE: Final = (
    f"The book as {listed()}, optionally gzipped. The format is detected from the content, not from the name."
)


async def _given(
    request: Request,
    title: Annotated[
        str | None, Form(max_length=500, description="Title to use instead of the one in the file.")
    ] = None,
    author: Annotated[
        str | None, Form(max_length=500, description="Author to use instead of the one in the file.")
    ] = None,
    encoding: Annotated[
        str | None,
        Form(
            max_length=40,
            description="Encoding of the text, for example `gb18030`, if detection fails; "
            "`auto` to detect it again.",
        ),
    ] = None,
    force: Annotated[
        bool | None, Form(description="Process the book although its language is not supported.")
    ] = None,
) -> Given:
    sent = [name for name, _ in (await request.form()).multi_items()]
    refuse_strange("body", sent, known=("file", *(option.name for option in fields(Given))))
    return Given(title, author, encoding or None, force)


@router.post(
    "/books",
    status_code=202,
    response_model=UploadOut,
    responses={
        200: {"model": UploadOut, "description": "The library already has this file"},
        201: {"model": UploadOut, "description": "Processed (only with `wait`)"},
        202: {"model": UploadOut, "description": "Accepted; a job processes it", "headers": JOB_LINK},
        **describe(401, 403, 404, 408, 409, 413, 415, 429, 503),
    },
)
async def upload_book(
    call: WriteCall,
    file: Annotated[UploadFile, File(description=_FILE)],
    given: Annotated[Given, Depends(_given)],
    wait: Annotated[float, Query(ge=0, le=600, description="Seconds to wait until the book is ready.")] = 0.0,
) -> Response:
    """Upload a book. The same bytes are the same book, so it is safe to repeat an upload.

    The options (title, author, encoding, force) are stored with the book. Upload it again with other options
    to process it again. Options that you omit do not change.
    """
    data = await _content(file, most=call.services.settings.max_upload_bytes)
    taken = await to_thread.run_sync(_upload, call, data, file.filename, given)
    try:
        job = await _settled(call, taken.job, wait=wait)
        return await to_thread.run_sync(_receipt, call, taken, job)
    except (BookUnknown, JobUnknown) as error:
        raise BookGone(f"The book {taken.book.id} was deleted before it was ready.") from error


def _upload(call: Call, data: bytes, filename: str | None, given: Given) -> books.Upload:
    return books.upload(call.library, data=data, filename=filename, given=given)


async def _content(file: UploadFile, *, most: int) -> bytes:
    if file.size is not None and file.size > most:
        raise BookTooLarge(f"The file is larger than the limit of {most:,} bytes.")
    return await file.read()


async def _settled(call: Call, job: JobRecord | None, *, wait: float) -> JobRecord | None:
    """Waits without holding a thread, because many requests may wait at the same time."""
    until = time.monotonic() + wait
    while job is not None and not job.state.ended and time.monotonic() < until:
        await asyncio.sleep(min(_POLL_SECONDS, max(0.01, until - time.monotonic())))
        job = await to_thread.run_sync(call.library.job, job.id)
    return job


def _receipt(call: Call, taken: books.Upload, job: JobRecord | None) -> Response:
    if job is not None and job.state in (JobState.FAILED, JobState.CANCELLED):
        raise failure_of(job)
    book = call.library.book(taken.book.id)
    body = UploadOut(book=shown(call, book), job=call.shown(job) if job else None, created=taken.created)
    if job is not None and not job.state.ended:
        return call.reply(body, status=202, location=f"/v1/jobs/{job.id}")
    if not taken.created:
        return call.reply(body, status=200)
    return call.reply(body, status=201, location=f"/v1/books/{book.id}")


@router.get("/formats", response_model=FormatsOut, responses=OF_LIBRARY)
def list_formats(call: ReadCall) -> Response:
    """The supported formats, and the maximum size of a file."""
    return call.reply(FormatsOut.of(most_bytes=call.services.settings.max_upload_bytes))


@router.get("/books", response_model=BookPage, responses=OF_LIBRARY)
def list_books(
    call: ReadCall,
    cursor: pagination.Cursor = None,
    limit: pagination.Limit = 50,
    q: Annotated[
        str | None, Query(max_length=200, description="Part of a title, an author or a file name.")
    ] = None,
) -> Response:
    """The books of your library, newest first."""
    after = pagination.decode(cursor, of=call.list_id)
    rows = call.library.books(after=after, limit=limit + 1, query=q)
    items, following = pagination.page(rows, limit=limit, position=lambda b: b.id, of=call.list_id)
    outdated = call.services.jobs.outdated(items)
    return call.reply(
        BookPage(items=[BookOut.of(b, outdated=b.id in outdated) for b in items], next=following)
    )


@router.get("/books/{book_id}", response_model=BookOut, responses=OF_RECORD)
def get_book(call: ReadCall, book_id: BookId) -> Response:
    """One book, whether it is ready or still being processed."""
    return call.reply(shown(call, call.library.book(book_id)))


def shown(call: Call, book: BookRecord) -> BookOut:
    return BookOut.of(book, outdated=book.id in call.services.jobs.outdated([book]))


@router.post("/books/{book_id}/reprocess", **ORDERED)
def reprocess_book(call: WriteCall, book_id: BookId) -> Response:
    """Process a book again, as after an upgrade of Bookworm, which may know its people better.

    Stages whose engines are still the same are not repeated. The book can be read meanwhile, and its
    corrections stay. The response is the job. Repeating the request while it is running returns the same job.
    """
    return call.ordered(books.reprocess(call.library, book_id=book_id))


@router.delete("/books/{book_id}", status_code=204, responses=OF_RECORD)
def delete_book(call: WriteCall, book_id: BookId) -> Response:
    """Delete a book and everything made from it. A running job of the book stops."""
    books.delete(call.library, book_id=book_id)
    return Response(status_code=204)


@router.get(
    "/books/{book_id}/text",
    response_class=StreamingResponse,
    responses={
        200: {"description": "The text", "content": {"text/plain": {"schema": {"type": "string"}}}},
        **OF_BOOK,
    },
)
def get_text(
    call: ReadCall,
    book_id: BookId,
    chapter: Annotated[
        int | None, Query(ge=1, le=100_000, description="Only this chapter, counted from 1.")
    ] = None,
    upto: Upto = None,
) -> Response:
    """The text of the book, streamed. All offsets in the API refer to it."""
    pieces = books.text(call.view(book_id, upto), chapter=chapter)
    return StreamingResponse(pieces, media_type="text/plain; charset=utf-8", headers=call.headers)
