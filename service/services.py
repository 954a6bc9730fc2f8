"""The dependencies of the use cases, created once per process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from db.database import Database, Session
from db.store import ArtefactStore
from db.types import BookRecord, JobRecord
from service.answers_in_progress import Making
from service.engines import Engines
from service.settings import Settings
from service.shelf import Shelf


class JobQueue(Protocol):
    """The part of the durable jobs that use cases need; `service.jobs.engine` implements it."""

    def start(self, *, working: bool) -> None: ...

    def enqueue(self, job: JobRecord) -> None: ...

    def cancel(self, job_id: str) -> None: ...

    def give_up(self, session: Session, book: BookRecord, error: Exception) -> None: ...

    def wait(self, job_id: str, timeout: float) -> JobRecord: ...

    def outdated(self, books: Sequence[BookRecord]) -> frozenset[str]: ...


@dataclass(frozen=True, slots=True)
class Services:
    settings: Settings
    database: Database
    store: ArtefactStore
    engines: Engines
    shelf: Shelf
    jobs: JobQueue
    making: Making = field(default_factory=Making)
