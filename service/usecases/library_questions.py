"""A question to several books: asked of those that are likeliest to answer it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from coref.errors import CharacterAmbiguous
from db.types import BookRecord
from generation.answering import answered
from generation.protocols import Audience
from generation.story.named_people import asks_who
from generation.types import Task
from generation.writing.offline.reply import SURE
from service.errors import ChapterUnknown
from service.library import Library
from service.shelf import View
from service.usecases import answers
from service.usecases.answer_request import OpenRequest, Wanted
from service.usecases.answers import Answer, Estimate
from service.usecases.question_chapters import asked_view, events_for, places_for
from service.usecases.questions import people_in
from service.usecases.searching import OF_THE_BOOK, Skipped

ANSWERS_MOST: Final = 5
"""Maximum number of books that answer."""
BOOKS_MOST: Final = 50
"""Maximum number of books that are asked."""


@dataclass(frozen=True, slots=True)
class BookAnswer:
    view: View
    answer: Answer

    @property
    def answered(self) -> bool:
        return answered(self.answer.portrait)


Tell = Callable[[BookAnswer], object]


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
class ChosenBooks:
    """The books that are asked a question, the likeliest first, and the others."""

    question: str
    upto: Mapping[str, str]
    views: tuple[View, ...]
    silent: tuple[BookRecord, ...]
    skipped: tuple[Skipped, ...]


def ask_books(
    library: Library,
    chosen: ChosenBooks,
    wanted: Wanted,
    *,
    audience: Audience | None = None,
    tell: Tell = lambda _: None,
    candid: bool = True,
) -> LibraryAnswers:
    """Ask the chosen books, and `tell` each answer when it is ready. `audience` hears one after the other."""
    given: list[BookAnswer] = []
    silent = list(chosen.silent)
    for asked in _requests(library, chosen, wanted):
        answer = answers.answer(library.services, asked, audience=audience, candid=candid)
        told = BookAnswer(asked.view, answer)
        tell(told)
        if told.answered:
            given.append(told)
        else:
            silent.append(asked.view.record)
    return LibraryAnswers(tuple(given), tuple(silent), chosen.skipped)


def estimate_books(library: Library, chosen: ChosenBooks, wanted: Wanted) -> LibraryEstimate:
    """Estimate what `ask_books` costs."""
    requests = _requests(library, chosen, wanted)
    estimates = tuple(answers.estimate(library.services, asked) for asked in requests)
    return LibraryEstimate(estimates, chosen.silent, chosen.skipped)


def choose_books(
    library: Library, question: str, *, books: Sequence[str], upto: Mapping[str, str]
) -> ChosenBooks:
    """Choose those of some books, or of all, that are likeliest to answer. Raises BookUnknown."""
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
    views = tuple(view for _, view in likely[:ANSWERS_MOST])
    return ChosenBooks(question, upto, views, tuple(silent), tuple(skipped))


def _odds(view: View, question: str) -> float:
    """Return the probability that the likeliest place of a book answers; 1 if it tells what happens.

    A book that has the person asked about can say who that is, whatever its likeliest place.
    """
    view = asked_view(view, question)
    people = people_in(view, question, ())
    if events_for(view, question, people):
        return 1.0
    places = places_for(view, question, people, read=False)
    least = SURE if people and asks_who(question, people) else 0.0
    return max(least, places[0].score if places else 0.0)


def _requests(library: Library, chosen: ChosenBooks, wanted: Wanted) -> Iterator[OpenRequest]:
    for view in chosen.views:
        mine = replace(wanted, question=chosen.question, upto=chosen.upto.get(view.record.id))
        yield answers.ask(library.services, view, task=Task.QUESTION, names=(), wanted=mine)
