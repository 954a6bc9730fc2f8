"""A Chinese novel, read and indexed for as long as it is measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from coref.chinese.resolver import ChineseResolver
from coref.types import Annotations
from evaluation.chinese.sources import as_book
from retrieval.index import BookIndex, build
from retrieval.registry import make_embedder


@contextmanager
def indexed(chapters: Iterable[str]) -> Iterator[tuple[BookIndex, Annotations]]:
    book = as_book(chapters)
    annotations = ChineseResolver().annotate(book)
    with TemporaryDirectory() as folder:
        build(book, Path(folder), embedder=make_embedder("hashing"))
        yield BookIndex.open(Path(folder), book=book), annotations
