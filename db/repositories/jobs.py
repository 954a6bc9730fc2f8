"""Jobs: work on a book, from queued to ended. An ended job never changes again.

`latest` and `active` are about the jobs that read the book; there is one at a time.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, func, insert, select, update

from books.errors import Wording
from db.columns import now
from db.errors import JobRunning
from db.identity import make_id
from db.repositories.base import Repository, record_of
from db.tables import BookRow, JobRow
from db.types import JobKind, JobRecord, JobState

ACTIVE = (JobState.QUEUED, JobState.RUNNING)


class JobRepository(Repository):
    def create(self, book_id: str, *, library: str) -> JobRecord:
        """Create a job that reads the book.

        Raises JobRunning when such a job is unfinished, BookGone when there is no book.
        """
        self._lock(book_id)
        running = self.active(book_id)
        if running is not None:
            raise JobRunning(f"A job is already running for the book {book_id}.", job=running.id)
        return self._add(book_id, library=library)

    def create_answer(self, book_id: str, *, library: str, request: dict[str, Any]) -> tuple[JobRecord, bool]:
        """Return the job that writes an answer, and whether it is a new one.

        It is not if the same request is unfinished and not being cancelled. Raises BookGone when there is no
        book.
        """
        self._lock(book_id)
        query = select(JobRow).where(
            JobRow.book_id == book_id, JobRow.kind == JobKind.ANSWER, JobRow.state.in_(ACTIVE)
        )
        for row in self._all(query):
            if row.request == request and not row.cancel_requested:
                return _record(row), False
        return self._add(book_id, library=library, kind=JobKind.ANSWER, request=request), True

    def _add(self, book_id: str, **values: Any) -> JobRecord:
        job_id = make_id("job")
        self._session.execute(insert(JobRow).values(id=job_id, book_id=book_id, **values))
        job = self.get(job_id)
        assert job is not None
        return job

    def get(self, job_id: str, *, library: str | None = None) -> JobRecord | None:
        query = select(JobRow).where(JobRow.id == job_id)
        if library is not None:
            query = query.where(JobRow.library == library)
        row = self._one(query)
        return _record(row) if row else None

    def latest(self, book_id: str) -> JobRecord | None:
        """Return the unfinished job, whatever the clock of the machine that created it; else the newest."""
        newest = (JobRow.state.in_(ACTIVE).desc(), JobRow.id.desc())
        row = self._one(_reading(book_id).order_by(*newest).limit(1))
        return _record(row) if row else None

    def active(self, book_id: str) -> JobRecord | None:
        row = self._one(_reading(book_id).where(JobRow.state.in_(ACTIVE)))
        return _record(row) if row else None

    def page(
        self,
        *,
        library: str,
        after: str | None,
        limit: int,
        state: JobState | None = None,
        kind: JobKind | None = None,
        book_id: str | None = None,
    ) -> list[JobRecord]:
        """Return jobs, newest first, from the one after `after` on."""
        owner, phase = JobRow.library.expression, JobRow.state.expression
        if book_id is not None:
            # A book has few jobs and a library many, but SQLite does not know that: hide the other indexes
            # from it.
            owner, phase = owner.concat(""), phase.concat("")
        query = select(JobRow).where(owner == library).order_by(JobRow.id.desc()).limit(limit)
        if after is not None:
            query = query.where(JobRow.id < after)
        if state is not None:
            query = query.where(phase == state)
        if kind is not None:
            query = query.where(JobRow.kind == kind)
        if book_id is not None:
            query = query.where(JobRow.book_id == book_id)
        return [_record(row) for row in self._all(query)]

    def unfinished(self) -> list[JobRecord]:
        """Return unfinished jobs, oldest first."""
        query = select(JobRow).where(JobRow.state.in_(ACTIVE)).order_by(JobRow.id)
        return [_record(row) for row in self._all(query)]

    def counts_by_state(self) -> dict[JobState, int]:
        found = self._session.execute(select(JobRow.state, func.count()).group_by(JobRow.state))
        counts = {JobState(state): count for state, count in found}
        return {state: counts.get(state, 0) for state in JobState}

    # Each change returns whether it happened: False means that the job had ended or never existed.

    def start(self, job_id: str, *, worker: str) -> bool:
        """Let a worker take the job: the first, or another after the first was lost."""
        return self._change(
            job_id,
            state=JobState.RUNNING,
            worker=worker,
            attempts=JobRow.attempts + 1,
            started=func.coalesce(JobRow.started, now()),
        )

    def progress(
        self, job_id: str, *, stage: str | None, progress: float, seconds_left: float | None
    ) -> bool:
        return self._change(job_id, stage=stage, progress=progress, seconds_left=seconds_left)

    def spend(self, job_id: str, tokens: int) -> bool:
        """Count tokens as used, or as not used if they are less than 0."""
        return self._change(job_id, tokens=JobRow.tokens + tokens)

    def timing(self, job_id: str, *, stage: str, seconds: float) -> bool:
        self._lock_book_of(job_id)
        row = self._one(select(JobRow).where(*_active(job_id)))
        return row is not None and self._change(job_id, timings=row.timings | {stage: seconds})

    def succeed(self, job_id: str) -> bool:
        return self._end(job_id, state=JobState.SUCCEEDED, progress=1.0)

    def fail(
        self,
        job_id: str,
        *,
        code: str,
        error: str,
        remedy: str | None = None,
        in_full: Wording | None = None,
    ) -> bool:
        why = {"error_code": code, "error": error, "remedy": remedy}
        full = {} if in_full is None else {"full_error": in_full.detail, "full_remedy": in_full.remedy}
        return self._end(job_id, state=JobState.FAILED, **why, **full)

    def cancel(self, job_id: str) -> bool:
        return self._end(job_id, state=JobState.CANCELLED)

    def request_cancel(self, job_id: str) -> bool:
        """Request cancellation; return whether there is something to cancel. Repeating it has no effect."""
        return self._change(job_id, cancel_requested=True)

    def _end(self, job_id: str, **values: Any) -> bool:
        return self._change(job_id, ended=now(), seconds_left=None, **values)

    def _change(self, job_id: str, **values: Any) -> bool:
        self._lock_book_of(job_id)
        return self._changed(update(JobRow).where(*_active(job_id)).values(values)) > 0

    def _lock_book_of(self, job_id: str) -> None:
        """Lock the book before its job, as deleting a book does: two orders would be a deadlock."""
        book = select(BookRow.id).join(JobRow).where(JobRow.id == job_id)
        self._session.execute(book.with_for_update(of=BookRow, key_share=True))


def _reading(book_id: str) -> Select[JobRow]:
    return select(JobRow).where(JobRow.book_id == book_id, JobRow.kind == JobKind.INGEST)


def _active(job_id: str) -> tuple[ColumnElement[bool], ...]:
    return (JobRow.id == job_id, JobRow.state.in_(ACTIVE))


def _record(row: JobRow) -> JobRecord:
    kind, state = JobKind(row.kind), JobState(row.state)
    return record_of(JobRecord, row, kind=kind, state=state, timings=dict(row.timings))
