"""The tables. Rows stay in this package: repositories turn them into the values of `db/types.py`.

All data about a book is deleted with it (ON DELETE CASCADE); sums over books stay.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    false,
    true,
)
from sqlalchemy import text as sql
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from db.columns import Moment, PlainText, now
from db.identity import make_id
from db.types import BookState, JobKind, JobState


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy reads it so
        str: PlainText,
        datetime: Moment,
        dict[str, Any]: JSON(none_as_null=True),
        list[Any]: JSON(none_as_null=True),
    }


def _book_id(*, primary_key: bool = False, index: bool = False) -> Mapped[str]:
    reference = ForeignKey("books.id", ondelete="CASCADE")
    return mapped_column(PlainText, reference, primary_key=primary_key, index=index)


def _one_of(column: str, words: type[BookState] | type[JobState]) -> CheckConstraint:
    allowed = ", ".join(f"'{word}'" for word in words)
    return CheckConstraint(f"{column} IN ({allowed})", name=column)


class BookRow(Base):
    __tablename__ = "books"
    __table_args__ = (
        Index("uq_books_library_content_sha256", "library", "content_sha256", unique=True),
        Index("ix_books_library_id", "library", "id"),
        _one_of("state", BookState),
    )

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: make_id("bk"))
    library: Mapped[str]
    content_sha256: Mapped[str]
    filename: Mapped[str | None]
    size: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[str] = mapped_column(default=BookState.PENDING)
    title: Mapped[str | None]
    author: Mapped[str | None]
    language: Mapped[str | None]
    words: Mapped[int | None] = mapped_column(BigInteger)
    version: Mapped[str | None]
    report: Mapped[dict[str, Any] | None]
    given_title: Mapped[str | None]
    given_author: Mapped[str | None]
    """As given by the uploader of the book; `title` and `author` are the book's own."""
    encoding: Mapped[str | None]
    force: Mapped[bool] = mapped_column(default=False, server_default=false())
    remarks: Mapped[int] = mapped_column(default=0, server_default="0")
    """Incremented whenever a reader changes what answers are measured by: references, overruled verdicts."""
    created: Mapped[datetime] = mapped_column(default=now)
    updated: Mapped[datetime] = mapped_column(default=now, onupdate=now)


class ChapterRow(Base):
    __tablename__ = "chapters"

    book_id: Mapped[str] = _book_id(primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    start_offset: Mapped[int] = mapped_column(BigInteger)
    end_offset: Mapped[int] = mapped_column(BigInteger)


class ChapterEditRow(Base):
    """A reader's correction of where the chapters begin; kept when the book is read again."""

    __tablename__ = "chapter_edits"

    book_id: Mapped[str] = _book_id(primary_key=True)
    text_sha256: Mapped[str]
    marks: Mapped[list[Any]]
    """Rows of start, title and quote."""
    updated: Mapped[datetime] = mapped_column(default=now)


class CharacterRow(Base):
    __tablename__ = "characters"

    book_id: Mapped[str] = _book_id(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int]
    """Rank in the cast: 0 is the most mentioned."""
    name: Mapped[str]
    kind: Mapped[str]
    pronouns: Mapped[str | None]
    mention_count: Mapped[int]


class AliasRow(Base):
    """A name of a character, for display and for lookup."""

    __tablename__ = "aliases"
    __table_args__ = (
        ForeignKeyConstraint(
            ["book_id", "character_key"], ["characters.book_id", "characters.key"], ondelete="CASCADE"
        ),
        Index("ix_aliases_library_folded", "library", "folded"),
        Index("ix_aliases_library_bare", "library", "bare"),
    )

    book_id: Mapped[str] = mapped_column(primary_key=True)
    character_key: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    library: Mapped[str]
    """Copied from the book, so that one index finds a name among all books of a library."""
    text: Mapped[str]
    folded: Mapped[str]
    bare: Mapped[str]
    """Folded, without titles."""


class DecisionRow(Base):
    """Append-only: rows are never changed."""

    __tablename__ = "decisions"

    book_id: Mapped[str] = _book_id(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    character: Mapped[str | None]
    other: Mapped[str | None]
    name: Mapped[str | None]
    aliases: Mapped[list[Any]]
    spans: Mapped[list[Any]]
    undoes: Mapped[int | None]
    pronouns: Mapped[bool] = mapped_column(default=False, server_default=false())
    sightings: Mapped[list[Any] | None]
    """None: made before these were recorded."""
    idempotency_key: Mapped[str | None]
    """Chosen by the client: the same request with the same key again is this decision."""
    request_sha256: Mapped[str | None]
    created: Mapped[datetime] = mapped_column(default=now)


class PortraitRow(Base):
    __tablename__ = "portraits"

    book_id: Mapped[str] = _book_id(primary_key=True)
    key_hash: Mapped[str] = mapped_column(primary_key=True)
    task: Mapped[str]
    characters: Mapped[list[Any]]
    payload: Mapped[dict[str, Any]]
    created: Mapped[datetime] = mapped_column(default=now)


class CompletionRow(Base):
    """What a language model wrote on a part of a book, for its summary."""

    __tablename__ = "completions"

    book_id: Mapped[str] = _book_id(primary_key=True)
    key_hash: Mapped[str] = mapped_column(primary_key=True)
    text: Mapped[str]
    finish: Mapped[str]
    thought: Mapped[bool]
    prompt_tokens: Mapped[int] = mapped_column(default=0, server_default="0")
    completion_tokens: Mapped[int] = mapped_column(default=0, server_default="0")
    fit: Mapped[bool] = mapped_column(default=True, server_default=true())
    created: Mapped[datetime] = mapped_column(default=now)


class FactRow(Base):
    """A claim of a portrait and the result of its check, stored separately so that quality can be counted."""

    __tablename__ = "facts"
    __table_args__ = (
        ForeignKeyConstraint(
            ["book_id", "key_hash"], ["portraits.book_id", "portraits.key_hash"], ondelete="CASCADE"
        ),
        Index("ix_facts_book_id_fact_id", "book_id", "fact_id"),
    )

    book_id: Mapped[str] = mapped_column(primary_key=True)
    key_hash: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    fact_id: Mapped[str | None]
    """The id for readers: the same for the same claim in other answers."""
    subject: Mapped[str | None]
    upto: Mapped[int | None] = mapped_column(BigInteger)
    category: Mapped[str]
    label: Mapped[str]
    text: Mapped[str]
    score: Mapped[float]
    evidence: Mapped[list[Any]]


class AnswerCountRow(Base):
    """Verdict counts for the answers of one day.

    They are added when the answers are written, and kept when their book is deleted.
    """

    __tablename__ = "answer_counts"

    day: Mapped[date] = mapped_column(primary_key=True)
    library: Mapped[str] = mapped_column(primary_key=True)
    generator: Mapped[str] = mapped_column(primary_key=True)
    judge: Mapped[str] = mapped_column(primary_key=True)
    answers: Mapped[int] = mapped_column(BigInteger)
    supported: Mapped[int] = mapped_column(BigInteger)
    contradicted: Mapped[int] = mapped_column(BigInteger)
    unsupported: Mapped[int] = mapped_column(BigInteger)
    uncertain: Mapped[int] = mapped_column(BigInteger)
    """Facts by verdict, summed over the answers."""


class ComparisonRow(Base):
    """A comparison of an answer with a reference text. Deleted with the answer, replaced with the text."""

    __tablename__ = "comparisons"
    __table_args__ = (
        ForeignKeyConstraint(
            ["book_id", "key_hash"], ["portraits.book_id", "portraits.key_hash"], ondelete="CASCADE"
        ),
    )

    book_id: Mapped[str] = mapped_column(primary_key=True)
    key_hash: Mapped[str] = mapped_column(primary_key=True)
    made_of: Mapped[str]
    """Hash of the text and of the comparing engine."""
    payload: Mapped[dict[str, Any]]


class ReferenceRow(Base):
    """A text that somebody holds to be correct about a character; the last one counts."""

    __tablename__ = "character_references"

    book_id: Mapped[str] = _book_id(primary_key=True)
    character: Mapped[str] = mapped_column(primary_key=True)
    task: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    """The character's name at the time: finds it again if a better resolver gives it another id."""
    text: Mapped[str]
    source: Mapped[str]
    updated: Mapped[datetime] = mapped_column(default=now)


class OverrulingRow(Base):
    """A reader's verdict that overrides the judge's, on a claim and not on its place in one answer."""

    __tablename__ = "overrulings"

    book_id: Mapped[str] = _book_id(primary_key=True)
    fact_id: Mapped[str] = mapped_column(primary_key=True)
    character: Mapped[str | None]
    name: Mapped[str | None]
    text: Mapped[str]
    category: Mapped[str]
    judged: Mapped[str]
    label: Mapped[str]
    comment: Mapped[str | None]
    by: Mapped[str | None]
    """The name of the key; None on this machine, where no key is needed."""
    upto: Mapped[int | None] = mapped_column(BigInteger)
    created: Mapped[datetime] = mapped_column(default=now)
    updated: Mapped[datetime] = mapped_column(default=now)


class JobRow(Base):
    __tablename__ = "jobs"
    __table_args__ = (
        Index(
            "uq_jobs_book_id_active",
            "book_id",
            unique=True,
            sqlite_where=sql("kind = 'ingest' AND state IN ('queued', 'running')"),
            postgresql_where=sql("kind = 'ingest' AND state IN ('queued', 'running')"),
        ),
        Index("ix_jobs_library_id", "library", "id"),
        _one_of("state", JobState),
    )

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: make_id("job"))
    book_id: Mapped[str] = _book_id(index=True)
    library: Mapped[str]
    kind: Mapped[str] = mapped_column(default=JobKind.INGEST, server_default=JobKind.INGEST)
    request: Mapped[dict[str, Any] | None]
    state: Mapped[str] = mapped_column(default=JobState.QUEUED, index=True)
    stage: Mapped[str | None]
    progress: Mapped[float] = mapped_column(default=0.0)
    seconds_left: Mapped[float | None]
    cancel_requested: Mapped[bool] = mapped_column(default=False)
    attempts: Mapped[int] = mapped_column(default=0)
    worker: Mapped[str | None]
    error_code: Mapped[str | None]
    error: Mapped[str | None]
    remedy: Mapped[str | None]
    full_error: Mapped[str | None]
    full_remedy: Mapped[str | None]
    timings: Mapped[dict[str, Any]] = mapped_column(default=dict)
    tokens: Mapped[int] = mapped_column(default=0, server_default="0")
    created: Mapped[datetime] = mapped_column(default=now)
    started: Mapped[datetime | None]
    ended: Mapped[datetime | None]


class EventRow(Base):
    __tablename__ = "events"
    __table_args__ = (
        Index("ix_events_book_id_id", "book_id", "id"),
        # A number is never reused, even after the newest events were deleted: readers resume by it.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    book_id: Mapped[str] = _book_id()
    job_id: Mapped[str | None]
    kind: Mapped[str]
    data: Mapped[dict[str, Any]]
    created: Mapped[datetime] = mapped_column(default=now, index=True)


class KeyRow(Base):
    """An API key; the key itself is shown once and never stored."""

    __tablename__ = "api_keys"
    __table_args__ = (Index("uq_api_keys_key_sha256", "key_sha256", unique=True),)

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: make_id("key"))
    name: Mapped[str]
    library: Mapped[str]
    scopes: Mapped[list[Any]]
    rate_per_minute: Mapped[int]
    quota_per_day: Mapped[int]
    key_sha256: Mapped[str]
    created: Mapped[datetime] = mapped_column(default=now)
    revoked: Mapped[datetime | None]


class KeyUseRow(Base):
    """The use of a key on one day."""

    __tablename__ = "key_uses"

    key_id: Mapped[str] = mapped_column(ForeignKey("api_keys.id", ondelete="CASCADE"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    amount: Mapped[int] = mapped_column(BigInteger)
    last: Mapped[datetime]


class WorkerRow(Base):
    __tablename__ = "workers"

    id: Mapped[str] = mapped_column(primary_key=True)
    started: Mapped[datetime]
    seen: Mapped[datetime] = mapped_column(index=True)
