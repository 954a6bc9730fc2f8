"""The log of corrections is append-only, without gaps."""

from __future__ import annotations

import inspect
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from books.types import Span
from coref.decisions.types import Decision, DecisionKind, Sighting
from db.database import Database
from db.repositories import DecisionRepository
from db.types import BookRecord
from tests.db.conftest import AddBook

WORD = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=20)
SPAN = st.tuples(st.integers(0, 10**7), st.integers(0, 999)).map(lambda pair: Span(pair[0], sum(pair)))
SPANS = st.lists(SPAN, max_size=3).map(tuple)
DECISION = st.builds(
    Decision,
    number=st.just(0),
    kind=st.sampled_from(DecisionKind),
    character=st.none() | WORD,
    other=st.none() | WORD,
    name=st.none() | WORD,
    aliases=st.lists(st.text(max_size=9), max_size=3).map(tuple),
    spans=SPANS,
    undoes=st.none() | st.integers(1, 99),
    pronouns=st.booleans(),
    sightings=st.lists(
        st.builds(Sighting, WORD, WORD, st.booleans(), st.integers(0, 99), SPANS),
        max_size=2,
    ).map(tuple),
)


def append(database: Database, book: BookRecord, decision: Decision) -> Decision:
    with database.session() as session:
        return DecisionRepository(session).append(book.id, decision)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(decisions=st.lists(DECISION, min_size=1, max_size=4))
def test_the_log_is_read_as_it_was_written(
    database: Database, add_book: AddBook, decisions: list[Decision]
) -> None:
    book = add_book()
    written = [append(database, book, decision) for decision in decisions]
    assert written == [replace(one, number=at) for at, one in enumerate(decisions, start=1)]
    with database.session(read_only=True) as session:
        log = DecisionRepository(session).log(book.id)
        assert log == tuple(written)
        assert [d.sightings for d in log] == [d.sightings for d in decisions]
        assert DecisionRepository(session).count(book.id) == len(written)


def test_each_book_counts_for_itself(database: Database, add_book: AddBook) -> None:
    hide = Decision(0, DecisionKind.HIDE, character="c")
    one, two = add_book(), add_book()
    assert [append(database, book, hide).number for book in (one, two, one)] == [1, 1, 2]


def test_a_decision_that_was_rolled_back_leaves_no_gap(database: Database, book: BookRecord) -> None:
    def change_of_mind() -> None:
        with database.session() as session:
            DecisionRepository(session).append(book.id, Decision(0, DecisionKind.HIDE, character="c"))
            raise ValueError

    with pytest.raises(ValueError):
        change_of_mind()
    assert append(database, book, Decision(0, DecisionKind.HIDE, character="c")).number == 1


def test_the_log_can_only_be_appended_to() -> None:
    methods = {name for name, _ in inspect.getmembers(DecisionRepository, inspect.isfunction)}
    assert {name for name in methods if not name.startswith("_")} == {
        "append",
        "requested",
        "log",
        "count",
    }
