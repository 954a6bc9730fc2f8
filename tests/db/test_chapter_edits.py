"""A reader's correction of where the chapters begin: one edit per book."""

from __future__ import annotations

import pytest

from books.edits import ChapterEdit, ChapterMark
from db.database import Database
from db.errors import BookGone
from db.repositories import ChapterEditRepository
from tests.db.conftest import AddBook

EDIT = ChapterEdit((ChapterMark(0, "One", "It rained"), ChapterMark(90, "二 “Two”", "Then\nit")), "a" * 64)


def test_the_last_edit_of_a_book_counts(database: Database, add_book: AddBook) -> None:
    one, other = add_book(), add_book()
    later = ChapterEdit(EDIT.marks[:1], "b" * 64)
    with database.session() as session:
        edits = ChapterEditRepository(session)
        assert edits.get(one.id) is None
        assert edits.put(one.id, EDIT)
        assert not edits.put(one.id, EDIT)
        assert edits.get(one.id) == EDIT
        assert edits.put(one.id, later)
        assert edits.get(one.id) == later
        assert edits.get(other.id) is None


def test_an_edit_can_be_taken_back(database: Database, add_book: AddBook) -> None:
    book = add_book()
    with database.session() as session:
        edits = ChapterEditRepository(session)
        assert not edits.clear(book.id)
        edits.put(book.id, EDIT)
        assert edits.clear(book.id)
        assert edits.get(book.id) is None


def test_a_book_that_is_gone_has_none(database: Database) -> None:
    with database.session() as session:
        edits = ChapterEditRepository(session)
        with pytest.raises(BookGone):
            edits.put("bk_none", EDIT)
        with pytest.raises(BookGone):
            edits.clear("bk_none")
