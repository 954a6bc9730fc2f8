"""A cache of open books: published versions with the corrections of readers applied.

An open book consists of its text and its index, whose files are memory-mapped. Annotations are loaded when
they are first needed, and are evicted before the book itself: a search needs only text and index, and
mentions take most of the memory of an open book.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Lock
from typing import Protocol, TypeVar

import books.storage
import coref.storage
from books.errors import BookwormError
from books.gate import cut
from books.report import words_by_chapter
from books.storage import BookDamaged
from books.types import Book
from coref.decisions.gating import first_said, gated, known_by
from coref.decisions.log import Replayed, former_names, replay, replay_on
from coref.decisions.types import Decision
from coref.decisions.whom import of_today
from coref.errors import AnnotationsDamaged
from coref.types import Annotations, Character
from db.database import Database
from db.repositories import BookRepository, DecisionRepository, JobRepository
from db.store import ArtefactStore
from db.types import BookRecord
from retrieval.asking.places import answering_places, places_of
from retrieval.errors import IndexMissing, IndexStale
from retrieval.events.sentences import event_sentences
from retrieval.finding.search import Wanted, search
from retrieval.finding.types import BookSearch
from retrieval.index import BookIndex
from retrieval.protocols import CountTokens, Embedder, Retriever
from retrieval.registry import make_retriever
from retrieval.telling.sentences import introducing_sentences, telling_sentences
from retrieval.types import (
    AnsweringPlace,
    Bm25Formula,
    EventSentence,
    Passage,
    Query,
    TellingSentence,
)
from service import memory_estimate
from service.errors import BookFailed, BookNotReady, BookUnknown
from service.job_failures import failure_of
from service.jobs.stages import INDEX

K = TypeVar("K")
V = TypeVar("V")

_VIEWS = 8
"""Number of cached views of one book, each up to a different place."""
NOBODY = Annotations(resolver="", characters=(), mentions=(), quotes=())
"""Empty annotations, for requests that are not about characters."""
UNSOUND = (IndexMissing, IndexStale, BookDamaged, AnnotationsDamaged)
"""The published version is damaged, or was made by another version of Bookworm or with another model."""


class Mend(Protocol):
    """Has a book reprocessed, and returns the error for requests in the meantime."""

    def __call__(
        self, book: BookRecord, found: BookwormError, *, since: datetime, other_model: bool
    ) -> BookwormError:
        """`since`: when the book was opened. `other_model`: it is intact, but made with another embedder."""
        ...


class Watch:
    """Reports problems that are found in one open book, so that it is repaired."""

    def __init__(self, book: BookRecord, mend: Mend | None) -> None:
        self._book = book
        self._mend = mend
        self._since = datetime.now(UTC)

    @contextmanager
    def watching(self, *, other_model: bool = False) -> Iterator[None]:
        try:
            yield
        except UNSOUND as found:
            if self._mend is None:
                raise
            raise self._mend(self._book, found, since=self._since, other_model=other_model) from found


@dataclass(frozen=True, slots=True)
class People:
    """The annotations of one book: as resolved, and after the corrections of readers."""

    resolved: Annotations
    replayed: Replayed
    log: tuple[Decision, ...] = ()


@dataclass(slots=True)
class OpenBook:
    """One published version at one state of the decision log. It creates the views of it."""

    record: BookRecord
    decisions: int
    book: Book
    index: BookIndex
    watch: Watch
    _load: Callable[[], People]
    _people: People | None = None
    _cut: OrderedDict[int, Book] = field(default_factory=OrderedDict)
    _gated: OrderedDict[int, Annotations] = field(default_factory=OrderedDict)
    _replayed: OrderedDict[tuple[Decision, ...], Annotations] = field(default_factory=OrderedDict)
    _words: OrderedDict[int, tuple[int, ...]] = field(default_factory=OrderedDict)
    _said: dict[str, int] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    @property
    def resolved(self) -> Annotations:
        """The annotations as the resolver made them."""
        return self._known().resolved

    @property
    def annotations(self) -> Annotations:
        """The annotations after the corrections of readers."""
        return self.replayed.annotations

    @property
    def replayed(self) -> Replayed:
        """The annotations after the corrections of readers, and the corrections without effect."""
        return self._known().replayed

    @property
    def log(self) -> tuple[Decision, ...]:
        """The corrections of readers."""
        return self._known().log

    @property
    def weight(self) -> int:
        """Estimated bytes of memory that the book takes now."""
        with self._lock:
            return self._texts_weight() + self._people_weight()

    @property
    def known(self) -> People | None:
        """The annotations, if they are in memory."""
        return self._people

    def made_with(self, embedder: Embedder) -> bool:
        """Whether queries embedded by `embedder` are comparable with the passages."""
        return self.index.embedder == embedder.name

    def view(self, upto: int | None) -> View:
        if upto is None:
            return View(self, self.book, None)
        with self._lock:
            return View(self, _remembered(self._cut, upto, lambda: cut(self.book, upto)), upto)

    def annotations_at(self, upto: int | None) -> Annotations:
        known = self._known()
        if upto is None:
            return known.replayed.annotations
        decided, replaying = known.replayed.annotations, self._replay(known.resolved)
        with self._lock:
            return _remembered(
                self._gated,
                upto,
                lambda: gated(decided, known.log, said=self.first_said, replayed=replaying, upto=upto),
            )

    def log_at(self, upto: int | None) -> tuple[Decision, ...]:
        """The corrections of readers, without what the book reveals after `upto`."""
        return known_by(self.log, upto, self.first_said)

    def first_said(self, name: str) -> int:
        """Return where the book first says a name, as `coref.decisions.gating.first_said` does."""
        if name not in self._said:
            self._said[name] = first_said(self.book.text, name)
        return self._said[name]

    def _replay(self, resolved: Annotations) -> Callable[[tuple[Decision, ...]], Annotations]:
        """A replay of the log as of earlier pages, cached: many places of a book share one."""
        return lambda log: _remembered(self._replayed, log, lambda: replay(resolved, self.book, log))

    def words_at(self, upto: int | None) -> tuple[int, ...]:
        """Words per chapter, cached: every page needs them, and counting is its slowest step."""
        book = self.view(upto).book
        place = len(self.book.text) if upto is None else upto
        with self._lock:
            return _remembered(self._words, place, lambda: tuple(words_by_chapter(book)))

    def lighten(self) -> int:
        """Evicts what can be loaded again, and returns the number of bytes that this frees."""
        with self._lock:
            before = self._texts_weight() + self._people_weight()
            self._people = None
            self._gated.clear()
            self._replayed.clear()
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
        return memory_estimate.of_index(len(self.index)) + sum(
            map(memory_estimate.of_book, (self.book, *self._cut.values()))
        )

    def _people_weight(self) -> int:
        if self._people is None:
            return 0
        decided = self._people.replayed.annotations
        gated = sum(map(memory_estimate.of_changed, (*self._gated.values(), *self._replayed.values())))
        changed = 0 if decided is self._people.resolved else memory_estimate.of_changed(decided)
        return memory_estimate.of_annotations(self._people.resolved) + changed + gated


@dataclass(frozen=True, slots=True)
class View:
    """A book up to the place that the reader has reached. Requests see nothing but this."""

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
    def log(self) -> tuple[Decision, ...]:
        """The corrections of readers, anywhere in the book, without what is revealed after `upto`."""
        return self._opened.log_at(self.upto)

    @property
    def whole_log(self) -> tuple[Decision, ...]:
        """The corrections of readers, with what is revealed after `upto`."""
        return self._opened.log

    def former_name(self, character: str) -> str:
        """Return the name of a character who may have been merged away, or the id if nobody had it."""
        return former_names(self._opened.resolved, self.log).get(character, character)

    @property
    def words_by_chapter(self) -> tuple[int, ...]:
        return self._opened.words_at(self.upto)

    @property
    def text_sha256(self) -> str:
        """Hash of the whole text, whatever part of it is visible: it identifies the book."""
        return self._opened.book.sha256

    @property
    def chapters(self) -> int:
        """Number of chapters of the whole book."""
        return len(self._opened.book.chapters)

    @property
    def midway(self) -> bool:
        """Whether the place that the reader has reached is in the midst of a chapter."""
        chapters, text = self.book.chapters, self._opened.book.text
        if self.upto is None or not chapters:
            return False
        whole = self._opened.book.chapters[len(chapters) - 1]
        return bool(text[self.upto : whole.span.end].strip())

    def percent(self, offset: int) -> int:
        """Return how far into the whole story a place is."""
        return self._opened.book.percent(offset)

    def before(self, upto: int) -> View:
        """Return the book up to a place, or to the gate if that comes first."""
        return self if self.upto is not None and self.upto <= upto else self._opened.view(upto)

    def telling(self, character: str) -> tuple[TellingSentence, ...]:
        """Return the sentences about a character, with scores of what they tell."""
        with self._opened.watch.watching(other_model=False):
            return telling_sentences(self._opened.index, self.annotations, character, upto=self.upto)

    def introducing(self, character: str) -> tuple[TellingSentence, ...]:
        """Return those of them that may say who the character is."""
        with self._opened.watch.watching(other_model=False):
            return introducing_sentences(self._opened.index, self.annotations, character, upto=self.upto)

    def events(self) -> tuple[EventSentence, ...]:
        """Return the sentences that tell what happens, chapter by chapter."""
        with self._opened.watch.watching(other_model=False):
            return event_sentences(self._opened.index, self.annotations, upto=self.upto)

    def places_of(self, events: Sequence[EventSentence]) -> tuple[AnsweringPlace, ...]:
        """Return the places of the sentences that tell most of what happens."""
        with self._opened.watch.watching(other_model=False):
            return places_of(self._opened.index, events)

    def answering(
        self,
        question: str,
        people: Sequence[Character],
        *,
        chapters: Collection[int] | None = None,
        read: bool = True,
    ) -> tuple[AnsweringPlace, ...]:
        """Return the places, maybe only of some chapters, that may answer a question about some people."""
        names = tuple(dict.fromkeys(alias.text for person in people for alias in person.aliases))
        with self._opened.watch.watching(other_model=False):
            return answering_places(
                self._opened.index, question, names=names, upto=self.upto, chapters=chapters, read=read
            )

    def search(self, wanted: Wanted, embedder: Embedder) -> BookSearch:
        """Search by words, and by meaning if the book was made with this embedder."""
        fits = embedder if self._opened.made_with(embedder) else None
        people = self.annotations if wanted.needs_people else NOBODY
        with self._opened.watch.watching(other_model=False):
            return search(self._opened.index, people, wanted, embedder=fits, upto=self.upto)

    def passages(self, places: Iterable[AnsweringPlace]) -> tuple[Passage, ...]:
        """Return the passages of these places."""
        index = self._opened.index
        return tuple(index.passages[number] for place in places for number in place.passages)

    def retriever(
        self,
        name: str,
        *,
        embedder: Embedder,
        count_tokens: CountTokens | None = None,
        bm25: Bm25Formula,
        about_people: bool = True,
    ) -> Retriever:
        """`about_people`: whether queries will name characters. If not, mentions are not loaded."""
        retriever = make_retriever(
            name,
            index=self._opened.index,
            annotations=self.annotations if about_people else NOBODY,
            embedder=embedder,
            count_tokens=count_tokens,
            bm25=bm25,
        )
        return _Watched(retriever, self._opened, embedder)


@dataclass(frozen=True, slots=True)
class _Watched:
    """A retriever that maps parts of the index on first use, and reports them when they are damaged."""

    _retriever: Retriever
    _opened: OpenBook
    _embedder: Embedder

    @property
    def name(self) -> str:
        return self._retriever.name

    def search(self, query: Query) -> list[Passage]:
        with self._opened.watch.watching(other_model=not self._opened.made_with(self._embedder)):
            return self._retriever.search(query)


class Shelf:
    """Caches the most recently used books: at most `capacity`, and about `memory` bytes in total.

    An evicted book is closed when its last reader releases it.
    """

    def __init__(self, database: Database, store: ArtefactStore, *, capacity: int, memory: int) -> None:
        self._database = database
        self._store = store
        self._capacity = capacity
        self._memory = memory
        self._open: OrderedDict[tuple[str, str, int], OpenBook] = OrderedDict()
        self._lock = Lock()
        self._opening: dict[str, Lock] = {}
        self.mend: Mend | None = None
        """If None, problems are only reported."""

    def __len__(self) -> int:
        return len(self._open)

    @property
    def weight(self) -> int:
        """Estimated bytes of memory that all open books take."""
        with self._lock:
            return sum(book.weight for book in self._open.values())

    def open(self, book_id: str, *, library: str) -> OpenBook:
        """Opens the published version with all corrections; raises an error if there is none."""
        record, decisions = self._current(book_id, library)
        key = (book_id, record.version or "", decisions)
        with self._lock:
            found = self._open.get(key)
            opening = self._opening.setdefault(book_id, Lock())
        if found is None:
            with opening:
                found = self._open.get(key) or self._load(record, decisions)
                self._keep(key, found)  # before the next thread looks for it
        else:
            self._keep(key, found)
        return found

    def drop(self, book_id: str) -> None:
        """Removes a book from the cache: the next request opens it again."""
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
            raise BookNotReady("This book is still being processed.", job=job.id if job else None)
        raise failure_of(job).led_to(BookFailed, "This book was not processed:")

    def _load(self, record: BookRecord, decisions: int) -> OpenBook:
        watch = Watch(record, self.mend)
        earlier = self._earlier(record)
        with watch.watching():
            folder = self._store.open(record.id, record.version or "")
            book = earlier.book if earlier else books.storage.load(folder)
            index = earlier.index if earlier else BookIndex.open(folder / INDEX, book=book)

        def after(before: People) -> People:
            with self._database.session(read_only=True) as session:
                decided = DecisionRepository(session).log(record.id)[:decisions]
            resolved, done = before.resolved, len(before.log)
            log = (*before.log, *of_today(decided[done:], resolved))
            found = replay_on(before.replayed, log, done=done, resolved=resolved, book=book)
            return People(resolved, found, log)

        def people() -> People:
            with watch.watching():
                resolved = coref.storage.load(folder / coref.storage.FILE)
            return after(People(resolved, Replayed(resolved, ())))

        known = earlier.known if earlier else None
        now = after(known) if known else None
        return OpenBook(record, decisions, book, index, watch, people, now)

    def _earlier(self, record: BookRecord) -> OpenBook | None:
        """The same version with fewer corrections applied: everything but the corrections is shared."""
        with self._lock:
            same = (book for key, book in self._open.items() if key[:2] == (record.id, record.version))
            return next(same, None)

    def _keep(self, key: tuple[str, str, int], book: OpenBook) -> None:
        with self._lock:
            for stale in [k for k in self._open if k[0] == key[0] and k != key]:
                del self._open[stale]
            self._open[key] = book
            self._open.move_to_end(key)
            self._make_room()

    def _make_room(self) -> None:
        """Evicts the annotations of the least recently used books first, then the books themselves."""
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
