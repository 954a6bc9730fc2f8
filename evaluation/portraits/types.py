"""The questions to systems, their answers, and the engines that systems use."""

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
from retrieval.telling.sentences import telling_sentences
from retrieval.types import Bm25Formula, TellingSentence


@dataclass(frozen=True, slots=True)
class SystemEngines:
    """The writer, judge and retrieval shared by all systems."""

    embedder: Embedder
    judge: Judge
    generator: Generator | None = None
    """A language model; None where no system needs one."""
    extractor: Extractor = OFFLINE
    """Finds the facts that are judged."""
    bm25: Bm25Formula = Bm25Formula.LUCENE
    passages: int | None = None
    """Maximum number of passages; None for the default of the task."""
    token_budget: int | None = None
    """Maximum tokens of passages; None for as many as the model has room for."""
    temperature: float = 0.4
    checks_extracts: bool = True
    """Whether the facts of an extract are found and judged, which takes longer than to write it."""


@dataclass(frozen=True, slots=True)
class OpenedBook:
    """A book ready for questions. `index` opens its index on first use."""

    book: Book
    annotations: Annotations
    index: Callable[[], BookIndex]

    def telling(self, character: str) -> tuple[TellingSentence, ...]:
        """Return the sentences about a character, with scores of what they tell."""
        return telling_sentences(self.index(), self.annotations, character)

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
    """Approximate words for a writer."""
    sentences: int
    """Sentences of an extract."""
    seed: int
    reference: str
    """Only the oracle may look at it."""
    summary: str | None = None
    """Summary of the book, for the system that uses one."""
    together: tuple[Character, ...] = ()
    """All people of the book whom the run asks about in this task, for the system that describes them
    together.
    """


@dataclass(frozen=True, slots=True)
class SystemAnswer:
    text: str
    usage: Usage
    portrait: Portrait | None = None
    """Present if the answer's facts were checked against the book."""


class System(Protocol):
    @property
    def name(self) -> str:
        """The name that selects the system."""
        ...

    def made_of(self, question: SystemQuestion) -> Mapping[str, object]:
        """Return all of its own inputs that could change the answer, with versions.

        They are part of the key of a stored answer.
        """
        ...

    def describe(self, question: SystemQuestion) -> SystemAnswer: ...
