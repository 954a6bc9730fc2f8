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
from service.usecases.answer_request import Wanted
from service.usecases.answers import Answer
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


def ask_books(
    library: Library, question: str, *, books: Sequence[str], upto: Mapping[str, str], wanted: Wanted
) -> LibraryAnswers:
    """Ask some books, or all, each up to where it has been read. Raises BookUnknown."""
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
    asked = replace(wanted, question=question)
    told = list(_answered(library, [view for _, view in likely[:ANSWERS_MOST]], asked, upto))
    given = tuple(each for each in told if answered(each.answer.portrait))
    silent += [each.view.record for each in told if each not in given]
    return LibraryAnswers(given, tuple(silent), tuple(skipped))


def _odds(view: View, question: str) -> float:
    """Return the probability that the likeliest place of a book answers."""
    view = asked_view(view, question)
    places = places_for(view, question, people_in(view, question, ()), read=False)
    return places[0].score if places else 0.0


def _answered(
    library: Library, views: Sequence[View], wanted: Wanted, upto: Mapping[str, str]
) -> Iterator[BookAnswer]:
    for view in views:
        mine = replace(wanted, upto=upto.get(view.record.id))
        asked = answers.ask(library.services, view, task=Task.QUESTION, names=(), wanted=mine)
        yield BookAnswer(view, answers.answer(library.services, asked))
