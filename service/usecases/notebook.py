"""The notebook of a book, in the database."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from db.database import Database
from db.repositories import CompletionRepository, JobRepository
from db.types import CompletionRecord
from generation.models.types import Completion, Finish
from generation.types import Usage


@dataclass(slots=True)
class BookNotebook:
    """Each completion is stored as soon as it is written: a summary that breaks off goes on from there."""

    database: Database
    book_id: str
    since: datetime | None
    """What was written before is written again."""
    began: datetime
    """What was written before and is not fit is written again."""
    job_id: str | None
    """The job that pays for it, if any."""
    _keys: set[str] = field(default_factory=set)

    def get(self, key: str) -> Completion | None:
        with self.database.session(read_only=True) as session:
            completions = CompletionRepository(session)
            kept = completions.get(self.book_id, key, since=self.since, began=self.began)
        if kept is None:
            return None
        self._keys.add(key)
        usage = Usage(kept.prompt_tokens, kept.completion_tokens, calls=1)
        return Completion(kept.text, Finish(kept.finish), usage, kept.thought, fit=kept.fit)

    def put(self, key: str, completion: Completion, *, fit: bool) -> None:
        """Store a completion together with what it has cost the job."""
        usage = completion.usage
        record = CompletionRecord(
            completion.text,
            completion.finish,
            completion.thought,
            usage.prompt_tokens,
            usage.completion_tokens,
            fit,
        )
        with self.database.session() as session:
            CompletionRepository(session).put(self.book_id, key, record)
            if self.job_id is not None:
                JobRepository(session).spend(self.job_id, usage.tokens)
        self._keys.add(key)

    def spent(self) -> int:
        """Return the tokens that the job has used."""
        if self.job_id is None:
            return 0
        with self.database.session(read_only=True) as session:
            job = JobRepository(session).get(self.job_id)
        return 0 if job is None else job.tokens

    def spend(self, tokens: int) -> None:
        if self.job_id is not None and tokens:
            with self.database.session() as session:
                JobRepository(session).spend(self.job_id, tokens)

    def forget(self) -> None:
        """Remove all that an answer was made of, because the answer was rejected for it."""
        with self.database.session() as session:
            CompletionRepository(session).forget(self.book_id, sorted(self._keys))
