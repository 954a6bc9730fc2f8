"""How the work on a job can end otherwise than well. None of these leaves this package."""

from __future__ import annotations

from typing import NamedTuple

from books.errors import BookwormError
from db.errors import StorageFull


class JobCancelled(Exception):
    """Somebody asked for it."""


class JobGone(Exception):
    """The book was deleted, and the job with it."""


class JobOver(Exception):
    """The job ended by other hands than ours."""


class HandedOver(BaseException):
    """Another execution has the job now, or this process stops and another one shall have it.

    A BaseException, because the workflow must neither end nor fail by it: it stays pending, to be taken up.
    """


class StageFailed(Exception):
    """A stage failed in the stage process; says what its error said."""

    def __init__(self, code: str, detail: str, *, remedy: str | None = None, retryable: bool = False) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.advice = remedy
        self.retryable = retryable


INTERNAL = "internal_error"
UPLOAD_AGAIN = "Upload the book again; if it fails again, report it with the id of the job."


class Reason(NamedTuple):
    """What the job's row says of a failure."""

    code: str
    error: str
    remedy: str


_UNFORESEEN = Reason(INTERNAL, "Something went wrong inside Bookworm; its log has the details.", UPLOAD_AGAIN)


def reason(error: Exception) -> Reason:
    """What was not foreseen stays in the log."""
    if isinstance(error, BookwormError | StageFailed) and error.code != INTERNAL:
        return Reason(error.code, error.detail, error.advice or UPLOAD_AGAIN)
    return _UNFORESEEN


def may_pass(error: Exception) -> bool:
    """Whether trying again in a moment makes sense. A full disk does not empty itself."""
    if isinstance(error, StorageFull) or getattr(error, "code", None) == StorageFull.code:
        return False
    return isinstance(error, BookwormError | StageFailed) and error.retryable
