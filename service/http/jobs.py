"""Jobs: list, show, cancel, retry."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from db.types import JobKind, JobState
from service.http import pagination
from service.http.books import ORDERED
from service.http.call import ReadCall, WriteCall
from service.http.parameters import JobId
from service.http.problems import OF_LIBRARY, OF_RECORD
from service.usecases import jobs
from service.wire.jobs import JobOut, JobPage

router = APIRouter(tags=["jobs"])


@router.get("/jobs", response_model=JobPage, responses=OF_LIBRARY)
def list_jobs(
    call: ReadCall,
    cursor: pagination.Cursor = None,
    limit: pagination.Limit = 50,
    state: Annotated[JobState | None, Query(description="Only jobs in this state.")] = None,
    kind: Annotated[JobKind | None, Query(description="Only jobs of this kind.")] = None,
    book: Annotated[
        str | None, Query(max_length=100, description="Only jobs of the book with this id.")
    ] = None,
) -> Response:
    """The jobs of your library, newest first."""
    after = pagination.decode(cursor, of=call.list_id)
    rows = call.library.jobs(after=after, limit=limit + 1, state=state, kind=kind, book_id=book)
    items, following = pagination.page(rows, limit=limit, position=lambda j: j.id, of=call.list_id)
    return call.reply(JobPage(items=[call.shown(j) for j in items], next=following))


@router.get("/jobs/{job_id}", response_model=JobOut, responses=OF_RECORD)
def get_job(call: ReadCall, job_id: JobId) -> Response:
    """The progress of a job, and the reason if it failed."""
    return call.reply(call.shown(call.library.job(job_id)))


@router.post("/jobs/{job_id}/cancel", response_model=JobOut, responses=OF_RECORD)
def cancel_job(call: WriteCall, job_id: JobId) -> Response:
    """Cancel a job. Repeating the request changes nothing."""
    return call.reply(call.shown(jobs.cancel(call.library, job_id=job_id)))


@router.post("/jobs/{job_id}/retry", **ORDERED)
def retry_job(call: WriteCall, job_id: JobId) -> Response:
    """Retry a failed or cancelled job. Completed stages, and what is written of an answer, are not repeated.

    The response is the new job. Repeating the request while it is running returns the same job. If the book
    has been processed since, or the job has written its answer, the response is 409.
    """
    return call.ordered(jobs.retry(call.library, job_id=job_id))
