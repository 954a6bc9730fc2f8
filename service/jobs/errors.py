"""Exceptions that end the work on a job. None of them leaves this package."""

from __future__ import annotations

from typing import NamedTuple

from books.errors import BookwormError, Wording
from db.errors import StorageFull
from generation.errors import DraftRejected


class JobCancelled(Exception):
    """The job was cancelled on request."""


class JobGone(Exception):
    """The book was deleted, and its job with it."""


class JobOver(Exception):
    """The job was ended by another process."""


class HandedOver(BaseException):
    """Another execution has the job now, or this process stops and leaves the job to another one.

    A BaseException, because the workflow must neither end nor fail: it stays pending until it is resumed.
    """


class StageFailed(Exception):
    """A stage failed in the stage process. It has the code and message of the original error."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        remedy: str | None = None,
        retryable: bool = False,
        in_full: Wording | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.advice = remedy
        self.retryable = retryable
        self.in_full = in_full


INTERNAL = "internal_error"
ASK_AGAIN = "Try again: what is written already is kept. If it fails again, report it with the id of the job."
UPLOAD_AGAIN = "Upload the book again. If it fails again, report it with the id of the job."


class Reason(NamedTuple):
    """A failure as stored in the row of the job."""

    code: str
    error: str
    remedy: str
    in_full: Wording | None = None
    """The same for administrators. Events, which all readers of the book see, are without it."""

    def event(self) -> dict[str, str]:
        return {"code": self.code, "error": self.error, "remedy": self.remedy}

    def logged(self) -> dict[str, str]:
        return {"code": self.code} | ({"why": self.in_full.detail} if self.in_full else {})


def reason(error: Exception, *, remedy: str = UPLOAD_AGAIN) -> Reason:
    """Details of unexpected errors appear only in the log. `remedy` is for errors that have none."""
    if isinstance(error, BookwormError | StageFailed) and error.code != INTERNAL:
        return Reason(error.code, error.detail, error.advice or remedy, error.in_full)
    return Reason(INTERNAL, "An internal error occurred. The log has the details.", remedy)


def may_pass(error: Exception) -> bool:
    """Whether a retry may succeed. A full disk does not empty itself.

    A model was asked twice for each text that is not fit. All of it again is for the user to pay, or not.
    """
    if isinstance(error, StorageFull | DraftRejected) or getattr(error, "code", None) == StorageFull.code:
        return False
    return isinstance(error, BookwormError | StageFailed) and error.retryable
