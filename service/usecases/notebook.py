"""The notebook of a book, in the database."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from db.database import Database
from db.repositories import CompletionRepository
from db.types import CompletionRecord
from generation.models.types import Completion, Finish
from generation.types import Usage


@dataclass(slots=True)
class BookNotebook:
    """Each completion is stored as soon as it is written: a summary that breaks off goes on from there."""

    database: Database
    book_id: str
    since: datetime | None = None
    """What was written before is written again."""
    _keys: set[str] = field(default_factory=set)

    def get(self, key: str) -> Completion | None:
        with self.database.session(read_only=True) as session:
            kept = CompletionRepository(session).get(self.book_id, key, since=self.since)
        if kept is None:
            return None
        self._keys.add(key)
        return Completion(kept.text, Finish(kept.finish), Usage(), kept.thought)

    def put(self, key: str, completion: Completion) -> None:
        record = CompletionRecord(completion.text, completion.finish, completion.thought)
        with self.database.session() as session:
            CompletionRepository(session).put(self.book_id, key, record)
        self._keys.add(key)

    def forget(self) -> None:
        """Remove all that an answer was made of, because the answer was rejected for it."""
        with self.database.session() as session:
            CompletionRepository(session).forget(self.book_id, sorted(self._keys))
