"""Jobs and their events."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import Field

from db.types import EventRecord, JobKind, JobRecord, JobState
from service.job_failures import may_be_retried
from service.wire.shapes import Copy, Out, Page


class JobOut(Out):
    id: str
    book: str = Field(description="Id of the book.")
    kind: JobKind = Field(description="`ingest` reads a book, `answer` writes an answer.")
    answer: str | None = Field(description="Where the answer is when the job has succeeded.")
    state: JobState = Field(description="`succeeded`, `failed` and `cancelled` are final.")
    stage: str | None = Field(description="The current stage, or the one in which the job stopped.")
    progress: float = Field(ge=0, le=1, description="Completed share of the whole job.")
    seconds_left: float | None = Field(description="Estimate while it runs; null if there is none.")
    cancel_requested: bool = Field(
        description="Whether it was asked to stop. It is `cancelled` as soon as it has."
    )
    attempts: int = Field(description="How often it was started, also after a process was restarted.")
    error_code: str | None = Field(description="Why it failed: `code` of an error.")
    error: str | None = Field(description="Reason for the failure, in one sentence.")
    remedy: str | None = Field(description="How to fix it.")
    retryable: bool = Field(
        description="Whether `retry` may help: the job was cancelled or failed, and not because of its file."
    )
    timings: dict[str, float] = Field(description="Seconds per stage.")
    tokens: int = Field(
        description="Tokens of language models that it has used, also before it was interrupted."
    )
    created: datetime
    started: datetime | None = Field(description="When it was first started; null until then.")
    ended: datetime | None = Field(description="Null until its state is final.")

    @classmethod
    def of(cls, job: JobRecord, *, candid: bool) -> JobOut:
        """`candid` if it is for an administrator, who reads errors in full."""
        return cls.like(
            job,
            error=(candid and job.full_error) or job.error,
            remedy=(candid and job.full_remedy) or job.remedy,
            book=job.book_id,
            answer=job.request["path"] if job.request else None,
            progress=min(1.0, max(0.0, job.progress)),
            retryable=may_be_retried(job),
        )


class JobPage(Page[JobOut]):
    pass


class EventOut(Copy[EventRecord]):
    """The content of the `data:` line of a server-sent event."""

    id: int
    job: str | None = Field(validation_alias="job_id")
    kind: str
    data: dict[str, Any]
    created: datetime
