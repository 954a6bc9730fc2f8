"""Jobs and their events."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import Field

from db.types import EventRecord, JobRecord, JobState
from service.wire.shapes import Copy, Out, Page


class JobOut(Out):
    id: str
    book: str = Field(description="The id of the book that is being read.")
    state: JobState
    stage: str | None = Field(description="The stage in hand, or the one the job stopped in.")
    progress: float = Field(ge=0, le=1, description="Share of the whole job that is done.")
    seconds_left: float | None
    cancel_requested: bool
    attempts: int
    error_code: str | None
    error: str | None = Field(description="Why it failed, in one sentence.")
    remedy: str | None = Field(description="What to do about it.")
    timings: dict[str, float] = Field(description="Seconds by stage.")
    created: datetime
    started: datetime | None
    ended: datetime | None

    @classmethod
    def of(cls, job: JobRecord) -> JobOut:
        return cls(
            id=job.id,
            book=job.book_id,
            state=job.state,
            stage=job.stage,
            progress=min(1.0, max(0.0, job.progress)),
            seconds_left=job.seconds_left,
            cancel_requested=job.cancel_requested,
            attempts=job.attempts,
            error_code=job.error_code,
            error=job.error,
            remedy=job.remedy,
            timings=job.timings,
            created=job.created,
            started=job.started,
            ended=job.ended,
        )


class JobPage(Page[JobOut]):
    pass


class EventOut(Copy[EventRecord]):
    """What the `data:` line of a server-sent event holds."""

    id: int
    job: str | None = Field(validation_alias="job_id")
    kind: str
    data: dict[str, Any]
    created: datetime
