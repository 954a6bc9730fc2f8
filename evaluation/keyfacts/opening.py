"""Open the novels of the corpus: read, and resolved once."""

from __future__ import annotations

from pathlib import Path

from books.types import Book
from coref.protocols import Resolver
from coref.types import Annotations
from evaluation.corpus.quotations import path_of
from evaluation.corpus.types import CorpusNovel
from evaluation.datasets.shelf import open_book
from evaluation.portraits.workroom import Tell, Workroom
from retrieval.registry import make_embedder


def opened(
    novel: CorpusNovel,
    texts: Path,
    folder: Path,
    resolver: Resolver,
    *,
    tell: Tell,
    only_resolved: bool = False,
) -> tuple[Book, Annotations] | None:
    """Return a novel; None if its text is missing, or if only resolved ones are wanted and it is not."""
    try:
        book = open_book(path_of(novel, texts))
    except FileNotFoundError:
        return None
    room = Workroom(folder, resolver, make_embedder("hashing"), tell)
    return None if only_resolved and not room.has(book) else (book, room.annotations(book))
