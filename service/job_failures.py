"""Turns a failed job back into the error that ended it, with its code, message and remedy."""

from __future__ import annotations

from typing import Final

from books import errors
from db.types import JobRecord, JobState
from service.errors import BookFailed

_OF_THE_FILE: Final = {
    kind.code: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, errors.BookwormError) and "code" in vars(kind)
}
"""Errors that the uploader can fix keep their own class."""


def may_be_retried(job: JobRecord) -> bool:
    """Whether another attempt can help: not if the file itself is at fault."""
    return job.state in (JobState.FAILED, JobState.CANCELLED) and job.error_code not in _OF_THE_FILE


def failure_of(job: JobRecord) -> errors.BookwormError:
    if job.state is JobState.CANCELLED:
        return BookFailed(
            "Processing of this book was cancelled.", remedy="Upload the book again.", job=job.id
        )
    kind = _OF_THE_FILE.get(job.error_code or "", BookFailed)
    in_full = errors.Wording(job.full_error, job.full_remedy or kind.remedy) if job.full_error else None
    return kind(
        job.error or "The book could not be processed.", remedy=job.remedy, job=job.id, in_full=in_full
    )
