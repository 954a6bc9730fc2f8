"""Open books: what was published, with readers' decisions replayed, kept in memory for a while.

An open book is its text and its index, whose files are mapped and not read. Who is who is loaded when first
asked for, and let go before the book itself when memory runs short: a search needs only text and index, and
of what an open book weighs most are the mentions.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import TypeVar

import books.storage
import coref.storage
from books.gate import cut
from books.types import Book
from coref.decisions import replay
from coref.gate import gate
from coref.types import Annotations
from db.database import Database
from db.repositories import BookRepository, DecisionRepository, JobRepository
from db.store import ArtefactStore
from db.types import BookRecord
from retrieval.index import BookIndex
from retrieval.protocols import CountTokens, Embedder, Retriever
from retrieval.registry import make_retriever
from service import weights
from service.errors import BookFailed, BookNotReady, BookUnknown
from service.failures import failure_of
from service.jobs.stages import INDEX

K = TypeVar("K")
V = TypeVar("V")

_VIEWS = 8
"""Readers at different places of one book that are remembered."""
NOBODY = Annotations(resolver="", characters=(), mentions=(), quotes=())
"""For questions that are not about people."""


@dataclass(frozen=True, slots=True)
class People:
    """Who is who in one book: as the resolver left it, and after the readers' decisions."""

    resolved: Annotations
    decided: Annotations


@dataclass(slots=True)
class OpenBook:
    """One published version under one state of the decision log; hands out views of it."""

    record: BookRecord
    decisions: int
    book: Book
    index: BookIndex
    _load: Callable[[], People]
    _people: People | None = None
    _cut: OrderedDict[int, Book] = field(default_factory=OrderedDict)
    _gated: OrderedDict[int, Annotations] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    @property
    def resolved(self) -> Annotations:
        """As the resolver left them."""
        return self._known().resolved

    @property
    def annotations(self) -> Annotations:
        """After the readers' decisions."""
        return self._known().decided

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes now."""
        with self._lock:
            return self._texts_weight() + self._people_weight()

    def view(self, upto: int | None) -> View:
        if upto is None:
            return View(self, self.book, None)
        with self._lock:
            return View(self, _remembered(self._cut, upto, lambda: cut(self.book, upto)), upto)

    def annotations_at(self, upto: int | None) -> Annotations:
        whole = self.annotations
        if upto is None:
            return whole
        with self._lock:
            return _remembered(self._gated, upto, lambda: gate(whole, upto=upto))

    def lighten(self) -> int:
        """Let go of what can be loaded again; says how many bytes that was."""
        with self._lock:
            before = self._texts_weight() + self._people_weight()
            self._people = None
            self._gated.clear()
            self._cut.clear()
            self.index.forget()
            return before - self._texts_weight()

    def _known(self) -> People:
        people = self._people
        if people is None:
            with self._lock:
                people = self._people = self._people or self._load()
        return people

    def _texts_weight(self) -> int:
        return weights.of_index(len(self.index)) + sum(map(weights.of_book, (self.book, *self._cut.values())))

    def _people_weight(self) -> int:
        if self._people is None:
            return 0
        decided = self._people.decided is not self._people.resolved
        gated = sum(map(weights.of_changed, self._gated.values()))
        changed = weights.of_changed(self._people.decided) if decided else 0
        return weights.of_annotations(self._people.resolved) + changed + gated


@dataclass(frozen=True, slots=True)
class View:
    """A book as far as somebody has read it. All that a request may see comes from here."""

    _opened: OpenBook
    book: Book
    upto: int | None

    @property
    def record(self) -> BookRecord:
        return self._opened.record

    @property
    def decisions(self) -> int:
        return self._opened.decisions

    @property
    def annotations(self) -> Annotations:
        return self._opened.annotations_at(self.upto)

    @property
    def text_sha256(self) -> str:
        """Of the whole text, gated or not: it says which book this is."""
        return self._opened.book.sha256

    def retriever(
        self,
        name: str,
        *,
        embedder: Embedder,
        count_tokens: CountTokens | None = None,
        about_people: bool = True,
    ) -> Retriever:
        """`about_people`: whether questions will name characters; without, nobody's mentions are loaded."""
        return make_retriever(
            name,
            index=self._opened.index,
            annotations=self.annotations if about_people else NOBODY,
            embedder=embedder,
            count_tokens=count_tokens,
        )


class Shelf:
    """Keeps the books that were opened last: at most `capacity`, and about `memory` bytes together.

    What is dropped is closed when its last reader lets go of it.
    """

    def __init__(self, database: Database, store: ArtefactStore, *, capacity: int, memory: int) -> None:
        self._database = database
        self._store = store
        self._capacity = capacity
        self._memory = memory
        self._open: OrderedDict[tuple[str, str, int], OpenBook] = OrderedDict()
        self._lock = Lock()
        self._opening: dict[str, Lock] = {}

    def __len__(self) -> int:
        return len(self._open)

    @property
    def weight(self) -> int:
        """About how many bytes the open books take."""
        with self._lock:
            return sum(book.weight for book in self._open.values())

    def open(self, book_id: str, *, library: str) -> OpenBook:
        """The published version with all decisions so far; says why when there is none."""
        record, decisions = self._current(book_id, library)
        key = (book_id, record.version or "", decisions)
        with self._lock:
            found = self._open.get(key)
            opening = self._opening.setdefault(book_id, Lock())
        if found is None:
            with opening:
                found = self._open.get(key) or self._load(record, decisions)
        self._keep(key, found)
        return found

    def drop(self, book_id: str) -> None:
        """Forget a book: the next reader opens it anew."""
        with self._lock:
            for key in [k for k in self._open if k[0] == book_id]:
                del self._open[key]

    def _current(self, book_id: str, library: str) -> tuple[BookRecord, int]:
        with self._database.session(read_only=True) as session:
            record = BookRepository(session).get(book_id, library=library)
            if record is None:
                raise BookUnknown(f"There is no book {book_id}.")
            if record.version is not None:
                return record, DecisionRepository(session).count(book_id)
            job = JobRepository(session).latest(book_id)
        if job is None or not job.state.ended:
            raise BookNotReady("This book is still being read.", job=job.id if job else None)
        why = failure_of(job)
        raise BookFailed(f"This book is not read: {why.detail}", remedy=why.advice)

    def _load(self, record: BookRecord, decisions: int) -> OpenBook:
        folder = self._store.open(record.id, record.version or "")
        book = books.storage.load(folder)
        index = BookIndex.open(folder / INDEX, book=book)

        def people() -> People:
            resolved = coref.storage.load(folder / coref.storage.FILE)
            with self._database.session(read_only=True) as session:
                log = DecisionRepository(session).log(record.id)[:decisions]
            return People(resolved, replay(resolved, book, log))

        return OpenBook(record, decisions, book, index, people)

    def _keep(self, key: tuple[str, str, int], book: OpenBook) -> None:
        with self._lock:
            for stale in [k for k in self._open if k[0] == key[0] and k != key]:
                del self._open[stale]
            self._open[key] = book
            self._open.move_to_end(key)
            self._make_room()

    def _make_room(self) -> None:
        """Of the books not asked for lately, first who is who in them is let go, then the books."""
        *others, _ = self._open.items()
        over = sum(book.weight for book in self._open.values()) - self._memory
        for _, book in others:
            if over > 0:
                over -= book.lighten()
        for key, book in others:
            if over > 0 or len(self._open) > self._capacity:
                del self._open[key]
                over -= book.weight
        self._opening = {k: v for k, v in self._opening.items() if v.locked()}


def _remembered(kept: OrderedDict[K, V], key: K, make: Callable[[], V]) -> V:
    found = kept.get(key)
    if found is None:
        found = kept[key] = make()
    kept.move_to_end(key)
    while len(kept) > _VIEWS:
        kept.popitem(last=False)
    return found
