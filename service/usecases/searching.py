"""Search for passages: about a character, in one book, or in the whole library."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from books.errors import BookwormError
from books.types import Book, Span
from coref.types import Character
from db.types import BookRecord
from generation.errors import GeneratorUnavailable
from retrieval.errors import RetrieverUnknown, SearchInvalid
from retrieval.finding.marks import Marker
from retrieval.finding.query_line import parse
from retrieval.library_search import LIBRARY_RETRIEVERS, Opener, SearchedBook, search_library
from retrieval.protocols import CountTokens
from retrieval.retrievers.meaning import same_model
from retrieval.types import Order, Passage, Query
from service import spoiler_gate
from service.errors import BookFailed, BookNotReady, BookUnknown
from service.library import Library
from service.services import Services
from service.shelf import NOBODY, UNSOUND, OpenBook, View
from service.usecases.characters import met, query_for

DEFAULT: Final = "hybrid"
"""Default retriever for queries that are not about a character."""
OF_THE_BOOK: Final = (BookNotReady, BookFailed, BookUnknown, *UNSOUND)
"""Errors that affect the search of only one book. BookUnknown: it has just been deleted."""
_BY_WORDS: Final = ("bm25", "hybrid")
_BY_MEANING: Final = ("dense", "hybrid")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for passages; None means the value of the setting."""

    text: str | None = None
    retriever: str | None = None
    k: int = 20
    budget: int | None = None
    """Maximum total tokens, as counted by the configured generator."""
    neighbours: int = 0
    order: Order = Order.STORY
    upto: str | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """Passages of one book."""

    passages: tuple[Passage, ...]
    book: Book
    """The book up to `upto`."""
    character: Character | None
    retriever: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found in the library."""

    record: BookRecord
    book: Book
    passage: Passage
    rank: int
    """Rank in all results. A neighbour has the rank of the passage next to it."""
    rank_in_book: int
    marks: tuple[Span, ...]
    """The words and phrases searched for, as offsets in the book."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A book that could not be searched, and why."""

    record: BookRecord
    why: BookwormError


@dataclass(frozen=True, slots=True)
class Searched:
    retriever: str
    hits: tuple[Hit, ...]
    books: int
    """Number of books searched."""
    skipped: tuple[Skipped, ...]


def about(services: Services, view: View, *, key: str, asked: Asked) -> Found:
    """Passages about a character, or for words in which they play a part, as far as the view goes."""
    person = met(view, key)
    query = query_for(view, (person,), k=asked.k)
    return _found(services, view, query, asked, person, asked.retriever or services.settings.retriever)


def in_book(services: Services, view: View, *, asked: Asked) -> Found:
    """Passages for words, about whomever they are, as far as the view goes. Raises RetrieverUnknown."""
    return _found(services, view, Query(upto=view.upto), asked, None, _for_words(asked.retriever))


def _found(
    services: Services, view: View, query: Query, asked: Asked, person: Character | None, name: str
) -> Found:
    engine = view.retriever(
        name,
        embedder=services.engines.embedder,
        count_tokens=_counter(services, asked.budget),
        bm25=services.settings.bm25,
        about_people=person is not None,
    )
    query = replace(
        query,
        text=asked.text or query.text,
        k=asked.k,
        token_budget=asked.budget,
        neighbours=asked.neighbours,
        order=asked.order,
        seed=asked.seed,
    )
    return Found(tuple(engine.search(query)), view.book, person, name)


def in_library(
    library: Library, *, asked: Asked, per_book: int | None = None, book_id: str | None = None
) -> Searched:
    """The best passages of all books or of one, best first. Books that cannot be searched are listed.

    A phrase in quotation marks must be there. Raises RetrieverUnknown, SearchInvalid, and if only one book is
    searched, the error that prevents it.
    """
    name, services = _for_words(asked.retriever), library.services
    line = parse(asked.text or "")
    if line.filtered:
        raise SearchInvalid(
            "by:, with:, said: and chapter: work only in a plain search of one book.",
            remedy="Leave them out, or search one book without a retriever, a budget or neighbours.",
        )
    hand, marker = _Hand(library, name), Marker(line)
    records = list(library.every_book()) if book_id is None else [library.book(book_id)]
    skipped = tuple(hand.skipped(records)) if book_id is None else ()
    left_out = {one.record.id for one in skipped}
    sound = {record.id: record for record in records if record.id not in left_out}
    query = Query(
        text=line.text,
        k=asked.k,
        token_budget=asked.budget,
        neighbours=asked.neighbours,
        order=Order.SCORE,
    )
    hits = search_library(
        [hand.opener(record, asked.upto) for record in sound.values()],
        query,
        retriever=name,
        embedder=services.engines.embedder,
        per_book=per_book,
        formula=services.settings.bm25,
        count_tokens=_counter(services, asked.budget),
        marker=marker,
    )
    found = (
        Hit(
            sound[hit.key],
            hand.open(sound[hit.key]).book,
            hit.passage,
            hit.rank,
            hit.rank_in_book,
            marker.find(hit.passage).marks,
        )
        for hit in hits
    )
    return Searched(name, tuple(found), len(sound), skipped)


def _for_words(retriever: str | None) -> str:
    if retriever is not None and retriever not in LIBRARY_RETRIEVERS:
        raise RetrieverUnknown(
            f"The retriever `{retriever}` does not support search by words.",
            remedy=f"Choose one of {', '.join(LIBRARY_RETRIEVERS)}.",
        )
    return retriever or DEFAULT


def _counter(services: Services, budget: int | None) -> CountTokens | None:
    """The tokenizer of the generator. Without one, tokens are estimated."""
    if budget is None:
        return None
    try:
        return services.engines.generator().count_tokens
    except GeneratorUnavailable:
        return None


class _Hand:
    """The books of one search. They are opened one by one, and held while the shelf would cache them."""

    def __init__(self, library: Library, retriever: str) -> None:
        self._services = library.services
        self._library = library
        self._retriever = retriever
        self._held: dict[str, OpenBook] = {}

    def open(self, record: BookRecord) -> OpenBook:
        held = self._held.get(record.id)
        if held is None:
            held = self._library.open(record.id)
            if len(self._held) < self._services.settings.open_books:
                self._held[record.id] = held
        return held

    def opener(self, record: BookRecord, upto: str | None = None) -> Opener:
        @contextmanager
        def opened() -> Iterator[SearchedBook]:
            book = self.open(record)
            gate = spoiler_gate.parse(book.book, upto)
            other_model = not book.made_with(self._services.engines.embedder)
            with book.watch.watching(other_model=other_model):
                yield SearchedBook(record.id, book.index, NOBODY, gate)

        return opened

    def skipped(self, records: list[BookRecord]) -> Iterator[Skipped]:
        """Books that cannot be searched: not processed yet, damaged, or made with another embedder."""
        for record in records:
            try:
                with self.opener(record)() as book:
                    if self._retriever in _BY_WORDS:
                        assert book.index.bm25 is not None
                    if self._retriever in _BY_MEANING:
                        same_model(book.index, self._services.engines.embedder)
                        assert book.index.dense is not None
            except OF_THE_BOOK as why:
                yield Skipped(record, why)
