"""The events of a book, numbered in the order in which readers see them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select

from db.repositories.base import Repository, record_of
from db.tables import EventRow
from db.types import EventRecord

LARGEST = 2**63 - 1


class EventRepository(Repository):
    def append(self, book_id: str, *, job_id: str | None, kind: str, data: dict[str, Any]) -> int:
        """Append an event and return its number. Raises BookGone."""
        # Locked, so that numbers become visible in order: nobody who has seen 12 is shown an 11 later.
        self._lock(book_id)
        row = {"book_id": book_id, "job_id": job_id, "kind": kind, "data": data}
        return self._session.execute(insert(EventRow).values(row).returning(EventRow.id)).scalar_one()

    def since(self, book_id: str, *, after: int, limit: int) -> list[EventRecord]:
        """Return events with a number above `after`, oldest first."""
        query = select(EventRow).where(EventRow.book_id == book_id, EventRow.id > min(after, LARGEST))
        return [record_of(EventRecord, row) for row in self._all(query.order_by(EventRow.id).limit(limit))]

    def prune(self, older_than: datetime) -> int:
        """Delete old events and return how many."""
        return self._changed(delete(EventRow).where(EventRow.created < older_than))
