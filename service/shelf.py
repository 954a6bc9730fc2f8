"""Open books: what was published, with readers' decisions replayed, kept in memory for a while."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock

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
from service.errors import BookFailed, BookNotReady, BookUnknown
from service.failures import failure_of
from service.jobs.stages import INDEX

_VIEWS = 8


@dataclass(frozen=True, slots=True)
class View:
    """A book as far as somebody has read it. All that a request may see comes from here."""

    record: BookRecord
    decisions: int
    book: Book
    annotations: Annotations
    upto: int | None
    text_sha256: str
    """Of the whole text, gated or not: it says which book this is."""
    _index: BookIndex

    def retriever(
        self, name: str, *, embedder: Embedder, count_tokens: CountTokens | None = None
    ) -> Retriever:
        return make_retriever(
            name,
            index=self._index,
            annotations=self.annotations,
            embedder=embedder,
            count_tokens=count_tokens,
        )


@dataclass(slots=True)
class OpenBook:
    """One published version under one state of the decision log; hands out views and keeps the latest."""

    record: BookRecord
    decisions: int
    book: Book
    resolved: Annotations
    """As the resolver left them."""
    annotations: Annotations
    """After the readers' decisions."""
    index: BookIndex
    _views: OrderedDict[int | None, View] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def view(self, upto: int | None) -> View:
        with self._lock:
            view = self._views.get(upto)
            if view is None:
                view = self._views[upto] = View(
                    self.record,
                    self.decisions,
                    cut(self.book, upto),
                    gate(self.annotations, upto=upto),
                    upto,
                    self.book.sha256,
                    self.index,
                )
            self._views.move_to_end(upto)
            while len(self._views) > _VIEWS:
                self._views.popitem(last=False)
            return view


class Shelf:
    """Keeps the books that were opened last. What is dropped is closed when its last reader lets go of it."""

    def __init__(self, database: Database, store: ArtefactStore, *, capacity: int) -> None:
        self._database = database
        self._store = store
        self._capacity = capacity
        self._open: OrderedDict[tuple[str, str, int], OpenBook] = OrderedDict()
        self._lock = Lock()
        self._opening: dict[str, Lock] = {}

    def __len__(self) -> int:
        return len(self._open)

    def open(self, book_id: str, *, library: str) -> OpenBook:
        """The published version with all decisions so far; says why when there is none."""
        record, decisions = self._current(book_id, library)
        key = (book_id, record.version or "", decisions)
        with self._lock:
            found = self._open.get(key)
            if found is not None:
                self._open.move_to_end(key)
                return found
            opening = self._opening.setdefault(book_id, Lock())
        with opening:
            found = self._open.get(key) or self._load(record, decisions)
            self._keep(key, found)
        return found

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
        resolved = coref.storage.load(folder / coref.storage.FILE)
        with self._database.session(read_only=True) as session:
            log = DecisionRepository(session).log(record.id)[:decisions]
        index = BookIndex.open(folder / INDEX, book=book)
        return OpenBook(record, decisions, book, resolved, replay(resolved, book, log), index)

    def _keep(self, key: tuple[str, str, int], book: OpenBook) -> None:
        with self._lock:
            for stale in [k for k in self._open if k[0] == key[0] and k != key]:
                del self._open[stale]
            self._open[key] = book
            self._open.move_to_end(key)
            while len(self._open) > self._capacity:
                self._open.popitem(last=False)
                self._opening = {k: v for k, v in self._opening.items() if v.locked()}
