"""The last stage: makes the version available and points the database at it, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import books.report
import books.storage
import coref.storage
from books.types import Book
from coref.decisions.log import replay
from coref.decisions.whom import of_today
from coref.types import Annotations
from db.repositories import BookRepository, CharacterRepository, DecisionRepository, JobRepository
from db.store import Builder
from db.types import ChapterRecord
from retrieval.manifest import FORMAT
from retrieval.types import Manifest, StageStamp
from service.jobs.attempt import IngestAttempt


def publish(attempt: IngestAttempt, builder: Builder, *, version: str, keys: Mapping[str, str]) -> None:
    """Can be repeated: after a crash between folder and transaction it does only what is missing."""
    stamps = [builder.finished(stage, key) for stage, key in keys.items()]
    book = books.storage.load(builder.folder)
    folder = builder.publish(_manifest(book, [stamp for stamp in stamps if stamp is not None]))
    annotations = coref.storage.load(folder / coref.storage.FILE)
    _record(attempt, book, annotations, version=version)


def _manifest(book: Book, stamps: list[StageStamp]) -> Manifest:
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return Manifest(format=FORMAT, text_sha256=book.sha256, stages=tuple(stamps), created=created)


def _record(attempt: IngestAttempt, book: Book, annotations: Annotations, *, version: str) -> None:
    book_id, job_id = attempt.job.book_id, attempt.job.id
    with attempt.session() as session:
        shelf = BookRepository(session)
        shelf.lock(book_id)  # a correction that arrives now waits, and then applies to the new cast
        log = of_today(DecisionRepository(session).log(book_id), annotations)
        corrected = replay(annotations, book, log)
        CharacterRepository(session).replace(book_id, corrected.characters)
        shelf.describe(
            book_id,
            title=book.title,
            author=book.author,
            language=book.language,
            words=book.word_count,
            report=books.report.tell(book),
            chapters=[ChapterRecord(c.index, c.title, c.span.start, c.span.end) for c in book.chapters],
        )
        shelf.publish(book_id, version=version)
        attempt.end_stage(session)
        attempt.event(session, "job.succeeded", version=version)
        JobRepository(session).succeed(job_id)
