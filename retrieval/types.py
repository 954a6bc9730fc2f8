"""Passages, what asks for them, and what an index says of itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from books.types import Span

NEIGHBOUR = "neighbour"
"""The source of a passage that is there for the one beside it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Why a passage is in the answer."""

    source: str
    """The retriever that found it, or `neighbour`."""
    score: float
    """What that retriever gave it; 0 for a neighbour."""
    rank: int
    """Its place in that retriever's ranking, from 1; a neighbour has that of the find it stands beside."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of the book small enough to show: a paragraph, or a piece of an over-long one."""

    index: int
    """Position among the book's passages."""
    span: Span
    chapter: int
    """Counted from 0."""
    text: str
    score: float = 0.0
    """In the ranking that the answer was taken from; 0 for a neighbour."""
    findings: tuple[Finding, ...] = ()
    """Every ranking that it stands in: more than one where rankings were fused."""
    mentions: int = 0
    """How often the characters asked for are mentioned in it."""

    @property
    def sources(self) -> tuple[str, ...]:
        """The retrievers that found it."""
        return tuple(f.source for f in self.findings)


class Bm25Formula(StrEnum):
    """How BM25 weighs a term: both with the same k1 and b."""

    LUCENE = "lucene"
    """As in Lucene: no term ever counts against a passage."""
    OKAPI = "okapi"
    """As in `rank_bm25.BM25Okapi`: a term in more than half of the passages weighs a share of the average."""


class Order(StrEnum):
    STORY = "story"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Query:
    """What is wanted. Retrievers that look for characters use `characters`, the others `text`."""

    text: str = ""
    characters: tuple[str, ...] = ()
    """Character ids."""
    k: int = 80
    token_budget: int | None = None
    """At most so many tokens over all passages together, as the writer's own tokenizer counts them.

    Passages come whole or not at all, so that spans and citations stay exact: where none fits, none comes.
    """
    neighbours: int = 0
    """So many passages before and after each one found come with it, within its chapter and before the gate.

    They do not count towards `k`; under a token budget they get what the passages found have left.
    """
    upto: int | None = None
    """The spoiler gate: an offset; nothing that ends after it exists."""
    order: Order = Order.STORY
    seed: int = 0


@dataclass(frozen=True, slots=True)
class FileStamp:
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class StageStamp:
    """What one stage wrote, and under which key."""

    stage: str
    version: int
    engine: str
    """Name and version of the engine that did the work, with the hash of its weights where it has any."""
    key: str
    """Hash of the text, the stage, its version and its configuration."""
    files: dict[str, FileStamp] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a version folder holds. It is compared on open; a difference is `IndexStale`."""

    format: int
    text_sha256: str
    stages: tuple[StageStamp, ...]
    created: str
    """ISO 8601, UTC."""

    def stage(self, name: str) -> StageStamp | None:
        return next((s for s in self.stages if s.stage == name), None)
