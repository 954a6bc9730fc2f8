"""How passages are asked for matters, and so does the formula of BM25; books that are not ready are told."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from generation.errors import GeneratorUnavailable
from retrieval.errors import RetrieverUnknown
from retrieval.types import Bm25Formula, Order
from service.errors import BookUnknown
from service.library import Library
from service.services import Services
from service.shelf import Shelf
from service.usecases import books, searching
from service.usecases.searching import Asked
from tests.service.conftest import HOME, STORY, describe

WORDS = "the mill and its books"


@pytest.fixture
def okapi(services: Services) -> Services:
    return replace(services, settings=services.settings.model_copy(update={"bm25": Bm25Formula.OKAPI}))


def scores(services: Services, book_id: str, retriever: str = "bm25") -> list[list[float]]:
    asked = Asked("Miss Lane kept the books", retriever, order=Order.SCORE)
    view = Library(services, HOME).view(book_id)
    found = searching.in_book(services, view, asked=asked)
    about = searching.about(services, view, key="Mr. Ford", asked=asked)
    over = searching.in_library(Library(services, HOME), asked=asked, book_id=book_id)
    passages = (found.passages, about.passages, [hit.passage for hit in over.hits])
    return [[f.score for p in each for f in p.findings if f.source == "bm25"] for each in passages]


@pytest.mark.parametrize("retriever", ["bm25", "hybrid"])
def test_the_formula_of_the_settings_reaches_every_search(
    services: Services, okapi: Services, book_id: str, retriever: str
) -> None:
    for lucene, other in zip(
        scores(services, book_id, retriever), scores(okapi, book_id, retriever), strict=True
    ):
        assert lucene
        assert lucene != other


def test_an_answer_by_another_formula_is_another_answer(
    services: Services, okapi: Services, book_id: str
) -> None:
    def cached(with_: Services) -> bool:
        return describe(with_, book_id).cached

    cached(services)
    assert cached(services)
    assert not cached(okapi)
    assert cached(okapi)


def test_tokens_are_counted_as_the_generator_counts(
    services: Services, book_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(count: object) -> int:
        monkeypatch.setattr(type(services.engines), "generator", count)
        asked = Asked(WORDS, budget=40)
        return len(searching.in_book(services, Library(services, HOME).view(book_id), asked=asked).passages)

    def away(*_: object) -> object:
        raise GeneratorUnavailable("It is not there.")

    short = found(lambda *_: SimpleNamespace(count_tokens=lambda text: len(text.split()) // 10))
    long = found(lambda *_: SimpleNamespace(count_tokens=len))
    assert short > found(away) >= long == 0


def test_one_that_is_not_read_yet_is_told_and_left_out(services: Services) -> None:
    taken = books.upload(Library(services, "waiting"), data=STORY.encode() + b"\n\nAnd more.")
    found = searching.in_library(Library(services, "waiting"), asked=Asked(WORDS))
    assert (found.hits, found.books) == ((), 0)
    (skipped,) = found.skipped
    assert (skipped.record.id, skipped.why.code) == (taken.book.id, "book_not_ready")
    books.delete(Library(services, "waiting"), book_id=taken.book.id)


def test_books_beyond_what_is_kept_open_are_searched_too(services: Services, book_id: str) -> None:
    tight = replace(
        services,
        settings=services.settings.model_copy(update={"open_books": 0}),
        shelf=Shelf(services.database, services.store, capacity=1, memory=1),
    )
    whole = searching.in_library(Library(services, HOME), asked=Asked(WORDS))
    assert whole.hits
    assert searching.in_library(Library(tight, HOME), asked=Asked(WORDS)) == whole


def test_what_cannot_be_asked(services: Services, book_id: str) -> None:
    for retriever in ("mentions", "lead", "oracle"):
        asked = Asked(WORDS, retriever)
        with pytest.raises(RetrieverUnknown):
            searching.in_book(services, Library(services, HOME).view(book_id), asked=asked)
        with pytest.raises(RetrieverUnknown):
            searching.in_library(Library(services, HOME), asked=asked)
    with pytest.raises(BookUnknown):
        searching.in_library(Library(services, "elsewhere"), asked=Asked(WORDS), book_id=book_id)
