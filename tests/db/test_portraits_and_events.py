"""Stored answers with their facts, and the events of a book, in order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import select

from books.types import Span
from db.database import Database
from db.repositories import EventRepository, PortraitRepository
from db.repositories.events import LARGEST
from db.tables import FactRow
from db.types import BookRecord
from generation.types import Category, Citation, Claim, Fact, Label, Task, Verdict
from tests.db.conftest import AddBook

PAYLOAD = {"text": "Emma schemes.\x00 \ud83d", "score": 0.1, "nested": [{"a": None}], "é": "“”"}


def fact(text: str, label: Label = Label.SUPPORTED) -> Fact:
    claim = Claim(text, Category.PERSONALITY, 0, Span(0, len(text)), "c-emma")
    return Fact(claim, Verdict(label, 0.75, (Citation(Span(3, 9), 1),), "offline"))


def put(database: Database, book: BookRecord, payload: dict[str, object], *facts: Fact) -> None:
    with database.session() as session:
        PortraitRepository(session).put(
            book.id, "key", task=Task.DESCRIPTION, characters=["c-emma"], payload=payload, facts=facts
        )


def test_an_answer_comes_back_as_it_was(database: Database, book: BookRecord, add_book: AddBook) -> None:
    put(database, book, PAYLOAD)
    with database.session(read_only=True) as session:
        portraits = PortraitRepository(session)
        assert portraits.get(book.id, "key") == PAYLOAD
        assert portraits.get(book.id, "another key") is None
        assert portraits.get("another book", "key") is None


def test_putting_again_replaces_answer_and_facts(database: Database, book: BookRecord) -> None:
    put(database, book, {"try": 1}, fact("Emma is rich."), fact("Emma is poor.", Label.CONTRADICTED))
    put(database, book, {"try": 2}, fact("Emma is clever."))
    with database.session(read_only=True) as session:
        assert PortraitRepository(session).get(book.id, "key") == {"try": 2}
        row = session.scalars(select(FactRow)).one()
    assert (row.position, row.category, row.label, row.text, row.score) == (
        0,
        "personality",
        "supported",
        "Emma is clever.",
        0.75,
    )
    assert row.evidence == [{"start": 3, "end": 9, "chapter": 1}]


def test_events_are_read_on_from_where_one_was(database: Database, add_book: AddBook) -> None:
    book, other = add_book(), add_book()
    with database.session() as session:
        events = EventRepository(session)
        numbers = [
            events.append(book.id, job_id="job_1", kind="progress", data={"at": at, "é": "\x00"})
            for at in range(4)
        ]
        events.append(other.id, job_id=None, kind="decided", data={})
        assert numbers == sorted(set(numbers))
        assert [one.id for one in events.since(book.id, after=0, limit=9)] == numbers
        assert [one.id for one in events.since(book.id, after=numbers[1], limit=1)] == [numbers[2]]
        assert events.since(book.id, after=numbers[3], limit=9) == []
        assert events.since(book.id, after=LARGEST * 100, limit=9) == []
        first = events.since(book.id, after=-1, limit=1)[0]
    assert (first.book_id, first.job_id, first.kind) == (book.id, "job_1", "progress")
    assert first.data == {"at": 0, "é": "\x00"}
    assert abs(datetime.now(UTC) - first.created) < timedelta(minutes=1)


def test_numbers_are_not_used_twice(database: Database, book: BookRecord) -> None:
    with database.session() as session:
        events = EventRepository(session)
        last = events.append(book.id, job_id=None, kind="k", data={})
        assert events.prune(datetime.now(UTC) - timedelta(hours=1)) == 0
        assert events.prune(datetime.now(UTC) + timedelta(hours=1)) == 1
        assert events.append(book.id, job_id=None, kind="k", data={}) > last
