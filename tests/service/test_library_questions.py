"""Several books are asked: the likeliest answer, up to where each has been read, and the others are told."""

from __future__ import annotations

import pytest

from coref.errors import CharacterAmbiguous
from service.library import Library
from service.services import Services
from service.usecases import library_questions
from service.usecases.answer_request import Wanted
from service.usecases.library_questions import (
    BookAnswer,
    LibraryAnswers,
    ask_books,
    choose_books,
    estimate_books,
)
from tests.service.conftest import HOME

ASKED = "What did Miss Lane keep at the mill?"


def asked(
    services: Services, question: str = ASKED, *, told: list[BookAnswer] | None = None, **upto: str
) -> LibraryAnswers:
    library = Library(services, HOME)
    chosen = choose_books(library, question, books=(), upto=upto)
    return ask_books(library, chosen, Wanted(), tell=[].append if told is None else told.append)


def test_a_book_that_is_sure_enough_answers(
    services: Services, book_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_questions, "SURE", 0.0)
    doubtful = asked(services, "Why was Miss Lane late?")
    assert (doubtful.answers, [record.id for record in doubtful.silent]) == ((), [book_id])
    monkeypatch.setattr("generation.writing.offline.reply.SURE", 0.0)
    told: list[BookAnswer] = []
    found = asked(services, told=told)
    (answered,) = found.answers
    assert answered.answer.book_id == book_id
    assert told == [answered]
    assert answered.answer.portrait.question == ASKED
    assert found.silent == found.skipped == ()


def test_what_it_will_cost(services: Services, book_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_questions, "SURE", 0.0)
    library = Library(services, HOME)
    found = estimate_books(library, choose_books(library, ASKED, books=(), upto={book_id: "1"}), Wanted())
    (planned,) = found.estimates
    assert planned.asked.request.question == ASKED
    assert planned.asked.view.upto is not None
    assert not found.silent
    assert not found.skipped


def test_a_book_that_is_not_is_told(
    services: Services, book_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_questions, "SURE", 1.1)
    found = asked(services)
    assert found.answers == ()
    assert [record.id for record in found.silent] == [book_id]


def test_each_is_asked_as_far_as_it_has_been_read(
    services: Services, book_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_questions, "SURE", 0.0)
    monkeypatch.setattr("generation.writing.offline.reply.SURE", 0.0)
    (answered,) = asked(services, **{book_id: "1"}).answers
    end = Library(services, HOME).view(book_id).book.chapters[0].span.end
    portrait = answered.answer.portrait
    assert all(c.span.end <= end for s in portrait.sentences for c in s.citations)
    assert answered.view.upto == end


def test_every_book_tells_what_happens_in_a_chapter(services: Services, book_id: str) -> None:
    (answered,) = asked(services, "What happens in chapter 1?").answers
    assert {c.chapter for s in answered.answer.portrait.sentences for c in s.citations} == {0}


def test_a_book_with_the_person_says_who_that_is_whatever_its_likeliest_place(
    services: Services, book_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_questions, "SURE", 0.9)
    (answered,) = asked(services, "Who is Mr. Ford?").answers
    assert answered.answer.book_id == book_id


def test_a_book_without_the_chapter_is_told(services: Services, book_id: str) -> None:
    found = asked(services, "What did Miss Lane keep in chapter 99?")
    assert [(s.record.id, s.why.code) for s in found.skipped] == [(book_id, "chapter_unknown")]


def test_a_book_in_which_a_name_means_several_people_is_told(
    services: Services, book_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def several(*_: object) -> float:
        raise CharacterAmbiguous("“Lane” matches 2 characters.", candidates=("a", "b"))

    monkeypatch.setattr(library_questions, "_odds", several)
    found = asked(services)
    assert [(s.record.id, s.why.code) for s in found.skipped] == [(book_id, "character_ambiguous")]
    assert found.answers == found.silent == ()
