"""Errors of the database."""

from __future__ import annotations

from books.errors import BookwormError


class DatabaseAway(BookwormError):
    """The database does not answer, or is too busy to serve us."""

    code = "database_away"
    remedy = "Check that the database runs and that its address in the settings is right, then try again."
    retryable = True


class DatabaseRefused(DatabaseAway):
    """The database does not let its user in, or not do what is needed."""

    code = "database_refused"
    remedy = "Correct `BOOKWORM_DATABASE_URL`, or the rights of its user in the database, then try again."


class DatabaseNewer(BookwormError):
    """A newer version of the program has migrated the tables; this one does not know them."""

    code = "database_newer"
    remedy = "Upgrade Bookworm, or restore a backup made before the database was upgraded."


class StorageFull(BookwormError):
    code = "storage_full"
    remedy = "Free some disk space, then try again."
    retryable = True


class BookGone(BookwormError):
    """The book was deleted while something was being written about it."""

    code = "book_gone"
    remedy = "List the books to see what the library holds."


class JobRunning(BookwormError):
    """The book has an unfinished job, and may have only one; the error carries its id."""

    code = "job_running"
    remedy = "Wait for the running job to end, or cancel it."

    job: str

    def __init__(self, detail: str, *, job: str, remedy: str | None = None) -> None:
        super().__init__(detail, remedy=remedy, job=job)
