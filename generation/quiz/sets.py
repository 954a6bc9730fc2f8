"""Questions about a whole book, asked at one place after another, to measure what a reader remembers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from books.gate import cut
from books.types import Book
from coref.gate import gate
from coref.types import Annotations
from generation.quiz.material import BookSoFar
from generation.quiz.questions import Answers, read_along
from generation.quiz.types import Choice, Happening, ReadAlongQuestion, WhyWrong

ASKED: Final = "Which of these scenes is in what you have read so far?"
NONE: Final = "None of these."

Others = Callable[[BookSoFar], Sequence[Choice]]
"""Returns what happens in other books, with the names of the people known so far."""


def read_along_set(
    book: Book,
    annotations: Annotations,
    happenings: Sequence[Happening],
    others: Others,
    *,
    each: int,
    rng: Random,
) -> Iterator[tuple[BookSoFar, ReadAlongQuestion]]:
    """Yield questions asked at the end of each chapter, with the book up to there.

    Some of their wrong choices happen later: a reader of that far cannot know them. What happens in another
    book is told once: a sentence that comes again and again gives itself away.
    """
    used: Answers = Counter()
    spent: set[Happening | None] = set()
    for chapter in book.chapters:
        at = chapter.span.end
        read = tuple(h for h in happenings if h.place.end <= at)
        later = [Choice(h.text, WhyWrong.LATER) for h in happenings if h.place.start >= at]
        reading = BookSoFar(cut(book, at), gate(annotations, upto=at), read)
        lent = [f for f in others(reading) if f.why is not WhyWrong.OTHER_BOOK or f.of not in spent]
        false = [*rng.sample(later, min(len(later), 2 * each)), *lent]
        for question in read_along(reading, false, count=each, rng=rng, used=used):
            shown = {choice.text for choice in question.choices}
            spent.update(f.of for f in lent if f.text in shown)
            yield reading, question


def as_lines(asked: Iterable[tuple[BookSoFar, ReadAlongQuestion]]) -> list[str]:
    return [json.dumps(as_row(*each), ensure_ascii=False) for each in asked]


def as_row(reading: BookSoFar, question: ReadAlongQuestion) -> Mapping[str, Any]:
    """Return a question as one line of a JSON file: all that a test of memory needs besides the book."""
    place = question.happening.place if question.happening else None
    return {
        "book": reading.book.title,
        "chapter": reading.book.chapters[-1].number,
        "context_characters": question.at,
        "context_words": reading.words_since(0),
        "question": ASKED,
        "options": [*(choice.text for choice in question.choices), NONE],
        "why_wrong": [None if choice.why is None else choice.why.value for choice in question.choices],
        "answer": question.answer,
        "retention_words": question.load,
        "answer_span": None if place is None else [place.start, place.end],
    }
