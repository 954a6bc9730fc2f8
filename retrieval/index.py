"""The index of one book: a folder of plain files, written once, mapped into memory, verified on open.

`passages.npy` (passage positions), `bm25/`, `dense.faiss`, `describing.npy` and `kin.npy` (cues),
`sentences.npy` and `sentence_vectors.npy`, and `index.json`, which records what the rest was built from, with
a checksum of every file. Nothing is pickled.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from threading import RLock
from typing import Any, Self, TypeVar, cast, overload

import numpy as np
from numpy.typing import NDArray

from books.languages import CHINESE
from books.types import Book, Span
from coref.protocols import Progress
from coref.types import Annotations
from retrieval import bm25, cues, dense, passages, sentences, tokenizer
from retrieval.checksums import Checksums
from retrieval.errors import IndexMissing, IndexStale
from retrieval.mapped_arrays import mapped
from retrieval.postings import Postings
from retrieval.protocols import Embedder, Vectors
from retrieval.telling.head import EMBEDDER
from retrieval.types import Passage

FORMAT = 3
VERSIONS = {
    "format": FORMAT,
    "passages": passages.VERSION,
    "tokenizer": tokenizer.VERSION,
    "bm25": bm25.VERSION,
    "dense": dense.VERSION,
    "cues": cues.VERSION,
}
_CARD = "index.json"
_EMBED_AT_ONCE = 256
_DERIVED_KEPT = 8
"""Readers at different gates have different annotations."""

_CHECKSUMS = Checksums()

Columns = NDArray[np.int64]
Part = TypeVar("Part", bm25.Bm25, dense.Dense)
Kept = TypeVar("Kept")
Opened = TypeVar("Opened")


def build(book: Book, folder: Path, *, embedder: Embedder, progress: Progress | None = None) -> None:
    """Write the index of `book` into `folder`. `progress` receives the share done, and may raise to stop."""
    pieces = passages.split(book)
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "passages.npy", _columns(book, pieces), allow_pickle=False)
    np.save(folder / "describing.npy", cues.describing(book.text, pieces), allow_pickle=False)
    np.save(folder / "kin.npy", cues.kin(book.text, pieces), allow_pickle=False)
    bm25.build([tokenizer.terms(p.text) for p in pieces], folder / "bm25")
    lines = _sentences(book, pieces)
    rows, within = _embed(pieces, lines, embedder, progress)
    dense.build(rows, folder / "dense.faiss")
    np.save(folder / "sentences.npy", lines, allow_pickle=False)
    np.save(folder / "sentence_vectors.npy", within, allow_pickle=False)
    card = VERSIONS | {
        "text_sha256": book.sha256,
        "structure": structure(book),
        "count": len(pieces),
        "embedder": embedder.name,
        "files": {name: Checksums().of(folder / name) for name in _files(folder)},
    }
    (folder / _CARD).write_text(json.dumps(card, sort_keys=True, indent=1), "utf-8")


class BookIndex:
    """An opened index. Everything may be called from many threads at once."""

    def __init__(self, folder: Path, book: Book, card: dict[str, Any], columns: Columns) -> None:
        self._folder = folder
        self._book = book
        self._columns = columns
        self._bm25: bm25.Bm25 | None = None
        self._dense: dense.Dense | None = None
        self._kept: list[_Derived] = []
        self._lock = RLock()
        self._readers = 0
        self._closing = self._dropped = False
        self.embedder = str(card["embedder"])
        """Name of the embedder that made the vectors: questions must be embedded by the same."""
        self.passages: Sequence[Passage] = _Passages(book, columns)

    @classmethod
    def open(cls, folder: Path, *, book: Book) -> Self:
        """Open the index of `book`.

        Raises IndexMissing without one, and IndexStale unless it is complete and the book's own.
        """
        card = _read_card(folder)
        _compare(card, book)
        for name, expected in card["files"].items():
            _check_file(folder, name, expected)
        columns = mapped(folder / "passages.npy")
        if columns.shape != (card["count"], 4):
            raise IndexStale("The index of the book does not match its passages.")
        return cls(folder, book, card, columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def book(self) -> Book:
        return self._book

    @property
    def folder(self) -> Path:
        return self._folder

    @property
    def spans(self) -> Columns:
        """Return start and end of each passage."""
        return self._live()[:, :2]

    @property
    def sentences(self) -> Columns:
        """Return start, end and passage of each sentence."""
        self._live()
        return self._sentences

    @cached_property
    def _sentences(self) -> Columns:
        rows: Columns = self.array("sentences.npy")
        return rows

    @cached_property
    def sentence_vectors(self) -> NDArray[np.float16]:
        """Return a unit row for each sentence."""
        rows: NDArray[np.float16] = self.array("sentence_vectors.npy")
        return rows

    def understands(self, text: str) -> bool:
        """Return whether vectors tell how near a text is in meaning: those of MiniLM read no Chinese."""
        chinese = self.book.language == CHINESE or tokenizer.has_han(text)
        return not (chinese and self.embedder.startswith(EMBEDDER))

    def visible(self, upto: int | None) -> int:
        """Return how many passages, counted from the first, are visible to a reader at `upto`.

        A passage counts when its whole paragraph does: how a paragraph is cut depends on its end.
        """
        columns = self._live()
        return len(columns) if upto is None else int(np.searchsorted(columns[:, 3], upto, side="right"))

    @property
    def bm25(self) -> bm25.Bm25:
        """Return the BM25 index, mapped at first use."""
        with self._lock:
            self._live()
            if self._bm25 is None:
                self._bm25 = self._part(bm25.Bm25.open, "bm25")
            return self._bm25

    @property
    def dense(self) -> dense.Dense:
        """Return the dense index, mapped at first use, so that asking for mentions never loads FAISS."""
        with self._lock:
            self._live()
            if self._dense is None:
                self._dense = self._part(dense.Dense.open, "dense.faiss")
            return self._dense

    def array(self, name: str) -> Any:
        """Map an array of the index."""
        return self._opened(mapped, name)

    def _opened(self, opener: Callable[[Path], Opened], name: str) -> Opened:
        """Open a file that was there when the index was opened: the book may have been deleted since."""
        try:
            return opener(self._folder / name)
        except (OSError, ValueError, RuntimeError, KeyError) as error:
            raise IndexStale(f"The part `{name}` of the book's index cannot be read.") from error

    def _part(self, opener: Callable[[Path], Part], name: str) -> Part:
        part = self._opened(opener, name)
        if len(part) != len(self):
            raise IndexStale(f"The part `{name}` of the book's index is of another book.")
        return part

    @property
    def chapters(self) -> Columns:
        """Return the chapter of each passage."""
        return self._live()[:, 2]

    def postings(self, annotations: Annotations) -> Postings:
        """Return who is mentioned in which passage; cached for the annotations used last."""
        return self.kept(annotations, None, _postings)

    def kept(
        self,
        annotations: Annotations,
        upto: int | None,
        make: Callable[[BookIndex, Annotations, int | None], Kept],
    ) -> Kept:
        """Return what `make` computes for these annotations and this gate; the last few are cached."""
        kept = self._kept
        found = next(
            (k for k in kept if k.annotations is annotations and k.upto == upto and k.make is make), None
        )
        if found is None:
            found = _Derived(annotations, upto, make, make(self, annotations, upto))
            # A new list each time: other threads may be reading the old one.
            self._kept = [found, *kept[: _DERIVED_KEPT - 1]]
        return cast("Kept", found.value)

    def forget(self) -> None:
        """Free what was computed from annotations, and the annotations themselves."""
        self._kept = []

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Keep the index open inside the block, even when another thread closes it meanwhile."""
        with self._lock:
            if self._closing:
                raise ValueError("the index is closed")
            self._readers += 1
        try:
            yield
        finally:
            with self._lock:
                self._readers -= 1
                if self._closing:
                    self.close()

    def close(self) -> None:
        """Refuse new readers, and free the maps: at once, or when the last reader leaves."""
        with self._lock:
            self._closing = True
            if not self._readers:
                self._dropped = True
                self._bm25 = self._dense = None
                self._kept = []
                for kept in ("_sentences", "sentence_vectors"):
                    self.__dict__.pop(kept, None)
                self._columns = np.zeros((0, 4), dtype=np.int64)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _live(self) -> Columns:
        columns = self._columns
        if self._dropped:
            raise ValueError("the index is closed")
        return columns


@dataclass(frozen=True, slots=True)
class _Derived:
    """A value computed from the index and annotations up to a gate, with the function that made it."""

    annotations: Annotations
    upto: int | None
    make: Callable[..., object]
    value: object


def _postings(index: BookIndex, annotations: Annotations, _: int | None) -> Postings:
    describing, kin = (index.array(name) for name in ("describing.npy", "kin.npy"))
    return Postings(annotations, index.spans, describing=describing, kin=kin)


class _Passages(Sequence[Passage]):
    """Passages created on access: their text is the book's, and an open index holds no second copy."""

    def __init__(self, book: Book, columns: Columns) -> None:
        self._book = book
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns)

    @overload
    def __getitem__(self, at: int) -> Passage: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Passage, ...]: ...
    def __getitem__(self, at: int | slice) -> Passage | tuple[Passage, ...]:
        if isinstance(at, slice):
            return tuple(self[i] for i in range(*at.indices(len(self))))
        index = range(len(self))[at]
        start, end, chapter, _ = self._columns[index].tolist()
        return Passage(index=index, span=Span(start, end), chapter=chapter, text=self._book.text[start:end])

    def __iter__(self) -> Iterator[Passage]:
        return (self[i] for i in range(len(self)))


def structure(book: Book) -> str:
    """Hash the positions of the paragraphs: two readings of one text may differ in them."""
    count = len(book.paragraphs)
    digest = hashlib.sha256("\n".join(map(attrgetter("kind"), book.paragraphs)).encode())
    for name in ("span.start", "span.end", "chapter"):
        # Mapped, not looped: for a long book this is most of the time that opening takes.
        digest.update(np.fromiter(map(attrgetter(name), book.paragraphs), "<i8", count=count).tobytes())
    return digest.hexdigest()


def _columns(book: Book, pieces: Sequence[Passage]) -> Columns:
    """Return start, end, chapter, and the end of the whole paragraph."""
    rows = [(p.span.start, p.span.end, p.chapter, _paragraph_end(book, p)) for p in pieces]
    return np.array(rows, dtype=np.int64).reshape(-1, 4)


def _paragraph_end(book: Book, passage: Passage) -> int:
    paragraph = book.paragraph_at(passage.span.start)
    return paragraph.span.end if paragraph else passage.span.end


def _sentences(book: Book, pieces: Sequence[Passage]) -> Columns:
    """Return start, end and passage of each sentence. A passage has at least one.

    In a play labels and stage directions are none, unless a passage has nothing else.
    """
    play = book.play
    marks = sorted((*(speech.label for speech in play.speeches), *play.directions)) if play else []

    def is_mark(sentence: Span) -> bool:
        before = bisect_right(marks, sentence.start, key=attrgetter("start")) - 1
        return before >= 0 and marks[before].covers(sentence)

    rows: list[tuple[int, int, int]] = []
    for piece in pieces:
        every = sentences.split(book.text, piece.span)
        said = [sentence for sentence in every if not is_mark(sentence)] or every
        rows += [(sentence.start, sentence.end, piece.index) for sentence in said]
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


def _embed(
    pieces: Sequence[Passage], lines: Columns, embedder: Embedder, progress: Progress | None
) -> tuple[Vectors, NDArray[np.float16]]:
    """Return the vectors of the passages, and of their sentences, each in the context of its passage.

    Longest passages come first, so that batches need little padding, and in portions, to report progress.
    """
    order = sorted(range(len(pieces)), key=lambda i: (-len(pieces[i].text), i))
    rows = np.zeros((len(pieces), embedder.dimension), dtype=np.float32)
    within = np.zeros((len(lines), embedder.dimension), dtype=np.float16)
    firsts = np.searchsorted(lines[:, 2], np.arange(len(pieces) + 1))
    done, whole = 0, sum(len(p.text) for p in pieces)
    for at in range(0, len(order), _EMBED_AT_ONCE):
        chosen = order[at : at + _EMBED_AT_ONCE]
        mine = [np.arange(firsts[i], firsts[i + 1]) for i in chosen]
        parts = [
            [Span(a - pieces[i].span.start, b - pieces[i].span.start) for a, b in lines[few, :2].tolist()]
            for i, few in zip(chosen, mine, strict=True)
        ]
        rows[chosen], within[np.concatenate(mine)] = embedder.embed_parts(
            [pieces[i].text for i in chosen], parts
        )
        done += sum(len(pieces[i].text) for i in chosen)
        if progress:
            progress(done / whole)  # by length: the first portion is many times as much work as the last
    return rows, within


def _files(folder: Path) -> list[str]:
    every = (p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    return sorted(name for name in every if name != _CARD)


def _read_card(folder: Path) -> dict[str, Any]:
    try:
        card = json.loads((folder / _CARD).read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise IndexMissing("The book has no index.") from error
    except ValueError as error:
        raise IndexStale("The index of the book is damaged.") from error
    wanted = {"text_sha256": str, "structure": str, "count": int, "embedder": str, "files": dict}
    if not isinstance(card, dict) or any(not isinstance(card.get(k), t) for k, t in wanted.items()):
        raise IndexStale("The index of the book is damaged.")
    return card


def _compare(card: dict[str, Any], book: Book) -> None:
    for part, version in VERSIONS.items():
        if card.get(part) != version:
            raise IndexStale(f"The index of the book was made by another version ({part}).")
    if card["text_sha256"] != book.sha256:
        raise IndexStale("The index of the book was made from another text.")
    if card["structure"] != structure(book):
        raise IndexStale("The index of the book was made from another reading of its text.")


def _check_file(folder: Path, name: str, expected: object) -> None:
    try:
        found = _CHECKSUMS.of(folder / name)
    except OSError as error:
        raise IndexStale(f"The file `{name}` of the book's index is missing.") from error
    if found != expected:
        raise IndexStale(f"The file `{name}` of the book's index is damaged.")
