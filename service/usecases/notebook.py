"""The notebook of a book, in the database."""

from __future__ import annotations

from dataclasses import dataclass

from db.database import Database
from db.repositories import CompletionRepository
from db.types import CompletionRecord
from generation.models.types import Completion, Finish
from generation.types import Usage


@dataclass(frozen=True, slots=True)
class BookNotebook:
    """Each completion is stored as soon as it is written: a summary that breaks off goes on from there."""

    database: Database
    book_id: str

    def get(self, key: str) -> Completion | None:
        with self.database.session(read_only=True) as session:
            kept = CompletionRepository(session).get(self.book_id, key)
        return None if kept is None else Completion(kept.text, Finish(kept.finish), Usage(), kept.thought)

    def put(self, key: str, completion: Completion) -> None:
        record = CompletionRecord(completion.text, completion.finish, completion.thought)
        with self.database.session() as session:
            CompletionRepository(session).put(self.book_id, key, record)
