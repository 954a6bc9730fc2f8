"""What language models wrote for summaries, under the hash of the request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import ColumnElement, delete, or_, select

from db.columns import now
from db.repositories.base import Repository, record_of
from db.tables import CompletionRow
from db.types import CompletionRecord


class CompletionRepository(Repository):
    def get(
        self, book_id: str, key_hash: str, *, since: datetime | None = None, began: datetime
    ) -> CompletionRecord | None:
        """Return a completion, unless it was stored before `since`, or is not fit and from before `began`."""
        usable = or_(CompletionRow.fit, CompletionRow.created >= began)
        query = select(CompletionRow).where(*_these(book_id, [key_hash]), usable)
        if since is not None:
            query = query.where(CompletionRow.created >= since)
        row = self._one(query)
        return record_of(CompletionRecord, row) if row else None

    def put(self, book_id: str, key_hash: str, completion: CompletionRecord) -> None:
        """Store a completion in place of one under the same hash. Raises BookGone."""
        self._lock(book_id)
        values = {**asdict(completion), "created": now()}
        row = self._insert(CompletionRow).values(book_id=book_id, key_hash=key_hash, **values)
        self._session.execute(row.on_conflict_do_update(index_elements=["book_id", "key_hash"], set_=values))

    def forget(self, book_id: str, key_hashes: Sequence[str]) -> None:
        self._session.execute(delete(CompletionRow).where(*_these(book_id, key_hashes)))


def _these(book_id: str, key_hashes: Sequence[str]) -> tuple[ColumnElement[bool], ...]:
    return (CompletionRow.book_id == book_id, CompletionRow.key_hash.in_(key_hashes))
