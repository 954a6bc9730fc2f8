"""A warm question through every retriever, with gate, over the index of one book; and opening that index.

The passages' vectors are bags of hashed terms, so that the index is made in seconds. Questions are embedded
by the real model, each time anew.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks import timing
from benchmarks.timing import Spread
from books.reading import read
from books.types import Span
from coref.registry import make_resolver
from coref.types import Annotations
from retrieval.embedders.hashing import HashingEmbedder
from retrieval.index import BookIndex, build
from retrieval.protocols import Embedder, Vectors
from retrieval.registry import RETRIEVERS, make_embedder, make_retriever
from retrieval.types import Query

QUESTIONS = (
    "",
    "Who kept the secret of the letter, and what did the family say about it?",
    "a walk in the rain",
    "What does she want, and what is in her way?",
)
"""An empty question asks for the characters' names."""
PEOPLE = 5
GATED = ", gated"


@dataclass(frozen=True, slots=True)
class Asking:
    passages: int
    build: float
    """Seconds, with hashed vectors."""
    index_bytes: int
    open: Spread
    """Until the index is ready, with checksums compared; its parts are mapped on first use."""
    map: Spread
    """Opening the index and mapping its parts."""
    queries: dict[str, Spread]
    """Seconds of a whole search by retriever, and with a gate at half of the book."""


class Halves:
    """Embeds passages by their hashed terms and questions, which come one at a time, by the real model."""

    def __init__(self, engine: Embedder) -> None:
        self._engine = engine
        self._quick = HashingEmbedder(dimension=engine.dimension)

    @property
    def name(self) -> str:
        return self._engine.name

    @property
    def dimension(self) -> int:
        return self._engine.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        return (self._engine if len(texts) == 1 else self._quick).embed(texts)

    def embed_parts(self, texts: Sequence[str], parts: Sequence[Sequence[Span]]) -> tuple[Vectors, Vectors]:
        return self._quick.embed_parts(texts, parts)


def measure(texts: Sequence[str], *, runs: int = 5, embedder: str = "minilm") -> Asking:
    book = read("\n\n".join(texts).encode(), name="novel.txt")
    engine = Halves(make_embedder(embedder))
    annotations = make_resolver("rules").annotate(book)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        building = timing.timed(lambda: build(book, folder, embedder=engine)).median
        opening = timing.timed(lambda: BookIndex.open(folder, book=book), runs=20)
        index = BookIndex.open(folder, book=book)
        index.dense.vectors([0])  # loads FAISS
        mapping = timing.timed(lambda: _map(BookIndex.open(folder, book=book)), runs=20)
        return Asking(
            passages=len(index),
            build=building,
            index_bytes=timing.folder_bytes(folder),
            open=opening,
            map=mapping,
            queries=_ask(index, annotations, engine, runs),
        )


def _map(index: BookIndex) -> None:
    assert len(index.bm25) == len(index.dense)


def _ask(index: BookIndex, annotations: Annotations, engine: Embedder, runs: int) -> dict[str, Spread]:
    asked = [
        Query(text=text, characters=(character.id,))
        for character in annotations.characters[:PEOPLE]
        for text in QUESTIONS
    ]
    half = len(index.book.text) // 2
    found = {}
    for name in RETRIEVERS:
        search = make_retriever(name, index=index, annotations=annotations, embedder=engine).search
        for label, upto in ((name, None), (f"{name}{GATED}", half)):
            queries = [replace(query, upto=upto) for query in asked]
            for query in queries:
                search(query)
            seconds = []
            for query in queries * runs:
                started = time.perf_counter()
                search(query)
                seconds.append(time.perf_counter() - started)
            found[label] = timing.spread(seconds)
    return found
