"""The books in use: read, resolved and indexed once, and kept in a work folder.

A book is read from its file each time, which is fast. Slow results are kept under a hash of the text, its
shape and the engine, so that another version of any of them starts afresh.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import coref.storage
from books.types import Book
from coref.errors import AnnotationsDamaged
from coref.protocols import Resolver
from coref.registry import resolver_for
from coref.types import Annotations
from evaluation.corpus.errors import NovelsLeftOut
from evaluation.corpus.quotations import N, path_by_name
from evaluation.datasets.shelf import open_book
from evaluation.portraits.types import OpenedBook
from retrieval import index
from retrieval.errors import IndexMissing, IndexStale
from retrieval.index import BookIndex
from retrieval.protocols import Embedder

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Workroom:
    folder: Path
    resolver: Resolver
    embedder: Embedder
    tell: Tell

    @contextmanager
    def open(self, path: Path) -> Iterator[OpenedBook]:
        book = open_book(path)
        annotations = self.annotations(book)
        with ExitStack() as stack:
            yield OpenedBook(book, annotations, cache(lambda: stack.enter_context(self._index(book))))

    def open_novels(
        self,
        novels: Iterable[N],
        texts: Path,
        *,
        only: Collection[str] | None = None,
        only_resolved: bool = False,
    ) -> Iterator[tuple[N, OpenedBook]]:
        """Yield the novels whose texts are there, each open until the next is asked for.

        `only` has the names of those to open. Raises NovelsLeftOut if none is left.
        """
        chosen = [novel for novel in novels if not only or novel.novel in only]
        if only and not chosen:
            raise NovelsLeftOut.by_name()
        unresolved, opened_any = False, False
        for novel in chosen:
            path = path_by_name(novel.novel, texts)
            if path is None:
                self.tell(f"{texts} has no text of {novel.novel}")
            elif only_resolved and not self.has(open_book(path)):
                unresolved = True
            else:
                opened_any = True
                with self.open(path) as opened:
                    yield novel, opened
        if not opened_any:
            raise NovelsLeftOut.unresolved() if unresolved else NovelsLeftOut.without_text(texts)

    def has(self, book: Book) -> bool:
        """Whether a book is resolved already."""
        return self._annotated(book).exists()

    def annotations(self, book: Book) -> Annotations:
        path = self._annotated(book)
        try:
            return coref.storage.load(path)
        except (AnnotationsDamaged, OSError):
            self.tell(f"Resolving {book.title}")
        annotations = resolver_for(book, self.resolver).annotate(book)
        path.parent.mkdir(parents=True, exist_ok=True)
        coref.storage.save(annotations, path)
        return annotations

    def _annotated(self, book: Book) -> Path:
        return self._place(book, self.resolver.name) / coref.storage.FILE

    def _index(self, book: Book) -> BookIndex:
        folder = self._place(book, self.embedder.name)
        try:
            return BookIndex.open(folder, book=book)
        except (IndexMissing, IndexStale):
            self.tell(f"Indexing {book.title}")
        index.build(book, folder, embedder=self.embedder)
        return BookIndex.open(folder, book=book)

    def _place(self, book: Book, engine: str) -> Path:
        inputs = "\n".join((book.sha256, index.structure(book), engine))
        return self.folder / sha256(inputs.encode()).hexdigest()[:24]
