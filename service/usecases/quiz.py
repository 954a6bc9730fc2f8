"""Questions to a reader about what they have read of a book."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from random import Random
from typing import Final

from books.types import Book
from generation.models.protocols import LanguageModel
from generation.quiz.editions import same_work
from generation.quiz.material import BookSoFar, of_others, quoted_happenings
from generation.quiz.questions import CHOICES, by_chapter, corrections, read_along
from generation.quiz.sets import as_lines, read_along_set
from generation.quiz.types import Choice, CorrectionTask, QuizLevel, QuizLoad, ReadAlongQuestion
from generation.quiz.written import written_corrections
from service.library import Library
from service.shelf import View
from service.usecases.searching import OF_THE_BOOK

MOST: Final = 50
"""Maximum number of questions."""
_SENTENCES: Final = CHOICES
"""Sentences of the book for a question."""
_OTHER_BOOKS: Final = 3
"""Books of the library from which wrong choices of an exported set come."""
_PART: Final = 0.1
"""The part of another book that they come from: its beginning, so that little of it is given away."""


@dataclass(frozen=True, slots=True)
class Quiz:
    view: View
    questions: tuple[ReadAlongQuestion, ...] = ()
    corrections: tuple[CorrectionTask, ...] = ()


def quiz(view: View, *, count: int, seed: int, load: QuizLoad | None = None) -> Quiz:
    """Questions on what happened in the book so far. The same seed gives the same questions.

    Other books lend no wrong choices: they would be given away by their style and their world, and the
    questions would change with the library. Where there are too few, as among people who all go by “the
    Duchess”, it is asked what happened in which chapter.
    """
    rng, reading = Random(seed), reading_of(view, least=_SENTENCES * count)
    made = read_along(reading, (), count=count, rng=rng, load=load)
    more = by_chapter(reading, count=count - len(made), rng=rng, load=load, besides=made)
    return Quiz(view, (*made, *more))


def exported(library: Library, view: View, *, each: int, seed: int) -> list[str]:
    """Questions at the end of each chapter, as lines of JSON; some wrong choices are from later on."""
    rng, reading = Random(seed), reading_of(view)
    lenders = list(_other_books(library, view, rng))
    asked = read_along_set(
        view.book,
        view.annotations,
        reading.happenings,
        partial(_lent, lenders=lenders),
        each=each,
        rng=rng,
    )
    return as_lines(asked)


def correcting(
    view: View, *, level: QuizLevel, count: int, seed: int, model: LanguageModel | None = None
) -> Quiz:
    """Summaries with errors of what happened in the book so far, for the reader to correct.

    Without a model they are sentences of the book with other people in them.
    """
    reading, rng = reading_of(view), Random(seed)
    made = (
        corrections(reading, level=level, count=count, rng=rng)
        if model is None
        else written_corrections(model, reading, level=level, count=count, rng=rng)
    )
    return Quiz(view, corrections=tuple(made))


def reading_of(view: View, *, least: int = 0) -> BookSoFar:
    """Return what has been read, with at least so many sentences that tell what happens if there are."""
    happenings = quoted_happenings(view.book, view.annotations, view.events(), least=least)
    return BookSoFar(view.book, view.annotations, happenings)


def _lent(reading: BookSoFar, lenders: Iterable[BookSoFar]) -> list[Choice]:
    lent = (of_others(reading, other.happenings, other.annotations.characters) for other in lenders)
    return list(chain.from_iterable(lent))


def _other_books(library: Library, view: View, rng: Random) -> Iterator[BookSoFar]:
    """Yield the beginnings of some other books of the library, of which none is an edition of this one."""
    others = [r for r in library.every_book() if r.id != view.record.id and r.version is not None]
    rng.shuffle(others)
    whole = library.open(view.record.id).book
    begun = (_beginning(library, other.id, whole) for other in others)
    yield from islice((each for each in begun if each is not None), _OTHER_BOOKS)


def _beginning(library: Library, book_id: str, beside: Book) -> BookSoFar | None:
    """Return the beginning of another work in the same language; None if it cannot be read."""
    try:
        opened = library.open(book_id)
        if opened.book.language != beside.language:
            return None
        begun = opened.view(int(_PART * len(opened.book.text)))
        return None if same_work(beside, begun.book) else reading_of(begun)
    except OF_THE_BOOK:
        return None
