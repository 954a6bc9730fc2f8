"""Rows as values: what the repositories return."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from generation.types import Category, Label, Task


class BookState(StrEnum):
    PENDING = "pending"
    """Uploaded; no version is published yet."""
    READY = "ready"
    FAILED = "failed"
    """The first ingest failed or was cancelled; there is nothing to serve."""


class JobState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def ended(self) -> bool:
        return self in (JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED)


class Scope(StrEnum):
    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class CompletionRecord:
    """What a language model wrote on a part of a book."""

    text: str
    finish: str
    thought: bool
    """Whether the model thought before it answered."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    fit: bool = True
    """Whether it can be used."""


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """The uploader's settings for reading a file. A value of None is taken from the file itself."""

    title: str | None = None
    author: str | None = None
    encoding: str | None = None
    force: bool = False
    """Continue in an unsupported language."""


@dataclass(frozen=True, slots=True)
class BookRecord:
    id: str
    library: str
    """The library that contains it; every API key opens exactly one library."""
    content_sha256: str
    """Hash of the uploaded bytes."""
    filename: str | None
    size: int
    state: BookState
    title: str | None
    author: str | None
    language: str | None
    words: int | None
    version: str | None
    """The published version folder; None until the first ingest ends."""
    report: dict[str, Any] | None
    options: ReadingOptions
    created: datetime
    updated: datetime


@dataclass(frozen=True, slots=True)
class EditionRecord:
    """What every answer about a book depends on, besides the question: the same edition, the same answer."""

    version: str
    decisions: int
    """How many readers' decisions are in its log."""
    remarks: int
    """Counts up whenever a reader changes what answers are measured by: references, overruled verdicts."""


@dataclass(frozen=True, slots=True)
class ChapterRecord:
    index: int
    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CharacterRecord:
    """A character of a published book, after decisions, over the whole book."""

    book_id: str
    book_title: str | None
    key: str
    """The character's id in its annotations."""
    name: str
    aliases: tuple[str, ...]
    kind: str
    pronouns: str | None
    mention_count: int


@dataclass(frozen=True, slots=True)
class ReferenceRecord:
    """A text that somebody holds to be correct about a character."""

    book_id: str
    character: str
    """The character's key at the time."""
    task: Task
    name: str
    """The character's name at the time."""
    text: str
    source: str
    """Who wrote it, or where it is from."""
    updated: datetime


@dataclass(frozen=True, slots=True)
class FactRecord:
    """A claim of a stored answer, and the judge's verdict on it."""

    id: str
    subject: str | None
    text: str
    category: Category
    label: Label
    upto: int | None
    """The gate of the answer."""


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """The answers of one generator on one day, with their facts by verdict of one judge."""

    day: date
    generator: str
    judge: str
    answers: int
    facts: dict[Label, int]


@dataclass(frozen=True, slots=True)
class OverrulingRecord:
    """A reader's verdict on a fact, which replaces the judge's."""

    book_id: str
    fact: FactRecord
    name: str | None
    """The character's name at the time."""
    label: Label
    comment: str | None
    by: str | None
    """The name of the key that was used; None where no key is needed."""
    created: datetime
    updated: datetime


class JobKind(StrEnum):
    INGEST = "ingest"
    """Reads an uploaded book."""
    ANSWER = "answer"
    """Writes an answer about a book that is ready."""

    def event(self, what: str) -> str:
        """Return the kind of an event in the life of such a job, as `job.failed`."""
        return f"{'job' if self is JobKind.INGEST else 'answer'}.{what}"


@dataclass(frozen=True, slots=True)
class RepeatableRequest:
    """A request that may come twice, as after a broken connection, and is carried out once."""

    key: str
    """Chosen by the client, another for each request."""
    sha256: str
    """Hash of what is requested, which tells a repeated request from another with the same key."""


@dataclass(frozen=True, slots=True)
class JobRecord:
    id: str
    book_id: str
    library: str
    kind: JobKind
    request: dict[str, Any] | None
    """What is to be written by a job for an answer."""
    state: JobState
    stage: str | None
    """The current stage, or the one in which the job stopped."""
    progress: float
    """Share of the whole job that is done, 0 to 1."""
    seconds_left: float | None
    cancel_requested: bool
    attempts: int
    worker: str | None
    error_code: str | None
    error: str | None
    """One sentence: why it failed."""
    remedy: str | None
    """Another sentence: what to do about it."""
    full_error: str | None
    full_remedy: str | None
    """The same for administrators, if they are told more."""
    timings: dict[str, float]
    """Seconds by stage."""
    tokens: int
    """Tokens of language models that were used, also by attempts that broke off."""
    created: datetime
    started: datetime | None
    ended: datetime | None


@dataclass(frozen=True, slots=True)
class EventRecord:
    id: int
    book_id: str
    job_id: str | None
    kind: str
    data: dict[str, Any]
    created: datetime


@dataclass(frozen=True, slots=True)
class KeyRecord:
    id: str
    name: str
    library: str
    scopes: frozenset[Scope]
    rate_per_minute: int
    quota_per_day: int
    created: datetime
    revoked: datetime | None
    last_used: datetime | None
    used_today: int = 0
    """Requests since midnight UTC that are already recorded."""


@dataclass(frozen=True, slots=True)
class WorkerRecord:
    id: str
    started: datetime
    seen: datetime
