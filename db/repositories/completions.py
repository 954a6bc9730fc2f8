"""What language models wrote for summaries, under the hash of the request."""

from __future__ import annotations

from sqlalchemy import select

from db.repositories.base import Repository
from db.tables import CompletionRow
from db.types import CompletionRecord


class CompletionRepository(Repository):
    def get(self, book_id: str, key_hash: str) -> CompletionRecord | None:
        query = select(CompletionRow).where(
            CompletionRow.book_id == book_id, CompletionRow.key_hash == key_hash
        )
        row = self._one(query)
        return None if row is None else CompletionRecord(row.text, row.finish, row.thought)

    def put(self, book_id: str, key_hash: str, completion: CompletionRecord) -> None:
        """Store a completion; the first one stays. Raises BookGone."""
        self._lock(book_id)
        row = self._insert(CompletionRow).values(
            book_id=book_id,
            key_hash=key_hash,
            text=completion.text,
            finish=completion.finish,
            thought=completion.thought,
        )
        self._session.execute(row.on_conflict_do_nothing(index_elements=["book_id", "key_hash"]))
