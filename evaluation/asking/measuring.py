"""How often the place that answers a question is found, and questions without an answer are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from books.types import Book, Span
from evaluation.asking.lessons import before
from evaluation.corpus.questions import NovelQuestions
from evaluation.corpus.quotations import spans_of
from generation.writing.offline.reply import SURE
from retrieval.finding.search import FLOOR
from retrieval.index import BookIndex
from retrieval.protocols import Embedder
from retrieval.types import AnsweringPlace

Finder = Callable[[BookIndex, str, int | None], Sequence[AnsweringPlace]]
"""Finds the places that may answer a question up to a gate, the likeliest first."""
NEVER: Final = "never answered"
NOT_YET: Final = "not yet answered"


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    novel: str
    question: str
    kind: str
    """As in the corpus, or why it is not answered."""
    rank: int | None
    """Of the first place that bears out the answer, from 1; None if it is not found, or there is none."""
    score: float
    """The probability that the likeliest place answers."""

    @property
    def answerable(self) -> bool:
        return self.kind not in (NEVER, NOT_YET)

    @property
    def refused(self) -> bool:
        return self.score < SURE


def asked(novel: NovelQuestions, book: Book, index: BookIndex, finder: Finder) -> Iterator[AskedQuestion]:
    """Yield the questions about a novel as they are answered to somebody who has read all of it, or up to
    the chapter before the one that answers them.
    """
    for each in novel.questions:
        quotes = spans_of(each.quotes, book.text)
        if quotes:
            found = finder(index, each.question, None)
            yield AskedQuestion(novel.novel, each.question, each.kind, _rank(found, quotes), _best(found))
        if each.answerable_from > 1:
            found = finder(index, each.question, before(each.answerable_from, book))
            yield AskedQuestion(novel.novel, each.question, NOT_YET, None, _best(found))
    for never in novel.unanswerable:
        found = finder(index, never.question, None)
        yield AskedQuestion(novel.novel, never.question, NEVER, None, _best(found))


@dataclass(frozen=True, slots=True)
class NearQuestion:
    novel: str
    own: bool
    """Whether the question is about the novel that is searched."""
    found: bool
    """Whether a passage is near enough in meaning to be shown."""


def near_questions(
    novel: str, asked: Sequence[NovelQuestions], index: BookIndex, embedder: Embedder
) -> Iterator[NearQuestion]:
    """Yield what a search by meaning in one novel finds for the questions about it, and about others."""
    for each in asked:
        vectors = embedder.embed([question.question for question in each.questions])
        for vector in vectors:
            best = index.dense.top(vector, 1, visible=len(index))
            yield NearQuestion(novel, each.novel == novel, bool(best) and best[0][1] >= FLOOR)


def _rank(found: Sequence[AnsweringPlace], quotes: Sequence[Span]) -> int | None:
    right = (n for n, place in enumerate(found, 1) if any(place.span.overlaps(quote) for quote in quotes))
    return next(right, None)


def _best(found: Sequence[AnsweringPlace]) -> float:
    return found[0].score if found else 0.0
