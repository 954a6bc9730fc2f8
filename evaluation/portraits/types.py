"""What a system is asked, what it answers, and what it works with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from books.types import Book
from coref.types import Annotations, Character
from generation.answering import OFFLINE
from generation.checking.protocols import Extractor, Judge
from generation.protocols import Generator
from generation.types import Portrait, Task, Usage
from retrieval.index import BookIndex
from retrieval.protocols import CountTokens, Embedder, Retriever
from retrieval.registry import make_retriever
from retrieval.types import Bm25Formula


@dataclass(frozen=True, slots=True)
class SystemEngines:
    """Whoever writes, judges and searches, for all systems alike."""

    embedder: Embedder
    judge: Judge
    generator: Generator | None = None
    """With a language model; None where no system needs one."""
    extractor: Extractor = OFFLINE
    """Finds the facts that are judged."""
    bm25: Bm25Formula = Bm25Formula.LUCENE
    passages: int = 80
    token_budget: int = 7000
    temperature: float = 0.4


@dataclass(frozen=True, slots=True)
class OpenedBook:
    """A book that can be asked about. `index` opens its index when it is first needed."""

    book: Book
    annotations: Annotations
    index: Callable[[], BookIndex]

    def retriever(self, name: str, engines: SystemEngines, count: CountTokens | None = None) -> Retriever:
        return make_retriever(
            name,
            index=self.index(),
            annotations=self.annotations,
            embedder=engines.embedder,
            count_tokens=count,
            bm25=engines.bm25,
        )


@dataclass(frozen=True, slots=True)
class SystemQuestion:
    opened: OpenedBook
    character: Character
    task: Task
    words: int
    """About how many a writer is to use."""
    sentences: int
    """How many an extract has."""
    seed: int
    reference: str
    """Nobody may look at it but the oracle."""
    summary: str | None = None
    """Of the book, for the system that is given one."""


@dataclass(frozen=True, slots=True)
class SystemAnswer:
    text: str
    usage: Usage
    portrait: Portrait | None = None
    """Where the answer's facts were checked against the book."""


class System(Protocol):
    @property
    def name(self) -> str:
        """What it is asked for by."""
        ...

    def made_of(self, question: SystemQuestion) -> Mapping[str, object]:
        """All of its own that could change the answer, with versions: part of the key of a kept answer."""
        ...

    def describe(self, question: SystemQuestion) -> SystemAnswer: ...
