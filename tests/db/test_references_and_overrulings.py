"""Data that readers measure answers by: reference texts, and verdicts that they overrule."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import func, select

from books.types import Span
from db.database import Database
from db.errors import BookGone
from db.repositories import BookRepository, OverrulingRepository, PortraitRepository, ReferenceRepository
from db.tables import ComparisonRow, OverrulingRow, ReferenceRow
from db.types import BookRecord, FactRecord, OverrulingRecord
from generation.types import Category, Claim, Fact, Label, Task, Verdict
from tests.db.conftest import AddBook

EMMA = {"name": "Emma", "text": "Emma is rich. “Vain” 二", "source": "a reader"}
RICH = FactRecord("f_rich", "c-emma", "Emma is rich.", Category.ROLE, Label.UNSUPPORTED, None)
NEAR = FactRecord("f_near", "c-emma", "Emma is rich.", Category.ROLE, Label.SUPPORTED, 900)


def overrule(database: Database, book: BookRecord, fact: FactRecord, **said: object) -> OverrulingRecord:
    words = {"name": "Emma", "label": Label.SUPPORTED, "comment": None, "by": None, **said}
    with database.session() as session:
        return OverrulingRepository(session).put(book.id, fact, **words)  # type: ignore[arg-type]


def remarks(database: Database, book: BookRecord) -> int:
    with database.session(read_only=True) as session:
        return BookRepository(session).remarks(book.id)


def test_a_reference_is_kept_for_each_character_and_task(database: Database, add_book: AddBook) -> None:
    book, other = add_book(), add_book()
    with database.session() as session:
        references = ReferenceRepository(session)
        assert references.put(book.id, "c-emma", Task.DESCRIPTION, **EMMA)
        assert not references.put(book.id, "c-emma", Task.DESCRIPTION, **EMMA | {"text": EMMA["text"]})
        assert references.put(book.id, "c-emma", Task.ANALYSIS, **EMMA)
        assert references.put(book.id, "c-emma", Task.DESCRIPTION, **EMMA | {"text": "Emma is poor."})
    with database.session(read_only=True) as session:
        kept = ReferenceRepository(session).of_book(book.id)
        assert ReferenceRepository(session).of_book(other.id) == []
    assert [(one.task, one.text) for one in kept] == [
        (Task.DESCRIPTION, "Emma is poor."),
        (Task.ANALYSIS, EMMA["text"]),
    ], "the newest first"
    assert {(one.character, one.name, one.source) for one in kept} == {("c-emma", "Emma", "a reader")}


def test_a_reference_is_taken_back(database: Database, book: BookRecord) -> None:
    with database.session() as session:
        references = ReferenceRepository(session)
        references.put(book.id, "c-emma", Task.DESCRIPTION, **EMMA)
        assert not references.delete(book.id, "c-emma", Task.ANALYSIS)
        assert references.delete(book.id, "c-emma", Task.DESCRIPTION)
        assert not references.delete(book.id, "c-emma", Task.DESCRIPTION)
        assert references.of_book(book.id) == []


def test_an_overruling_is_kept_as_it_was_given(database: Database, book: BookRecord) -> None:
    kept = overrule(database, book, RICH, comment="p. 1\x00", by="librarian")
    assert (kept.fact, kept.label, kept.comment, kept.by) == (
        RICH,
        Label.SUPPORTED,
        "p. 1\ufffd",
        "librarian",
    )
    again = overrule(database, book, RICH, label=Label.CONTRADICTED)
    assert (again.label, again.comment, again.by) == (Label.CONTRADICTED, None, None)
    assert again.created == kept.created
    assert again.updated > kept.updated
    with database.session(read_only=True) as session:
        assert OverrulingRepository(session).of_book(book.id) == [again]


def test_overrulings_are_listed_by_pages_as_far_as_one_has_read(database: Database, book: BookRecord) -> None:
    far = overrule(database, book, RICH)
    near = overrule(database, book, NEAR)
    nobody = overrule(database, book, replace(RICH, id="f_none", subject=None), name=None)
    with database.session(read_only=True) as session:
        overrulings = OverrulingRepository(session)
        assert overrulings.of_book(book.id) == [far, near, nobody]
        assert overrulings.of_book(book.id, start=1, limit=1) == [near]
        assert overrulings.of_book(book.id, upto=900) == [near]
        assert overrulings.of_book(book.id, upto=899) == []
        assert (overrulings.count(book.id), overrulings.count(book.id, upto=900)) == (3, 1)


def test_an_overruling_is_taken_back(database: Database, book: BookRecord) -> None:
    overrule(database, book, RICH)
    with database.session() as session:
        assert OverrulingRepository(session).delete(book.id, RICH.id)
        assert not OverrulingRepository(session).delete(book.id, RICH.id)
        assert OverrulingRepository(session).get(book.id, RICH.id) is None


def test_every_change_is_remarked(database: Database, add_book: AddBook) -> None:
    book, other = add_book(), add_book()
    seen = [remarks(database, book)]
    for change in ("put", "put", "overrule", "overrule", "delete", "delete"):
        with database.session() as session:
            if change == "put":
                ReferenceRepository(session).put(book.id, "c-emma", Task.DESCRIPTION, **EMMA)
            elif change == "delete":
                OverrulingRepository(session).delete(book.id, RICH.id)
        if change == "overrule":
            overrule(database, book, RICH)
        seen.append(remarks(database, book))
    assert seen == [0, 1, 1, 2, 3, 4, 4], "what changes nothing is not remarked"
    assert remarks(database, other) == 0


def keep(database: Database, book: BookRecord, key: str = "key", label: Label = Label.SUPPORTED) -> None:
    claim = Claim("Emma is rich.", Category.ROLE, 0, Span(0, 12), "c-emma")
    facts = [Fact(claim, Verdict(label, 1.0, (), "offline"))]
    with database.session() as session:
        PortraitRepository(session).put(
            book.id, key, task=Task.DESCRIPTION, characters=["c-emma"], payload={}, facts=facts,
            fact_ids=["f_rich"], upto=900,
        )  # fmt: skip


def test_a_fact_is_found_by_its_id(database: Database, add_book: AddBook) -> None:
    book, other = add_book(), add_book()
    keep(database, book)
    keep(database, book, "later", Label.UNCERTAIN)
    with database.session(read_only=True) as session:
        portraits = PortraitRepository(session)
        found = portraits.fact(book.id, "f_rich")
        assert found == FactRecord("f_rich", "c-emma", "Emma is rich.", Category.ROLE, Label.UNCERTAIN, 900)
        assert portraits.fact(other.id, "f_rich") is None
        assert portraits.fact(book.id, "f_other") is None


def test_a_comparison_goes_with_its_answer(database: Database, book: BookRecord) -> None:
    with database.session() as session:
        portraits = PortraitRepository(session)
        assert not portraits.compared(book.id, "key", made_of="a", payload={"try": 1})
    keep(database, book)
    with database.session() as session:
        portraits = PortraitRepository(session)
        assert portraits.compared(book.id, "key", made_of="a", payload={"try": 1})
        assert portraits.comparison(book.id, "key", made_of="a") == {"try": 1}
        assert portraits.comparison(book.id, "key", made_of="b") is None
        assert portraits.compared(book.id, "key", made_of="b", payload={"try": 2})
        assert portraits.comparison(book.id, "key", made_of="a") is None
        assert portraits.comparison(book.id, "key", made_of="b") == {"try": 2}
    keep(database, book)
    with database.session(read_only=True) as session:
        assert PortraitRepository(session).comparison(book.id, "key", made_of="b") is None


def test_all_of_it_goes_with_the_book(database: Database, book: BookRecord) -> None:
    keep(database, book)
    overrule(database, book, RICH)
    with database.session() as session:
        PortraitRepository(session).compared(book.id, "key", made_of="a", payload={})
        ReferenceRepository(session).put(book.id, "c-emma", Task.DESCRIPTION, **EMMA)
        assert BookRepository(session).delete(book.id)
        for table in (ComparisonRow, OverrulingRow, ReferenceRow):
            assert session.scalar(select(func.count()).select_from(table)) == 0
    with pytest.raises(BookGone):
        overrule(database, book, RICH)
    with pytest.raises(BookGone), database.session() as session:
        ReferenceRepository(session).put(book.id, "c-emma", Task.DESCRIPTION, **EMMA)
