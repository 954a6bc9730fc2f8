"""Questions of the corpus as lessons, and how answers to them are counted."""

from __future__ import annotations

import numpy as np
import pytest

from books.types import Book, Span
from evaluation.asking.finders import finders
from evaluation.asking.lessons import lessons, of_places, of_questions
from evaluation.asking.measuring import NEVER, NOT_YET, asked
from evaluation.corpus.loading import novels
from evaluation.corpus.questions import CorpusQuestion, NovelQuestions, UnansweredQuestion, questions
from evaluation.corpus.types import CorpusNovel, CorpusPerson, KeyFact
from generation.writing.offline.reply import SURE
from retrieval.index import BookIndex
from retrieval.registry import make_embedder
from retrieval.types import AnsweringPlace
from tests.novella import OpenedNovella


@pytest.fixture
def index(low_water: OpenedNovella) -> BookIndex:
    return low_water[2]


def quote(book: Book, chapter: int) -> str:
    start = book.chapters[chapter - 1].span.start + 500
    return " ".join(book.text[start : start + 120].split()[1:-1])


def about(book: Book) -> NovelQuestions:
    return NovelQuestions(
        "novella",
        (
            CorpusQuestion(quote(book, 1), "who", "Somebody.", 1, (quote(book, 1),), 1),
            CorpusQuestion(quote(book, 4), "why", "Because.", 4, (quote(book, 4),), 4),
            CorpusQuestion("Where is it?", "where", "Nowhere.", 2, ("not in the book at all",), 2),
        ),
        (UnansweredQuestion("What is the name of the king?", "There is none."),),
    )


def test_questions_and_facts_are_lessons_if_their_quotations_are_found(index: BookIndex) -> None:
    book = index.book
    fact = KeyFact("Ann is tall.", "other", 3, (quote(book, 3),))
    person = CorpusPerson("Ann", (), "she/her", "", "", (fact,), ())
    told = list(lessons(CorpusNovel("novella", "", "", "train", (person,)), about(book), book))
    assert [(bool(t.quotes), t.asked, t.upto) for t in told] == [
        (True, True, None),
        (True, True, None),
        (False, True, book.chapters[3].span.start),
        (False, True, book.chapters[1].span.start),
        (False, True, None),
        (True, False, None),
    ]
    learnt = of_questions(told, index)
    assert len(learnt.asked) == 3
    for (question, rows), lesson in zip(learnt.asked, (t for t in told if t.quotes), strict=True):
        assert question == lesson.question
        spans = [Span(*index.sentences[n, :2].tolist()) for n in rows]
        assert all(any(span.overlaps(place) for place in lesson.quotes) for span in spans)
    found = list(of_places(told, index))
    assert [(p.right.any(), p.asked) for p in found if p.right.any()] == [
        (True, True),
        (True, True),
        (True, False),
    ]
    assert sum(not p.right.any() for p in found) == 3


def test_ranks_and_refusals(index: BookIndex) -> None:
    book, given = index.book, about(index.book)

    def finder(_: BookIndex, question: str, upto: int | None) -> list[AnsweringPlace]:
        """Return the beginning of the book, and then the first quotation."""
        start = book.text.index(quote(book, 1).split()[0], book.chapters[0].span.start + 500)
        if upto is not None or question.startswith("What"):
            return []
        spans = Span(0, 5), Span(start, start + 200)
        return [AnsweringPlace(span, 0, (), SURE, ()) for span in spans]

    found = list(asked(given, book, index, finder))
    assert [(f.kind, f.rank, f.refused) for f in found] == [
        ("who", 2, False),
        ("why", None, False),
        (NOT_YET, None, True),
        (NOT_YET, None, True),
        (NEVER, None, True),
    ]
    assert [f.answerable for f in found] == [True, True, False, False, False]


def test_every_finder_keeps_to_the_gate(index: BookIndex) -> None:
    upto = index.book.end_of_chapter(2)
    for name, find in finders(make_embedder("hashing")).items():
        places = find(index, quote(index.book, 2), upto)
        assert places, name
        assert all(place.span.end <= upto for place in places), name


def test_the_questions_of_the_corpus() -> None:
    splits = {novel.novel: novel.split for novel in novels()}
    every = [questions(name) for name in splits]
    some = [each for each in every if each.questions]
    assert len(some) >= 7
    for each in some:
        assert each.novel in splits
        for one in each.questions:
            assert one.quotes
            assert one.chapter >= 1
            assert one.answerable_from >= 1
        kinds = {one.kind for one in each.questions}
        assert kinds <= {"who", "what", "when", "where", "why", "how", "quote", "relation", "yes-no"}
    asked_of = np.array([len(each.questions) for each in some])
    assert asked_of.min() >= 20
