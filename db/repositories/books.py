"""Books and their chapters."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select, update

from db.columns import now
from db.identity import BOOK, make_id
from db.repositories.base import Repository, record_of
from db.tables import BookRow, ChapterRow, DecisionRow
from db.types import BookRecord, BookState, ChapterRecord, EditionRecord, ReadingOptions

_AS_IT_IS = ReadingOptions()

_BOOK = select(BookRow).where(BookRow.id == bindparam("book"))
_BOOK_OF_LIBRARY = _BOOK.where(BookRow.library == bindparam("library"))
_REMARKS = select(BookRow.remarks).where(BookRow.id == bindparam("book"))
_DECISIONS = select(func.count()).where(DecisionRow.book_id == BookRow.id).scalar_subquery()
_EDITIONS = select(BookRow.library, BookRow.id, BookRow.version, _DECISIONS, BookRow.remarks).where(
    BookRow.id.in_(bindparam("ids", expanding=True)), BookRow.version.is_not(None)
)
"""What nearly every request asks for is put together once, because that takes longer than asking it."""


class BookRepository(Repository):
    def ensure(
        self,
        *,
        library: str,
        content_sha256: str,
        filename: str | None,
        size: int,
        options: ReadingOptions = _AS_IT_IS,
    ) -> tuple[BookRecord, bool]:
        """Return the book with this content, and whether it is new: of concurrent callers, one gets True."""
        row = {
            "id": make_id(BOOK),
            "library": library,
            "content_sha256": content_sha256,
            "filename": filename,
            "size": size,
            "title": options.title,
            "author": options.author,
            **_columns(options),
        }
        unique = ["library", "content_sha256"]
        self._session.execute(self._insert(BookRow).values(row).on_conflict_do_nothing(index_elements=unique))
        query = select(BookRow).where(BookRow.library == library, BookRow.content_sha256 == content_sha256)
        found = self._one(query)
        assert found is not None
        return _record(found), found.id == row["id"]

    def get(self, book_id: str, *, library: str | None = None) -> BookRecord | None:
        query = _BOOK if library is None else _BOOK_OF_LIBRARY
        row = self._one(query, book=book_id, library=library)
        return _record(row) if row else None

    def page(
        self, *, library: str, after: str | None, limit: int, query: str | None = None
    ) -> list[BookRecord]:
        """Return books, newest first, after `after`; `query` is part of a title, author or file name."""
        rows = select(BookRow).where(BookRow.library == library).order_by(BookRow.id.desc()).limit(limit)
        if after is not None:
            rows = rows.where(BookRow.id < after)
        if query:
            seen = func.coalesce(BookRow.title, "") + " " + func.coalesce(BookRow.author, "")
            seen = seen + " " + func.coalesce(BookRow.filename, "")
            rows = rows.where(seen.icontains(query, autoescape=True))
        return [_record(row) for row in self._all(rows)]

    def lock(self, book_id: str) -> BookRecord:
        """Prevent other sessions from writing about this book until this one ends. Raises BookGone."""
        return _record(self._lock(book_id))

    def instruct(self, book_id: str, options: ReadingOptions) -> bool:
        """Set how the book is to be read from now on; return whether that changes anything.

        Raises BookGone.
        """
        if _record(self._lock(book_id)).options == options:
            return False
        changed = {**_columns(options), "updated": now()}
        self._session.execute(update(BookRow).where(BookRow.id == book_id).values(changed))
        return True

    def describe(
        self,
        book_id: str,
        *,
        title: str | None,
        author: str | None,
        language: str | None,
        words: int | None,
        report: dict[str, Any] | None,
        chapters: Sequence[ChapterRecord],
    ) -> None:
        """Store what reading the book found out. Raises BookGone."""
        self._lock(book_id)
        facts = {"title": title, "author": author, "language": language, "words": words, "report": report}
        self._session.execute(update(BookRow).where(BookRow.id == book_id).values(**facts, updated=now()))
        self._session.execute(delete(ChapterRow).where(ChapterRow.book_id == book_id))
        rows = [
            {
                "book_id": book_id,
                "position": chapter.index,
                "title": chapter.title,
                "start_offset": chapter.start,
                "end_offset": chapter.end,
            }
            for chapter in chapters
        ]
        if rows:
            self._session.execute(insert(ChapterRow), rows)

    def publish(self, book_id: str, *, version: str) -> None:
        """Make `version` the one that readers see. Raises BookGone."""
        self._lock(book_id)
        ready = {"version": version, "state": BookState.READY, "updated": now()}
        self._session.execute(update(BookRow).where(BookRow.id == book_id).values(ready))

    def fail(self, book_id: str) -> bool:
        """Mark a book as failed, unless it was ever published: then it keeps serving its last version."""
        return self._move(book_id, BookState.PENDING, BookState.FAILED)

    def retry(self, book_id: str) -> bool:
        """Set a failed book back to pending."""
        return self._move(book_id, BookState.FAILED, BookState.PENDING)

    def _move(self, book_id: str, old: BookState, new: BookState) -> bool:
        which = update(BookRow).where(BookRow.id == book_id, BookRow.state == old)
        return self._changed(which.values(state=new, updated=now())) > 0

    def delete(self, book_id: str) -> bool:
        return self._changed(delete(BookRow).where(BookRow.id == book_id)) > 0

    def chapters(self, book_id: str) -> list[ChapterRecord]:
        rows = select(ChapterRow).where(ChapterRow.book_id == book_id).order_by(ChapterRow.position)
        return [
            ChapterRecord(index=row.position, title=row.title, start=row.start_offset, end=row.end_offset)
            for row in self._all(rows)
        ]

    def remarks(self, book_id: str) -> int:
        """Return a number that changes whenever readers change what the book's answers are measured by."""
        return self._session.scalar(_REMARKS, {"book": book_id}) or 0

    def editions(self, ids: Collection[str]) -> dict[tuple[str, str], EditionRecord]:
        """Return the current edition of each of these books that is published, by library and book."""
        rows = self._session.connection().execute(_EDITIONS, {"ids": list(ids)})
        return {(library, book_id): EditionRecord(*edition) for library, book_id, *edition in rows}

    def versions_in_use(self) -> set[tuple[str, str]]:
        """Return (book, version) of everything that is published and must not be swept away."""
        query = select(BookRow.id, BookRow.version).where(BookRow.version.is_not(None))
        return {(book_id, version) for book_id, version in self._session.execute(query) if version}

    def all_ids(self) -> set[str]:
        return set(self._session.scalars(select(BookRow.id)))

    def marks(self, *, library: str) -> list[tuple[str, str | None]]:
        """Return (book, version) for a whole library, without the other columns of its books."""
        query = select(BookRow.id, BookRow.version).where(BookRow.library == library)
        return [(book_id, version) for book_id, version in self._session.execute(query)]

    def several(self, ids: Collection[str], *, library: str) -> dict[str, BookRecord]:
        rows = self._all(select(BookRow).where(BookRow.library == library, BookRow.id.in_(ids)))
        return {row.id: _record(row) for row in rows}


def _columns(options: ReadingOptions) -> dict[str, Any]:
    return {
        "given_title": options.title,
        "given_author": options.author,
        "encoding": options.encoding,
        "force": options.force,
    }


def _record(row: BookRow) -> BookRecord:
    options = ReadingOptions(row.given_title, row.given_author, row.encoding, row.force)
    return record_of(BookRecord, row, state=BookState(row.state), options=options)
