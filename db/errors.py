"""What can go wrong between a value and its row."""

from __future__ import annotations

from books.errors import BookwormError


class DatabaseAway(BookwormError):
    """The database doesn't answer, or is so busy that it gave up on us."""

    code = "database_away"
    remedy = "Check that the database runs and that its address in the settings is right, then try again."
    retryable = True


class StorageFull(BookwormError):
    code = "storage_full"
    remedy = "Free some disk space, then try again."
    retryable = True


class BookGone(BookwormError):
    """The book was deleted while something was being written about it."""

    code = "book_gone"
    remedy = "List the books to see what the library holds."


class JobRunning(BookwormError):
    """A book has one job at a time; the one in hand travels with the error."""

    code = "job_running"
    remedy = "Wait for the running job to end, or cancel it."

    def __init__(self, detail: str, *, job_id: str, remedy: str | None = None) -> None:
        super().__init__(detail, remedy=remedy)
        self.job_id = job_id
