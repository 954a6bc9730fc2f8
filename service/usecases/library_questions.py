"""A question to several books: asked of those that are likeliest to answer it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from coref.errors import CharacterAmbiguous
from db.types import BookRecord
from generation.answering import answered
from generation.types import Task
from generation.writing.offline.reply import SURE
from service.errors import ChapterUnknown
from service.library import Library
from service.shelf import View
from service.usecases import answers
from service.usecases.answer_request import OpenRequest, Wanted
from service.usecases.answers import Answer, Estimate
from service.usecases.questions import asked_view, people_in, places_for
from service.usecases.searching import OF_THE_BOOK, Skipped

ANSWERS_MOST: Final = 5
"""Maximum number of books that answer."""
BOOKS_MOST: Final = 50
"""Maximum number of books that are asked."""


@dataclass(frozen=True, slots=True)
class BookAnswer:
    view: View
    answer: Answer


@dataclass(frozen=True, slots=True)
class LibraryAnswers:
    answers: tuple[BookAnswer, ...]
    """Of the books that are likeliest to answer, the likeliest first."""
    silent: tuple[BookRecord, ...]
    """Books that do not say."""
    skipped: tuple[Skipped, ...]
    """Books that could not be asked, in which a name means several people, or that lack the chapter."""


@dataclass(frozen=True, slots=True)
class LibraryEstimate:
    """The cost of these answers, estimated without a call."""

    estimates: tuple[Estimate, ...]
    silent: tuple[BookRecord, ...]
    skipped: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The books that are asked, the likeliest first, and the others."""

    views: tuple[View, ...]
    silent: tuple[BookRecord, ...]
    skipped: tuple[Skipped, ...]


def ask_books(
    library: Library, question: str, *, books: Sequence[str], upto: Mapping[str, str], wanted: Wanted
) -> LibraryAnswers:
    """Ask some books, or all, each up to where it has been read. Raises BookUnknown."""
    chosen = _choose(library, question, books, upto)
    told = [
        BookAnswer(asked.view, answers.answer(library.services, asked))
        for asked in _requests(library, chosen.views, replace(wanted, question=question), upto)
    ]
    given = tuple(each for each in told if answered(each.answer.portrait))
    silent = (*chosen.silent, *(each.view.record for each in told if each not in given))
    return LibraryAnswers(given, silent, chosen.skipped)


def estimate_books(
    library: Library, question: str, *, books: Sequence[str], upto: Mapping[str, str], wanted: Wanted
) -> LibraryEstimate:
    """Estimate what `ask_books` costs. Raises BookUnknown."""
    chosen = _choose(library, question, books, upto)
    requests = _requests(library, chosen.views, replace(wanted, question=question), upto)
    estimates = tuple(answers.estimate(library.services, asked) for asked in requests)
    return LibraryEstimate(estimates, chosen.silent, chosen.skipped)


def _choose(library: Library, question: str, books: Sequence[str], upto: Mapping[str, str]) -> _Chosen:
    for book_id in upto:
        library.book(book_id)  # a place in a misspelt book would be ignored
    records = [library.book(book_id) for book_id in books] or list(library.every_book())
    likely: list[tuple[float, View]] = []
    silent: list[BookRecord] = []
    skipped: list[Skipped] = []
    for record in records[:BOOKS_MOST]:
        try:
            view = library.view(record.id, upto.get(record.id))
            score = _odds(view, question)
        except (*OF_THE_BOOK, CharacterAmbiguous, ChapterUnknown) as why:
            skipped.append(Skipped(record, why))
            continue
        if score >= SURE:
            likely.append((score, view))
        else:
            silent.append(record)
    likely.sort(key=lambda each: -each[0])
    silent += [view.record for _, view in likely[ANSWERS_MOST:]]
    return _Chosen(tuple(view for _, view in likely[:ANSWERS_MOST]), tuple(silent), tuple(skipped))


def _odds(view: View, question: str) -> float:
    """Return the probability that the likeliest place of a book answers."""
    view = asked_view(view, question)
    places = places_for(view, question, people_in(view, question, ()), read=False)
    return places[0].score if places else 0.0


def _requests(
    library: Library, views: Sequence[View], wanted: Wanted, upto: Mapping[str, str]
) -> Iterator[OpenRequest]:
    for view in views:
        mine = replace(wanted, upto=upto.get(view.record.id))
        yield answers.ask(library.services, view, task=Task.QUESTION, names=(), wanted=mine)
