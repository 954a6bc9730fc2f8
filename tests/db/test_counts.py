"""Verdict counts by day: sums that many writers add to, and that outlive the books."""

from __future__ import annotations

from datetime import date, timedelta

from db.database import Database
from db.repositories import BookRepository, CountRepository
from db.types import AnswerCounts, BookRecord
from generation.types import Label
from tests.db.test_concurrency import PROCESSES, ROUNDS, THREADS, in_processes, in_threads

TODAY = date(2026, 11, 20)
YES, NO = Label.SUPPORTED, Label.CONTRADICTED


def add(database: Database, *verdicts: Label, **other: object) -> None:
    about = {"day": TODAY, "library": "home", "generator": "offline/3", "judge": "offline/2"} | other
    with database.session() as session:
        CountRepository(session).add(**about, verdicts=verdicts)  # type: ignore[arg-type]


def since(
    database: Database, day: date = TODAY, *, library: str = "home", limit: int = 99
) -> list[AnswerCounts]:
    with database.session(read_only=True) as session:
        return CountRepository(session).since(day, library=library, limit=limit)


def test_answers_of_a_day_add_up(database: Database) -> None:
    add(database, YES, YES, NO)
    add(database)
    add(database, YES, Label.UNCERTAIN)
    (counts,) = since(database)
    assert (counts.day, counts.generator, counts.judge, counts.answers) == (
        TODAY,
        "offline/3",
        "offline/2",
        3,
    )
    assert counts.facts == {YES: 3, NO: 1, Label.UNSUPPORTED: 0, Label.UNCERTAIN: 1}


def test_days_writers_judges_and_libraries_are_kept_apart(database: Database) -> None:
    others = (
        {"day": TODAY - timedelta(1)},
        {"generator": "llama/x"},
        {"judge": "nli/y"},
        {"library": "next"},
    )
    for other in ({}, *others):
        add(database, YES, **other)
    assert [counts.answers for counts in since(database)] == [1, 1, 1]
    assert [counts.day for counts in since(database, TODAY - timedelta(1))] == [
        TODAY - timedelta(1),
        *[TODAY] * 3,
    ]
    assert [(c.generator, c.judge) for c in since(database, library="next")] == [("offline/3", "offline/2")]
    assert since(database, TODAY + timedelta(1)) == []


def test_of_too_many_the_newest_are_told(database: Database) -> None:
    for back in range(4):
        add(database, YES, day=TODAY - timedelta(back))
    told = since(database, TODAY - timedelta(9), limit=2)
    assert [counts.day for counts in told] == [TODAY - timedelta(1), TODAY]


def test_history_stays_when_a_book_goes(database: Database, book: BookRecord) -> None:
    add(database, YES)
    with database.session() as session:
        assert BookRepository(session).delete(book.id)
    assert [counts.answers for counts in since(database)] == [1]


def test_nothing_is_lost_between_threads(database: Database) -> None:
    def write(number: int) -> None:
        for _ in range(ROUNDS):
            add(database, YES, *[NO] * (number % 2))

    in_threads(write)
    (counts,) = since(database)
    assert (counts.answers, counts.facts[YES]) == (THREADS * ROUNDS, THREADS * ROUNDS)
    assert counts.facts[NO] == THREADS // 2 * ROUNDS


def add_from_a_process(url: str, _number: int) -> None:
    database = Database(url)
    for _ in range(ROUNDS):
        add(database, YES)
    database.dispose()


@PROCESSES
def test_nothing_is_lost_between_processes(database: Database, database_url: str, processes: int) -> None:
    in_processes(processes, add_from_a_process, database_url)
    assert [counts.answers for counts in since(database)] == [processes * ROUNDS]
