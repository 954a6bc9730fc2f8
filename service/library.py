"""Access to one library of books, which HTTP and the command line pass to the use cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from db.repositories import BookRepository, JobRepository
from db.types import BookRecord, JobKind, JobRecord, JobState
from service import spoiler_gate
from service.errors import BookUnknown, JobUnknown
from service.services import Services
from service.shelf import OpenBook, View

_PAGE: Final = 200


@dataclass(frozen=True, slots=True)
class Library:
    services: Services
    name: str

    def book(self, book_id: str) -> BookRecord:
        """The record of a book, ready or still being processed. Raises BookUnknown."""
        with self.services.database.session(read_only=True) as session:
            book = BookRepository(session).get(book_id, library=self.name)
        if book is None:
            raise BookUnknown(f"There is no book {book_id}.")
        return book

    def books(
        self, *, after: str | None = None, limit: int = 50, query: str | None = None
    ) -> list[BookRecord]:
        """A page of the library, newest first."""
        with self.services.database.session(read_only=True) as session:
            return BookRepository(session).page(library=self.name, after=after, limit=limit, query=query)

    def every_book(self) -> Iterator[BookRecord]:
        """All books in the library, newest first."""
        after: str | None = None
        while page := self.books(after=after, limit=_PAGE):
            yield from page
            after = page[-1].id

    def open(self, book_id: str) -> OpenBook:
        """The whole book. Raises BookUnknown, BookNotReady, BookFailed."""
        return self.services.shelf.open(book_id, library=self.name)

    def view(self, book_id: str, upto: str | None = None) -> View:
        """The book up to `upto`. Raises GateInvalid and the errors of `open`."""
        return spoiler_gate.view(self.open(book_id), upto)

    def job(self, job_id: str) -> JobRecord:
        """Raises JobUnknown."""
        with self.services.database.session(read_only=True) as session:
            job = JobRepository(session).get(job_id, library=self.name)
        if job is None:
            raise JobUnknown(f"There is no job {job_id}.")
        return job

    def jobs(
        self,
        *,
        after: str | None = None,
        limit: int = 50,
        state: JobState | None = None,
        kind: JobKind | None = None,
        book_id: str | None = None,
    ) -> list[JobRecord]:
        """A page of the jobs of the library, newest first."""
        with self.services.database.session(read_only=True) as session:
            return JobRepository(session).page(
                library=self.name, after=after, limit=limit, state=state, kind=kind, book_id=book_id
            )
