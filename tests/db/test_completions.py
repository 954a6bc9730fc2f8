"""What was written on a part of a book is found again under its hash, for that book alone."""

from __future__ import annotations

import pytest

from db.columns import now
from db.database import Database
from db.errors import BookGone
from db.repositories import CompletionRepository
from db.types import CompletionRecord
from tests.db.conftest import AddBook

FIRST = CompletionRecord("Ann counts the goats [1].", "stop", False, 20, 5)
SECOND = CompletionRecord("She counts them again [1].", "length", True, 30, 6, fit=True)
UNFIT = CompletionRecord("", "stop", False, 30, 0, fit=False)


def test_the_last_one_stays_until_it_is_forgotten(database: Database, add_book: AddBook) -> None:
    one, other, before = add_book().id, add_book().id, now()
    for record in (FIRST, SECOND):
        with database.session() as session:
            CompletionRepository(session).put(one, "k", record)
    with database.session() as session:
        CompletionRepository(session).put(one, "l", SECOND)
        CompletionRepository(session).put(one, "u", UNFIT)
    with database.session(read_only=True) as session:
        kept = CompletionRepository(session)
        assert kept.get(one, "k", began=now()) == SECOND
        assert kept.get(one, "k", since=before, began=now()) == SECOND
        assert kept.get(one, "k", since=now(), began=now()) is None
        assert kept.get(one, "l", began=now()) == SECOND
        assert kept.get(one, "m", began=now()) is None
        assert (kept.get(one, "u", began=now()), kept.get(one, "u", began=before)) == (None, UNFIT)
        assert kept.get(other, "k", began=now()) is None
    with database.session() as session:
        CompletionRepository(session).forget(one, ["k", "m"])
    with database.session(read_only=True) as session:
        kept = CompletionRepository(session)
        assert (kept.get(one, "k", began=now()), kept.get(one, "l", began=now())) == (None, SECOND)


def test_nothing_is_kept_of_a_book_that_is_gone(database: Database) -> None:
    with pytest.raises(BookGone), database.session() as session:
        CompletionRepository(session).put("bk_gone", "k", FIRST)
