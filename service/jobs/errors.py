"""How the work on a job can end otherwise than well. None of these leaves this package."""

from __future__ import annotations

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

    def __init__(self, code: str, detail: str, *, retryable: bool = False) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.retryable = retryable


INTERNAL = "internal_error"
_SORRY = "Something went wrong inside Bookworm; its log has the details."


def reason(error: Exception) -> tuple[str, str]:
    """Code and sentence for the job's row. What was not foreseen stays in the log."""
    if isinstance(error, BookwormError | StageFailed) and error.code != INTERNAL:
        return error.code, error.detail
    return INTERNAL, _SORRY


def may_pass(error: Exception) -> bool:
    """Whether trying again in a moment makes sense. A full disk does not empty itself."""
    if isinstance(error, StorageFull) or getattr(error, "code", None) == StorageFull.code:
        return False
    return isinstance(error, BookwormError | StageFailed) and error.retryable
