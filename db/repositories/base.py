"""The common base of all repositories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, TypeVar, cast

from sqlalchemy import CursorResult, Delete, Select, Update, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from db.errors import BookGone
from db.tables import Base, BookRow

Row = TypeVar("Row")
Record = TypeVar("Record")


def record_of(kind: type[Record], row: Base, /, **other: Any) -> Record:
    """Return a row as a value: with the columns that have the names of its fields, and what is `other`."""
    names = [field.name for field in fields(cast(Any, kind))]
    same = {name: getattr(row, name) for name in names if name not in other}
    return kind(**same, **other)


class Repository:
    """Works inside the caller's session; never commits."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def _all(self, query: Select[Row], **parameters: Any) -> Sequence[Row]:
        # Rows read earlier in this session may have been changed since by a statement, or by another session.
        fresh = query.execution_options(populate_existing=True)
        return self._session.scalars(fresh, parameters).all()

    def _one(self, query: Select[Row], **parameters: Any) -> Row | None:
        return next(iter(self._all(query, **parameters)), None)

    def _changed(self, statement: Update | Delete) -> int:
        """Execute a statement and return the number of rows that it changed."""
        return cast(CursorResult[Any], self._session.execute(statement)).rowcount

    def _insert(self, row: type[Base]) -> postgresql.Insert:
        """Return an INSERT that supports ON CONFLICT, which both databases write alike."""
        if self._session.get_bind().dialect.name == "sqlite":
            return cast(postgresql.Insert, sqlite.insert(row))
        return postgresql.insert(row)

    def _lock(self, book_id: str) -> BookRow:
        """Lock the book until the session ends: nobody else can write about it or delete it."""
        query = select(BookRow).where(BookRow.id == book_id).with_for_update(key_share=True)
        row = self._one(query)
        if row is None:
            raise BookGone(f"The book {book_id} was deleted.")
        return row

    def _remark(self, book_id: str) -> None:
        """Record that the reference data for its answers changed. The book must be locked already."""
        counted = update(BookRow).where(BookRow.id == book_id).values(remarks=BookRow.remarks + 1)
        self._session.execute(counted.execution_options(synchronize_session=False))
