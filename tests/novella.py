"""The project's novella, read and indexed once for all tests of a process."""

from __future__ import annotations

from pathlib import Path

import pytest

from books.reading import read
from books.types import Book
from coref.registry import make_resolver
from coref.types import Annotations
from evaluation import novella
from retrieval.index import BookIndex, build
from retrieval.registry import make_embedder

OpenedNovella = tuple[Book, Annotations, BookIndex]


def indexed(book: Book, folder: Path) -> BookIndex:
    build(book, folder, embedder=make_embedder("hashing"))
    return BookIndex.open(folder, book=book)


@pytest.fixture(scope="session")
def low_water(tmp_path_factory: pytest.TempPathFactory) -> OpenedNovella:
    book = read(novella.text().encode(), name="novella.txt")
    return book, make_resolver("rules").annotate(book), indexed(book, tmp_path_factory.mktemp("novella"))
