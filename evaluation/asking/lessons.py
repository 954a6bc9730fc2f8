"""The corpus as lessons: its questions, and its facts, with the sentences that bear them out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from books.types import Book, Span
from evaluation.corpus.questions import NovelQuestions
from evaluation.corpus.quotations import spans_of
from evaluation.corpus.types import CorpusNovel
from retrieval.asking.places import READ, found_places, shipped
from retrieval.asking.reading import read
from retrieval.asking.training import BookQuestions, FoundPlaces, ReadPlaces
from retrieval.index import BookIndex
from retrieval.pairs.pair_reader import PairReader
from retrieval.sentences import touched
from retrieval.telling.sentence_table import Ints


@dataclass(frozen=True, slots=True)
class Lesson:
    question: str
    quotes: tuple[Span, ...]
    """Where the book bears out the answer; nowhere if it does not answer."""
    asked: bool = True
    """Whether it is a question, and not a fact."""
    upto: int | None = None


def lessons(novel: CorpusNovel, asked: NovelQuestions, book: Book) -> Iterator[Lesson]:
    """Yield the questions about a novel, and its facts as statements, if their quotations are found.

    A question is also asked by a reader who has not come to its answer yet.
    """
    for each in asked.questions:
        places = spans_of(each.quotes, book.text)
        if places:
            yield Lesson(each.question, places)
        if each.answerable_from > 1:
            yield Lesson(each.question, (), upto=before(each.answerable_from, book))
    yield from (Lesson(each.question, ()) for each in asked.unanswerable)
    for fact in (fact for person in novel.people for fact in person.true):
        places = spans_of(fact.quotes, book.text)
        if places:
            yield Lesson(fact.fact, places, asked=False)


def before(chapter: int, book: Book) -> int:
    """Return where a chapter begins, counted from 1."""
    return book.chapters[min(chapter, len(book.chapters)) - 1].span.start


def of_questions(told: Iterable[Lesson], index: BookIndex) -> BookQuestions:
    vectors = np.asarray(index.sentence_vectors, np.float32)
    return BookQuestions(
        vectors, tuple((each.question, _sentences(each.quotes, index)) for each in told if each.quotes)
    )


def of_places(
    told: Iterable[Lesson], index: BookIndex, *, meaning: bool | None = None
) -> Iterator[FoundPlaces]:
    """Yield the places that are found for each lesson now, by meaning and words or by words alone."""
    for each in told:
        found, signs = found_places(index, each.question, upto=each.upto, meaning=meaning)
        right = [any(place.span.overlaps(span) for span in each.quotes) for place in found]
        if found and (any(right) or not each.quotes):
            yield FoundPlaces(signs, np.array(right), asked=each.asked)


def of_reading(told: Iterable[Lesson], index: BookIndex, reader: PairReader) -> Iterator[ReadPlaces]:
    """Yield the likeliest places for each question, read together with it."""
    ranker = shipped()
    for each in told:
        found, signs = found_places(index, each.question, upto=each.upto) if each.asked else ([], None)
        if not found or signs is None:
            continue
        said = ranker(signs)
        order = np.argsort(-said[:, 0], kind="stable")[:READ].tolist()
        places = [found[n] for n in order]
        right = [any(place.span.overlaps(span) for span in each.quotes) for place in places]
        odds = read(reader, each.question, places, index.book.text)
        yield ReadPlaces(said[order], odds, np.array(right), answerable=bool(each.quotes))


def _sentences(quotes: Sequence[Span], index: BookIndex) -> Ints:
    starts, ends = index.sentences[:, 0], index.sentences[:, 1]
    return np.array(sorted({n for quote in quotes for n in touched(quote, starts, ends)}))
