"""A job that failed, told again as the error that ended it: with its word, its sentence and its remedy."""

from __future__ import annotations

from typing import Final

from books import errors
from db.types import JobRecord, JobState
from service.errors import BookFailed

_OF_THE_FILE: Final = {
    kind.code: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, errors.BookwormError)
}
"""What whoever uploaded a file can mend is told under its own name."""


def failure_of(job: JobRecord) -> errors.BookwormError:
    if job.state is JobState.CANCELLED:
        return BookFailed("The job that read this book was cancelled.", remedy="Upload the book again.")
    kind = _OF_THE_FILE.get(job.error_code or "", BookFailed)
    return kind(job.error or "The book could not be read.", remedy=job.remedy)
