"""Kept answers: bounded, forgotten by book, and not for ever."""

from __future__ import annotations

from service.http.answer_cache import Answers


def test_what_was_put_is_found_by_book_and_question() -> None:
    answers = Answers()
    answers.put("b1", ("v1", "q"), b"one")
    assert answers.get("b1", ("v1", "q")) == b"one"
    assert answers.get("b1", ("v2", "q")) is None
    assert answers.get("b2", ("v1", "q")) is None


def test_the_least_used_goes_first_when_there_is_too_much() -> None:
    answers = Answers(most_bytes=30)
    for name in ("a", "b", "c"):
        answers.put("book", (name,), name.encode() * 10)
    answers.get("book", ("a",))
    answers.put("book", ("d",), b"d" * 10)
    assert [answers.get("book", (n,)) is not None for n in ("a", "b", "c", "d")] == [True, False, True, True]


def test_an_answer_that_is_too_large_is_not_kept() -> None:
    answers = Answers(most_bytes=5)
    answers.put("book", ("q",), b"too large")
    assert answers.get("book", ("q",)) is None
    answers.put("book", ("r",), b"fits")
    assert answers.get("book", ("r",)) == b"fits"


def test_putting_again_replaces_and_counts_once() -> None:
    answers = Answers(most_bytes=10)
    for _ in range(50):
        answers.put("book", ("q",), b"123456")
    assert answers.get("book", ("q",)) == b"123456"


def test_a_book_is_forgotten_alone() -> None:
    answers = Answers()
    answers.put("b1", ("q",), b"one")
    answers.put("b2", ("q",), b"two")
    answers.forget("b1")
    assert answers.get("b1", ("q",)) is None
    assert answers.get("b2", ("q",)) == b"two"


def test_answers_grow_old() -> None:
    now = [0.0]
    answers = Answers(longest=60, clock=lambda: now[0])
    answers.put("book", ("q",), b"one")
    now[0] = 59.0
    assert answers.get("book", ("q",)) == b"one"
    now[0] = 61.0
    assert answers.get("book", ("q",)) is None
