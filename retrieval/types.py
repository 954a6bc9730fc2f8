"""Passages, the queries for them, and what an index says about itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from books.types import Span

NEIGHBOUR = "neighbour"
"""The source of a passage that is there as a neighbour of a find."""


class Category(StrEnum):
    """The six categories of facts in PRISMA."""

    ROLE = "role"
    RELATIONSHIP = "relationship"
    PERSONALITY = "personality"
    EVENT = "event"
    MENTAL_STATE = "mental_state"
    OTHER = "other"


WHO = (Category.ROLE, Category.RELATIONSHIP, Category.PERSONALITY, Category.OTHER)
"""The categories that say who somebody is."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Why a passage is in the answer."""

    source: str
    """The retriever that found it, or `neighbour`."""
    score: float
    """The score from that retriever; 0 for a neighbour."""
    rank: int
    """The rank in that retriever's ranking, from 1; a neighbour has that of its find."""


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
    """Score in the ranking that the answer was taken from; 0 for a neighbour."""
    findings: tuple[Finding, ...] = ()
    """Every ranking that contains it: more than one where rankings were fused."""
    mentions: int = 0
    """How often the requested characters are mentioned in it."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the retrievers that found it."""
        return tuple(f.source for f in self.findings)


@dataclass(frozen=True, slots=True)
class TellingSentence:
    """A sentence about a character, scored by what it tells of them."""

    span: Span
    chapter: int
    """Counted from 0."""
    character: str
    score: float
    """What it tells over all: the logarithm of a weight, comparable among the sentences of one character."""
    by_category: dict[Category, float]
    """The same for each category of facts."""
    certainty: float
    """The probability that it is about the character, or that they say it."""
    telling: float
    """The probability that it says what a reader wants to know of them."""
    alone: float
    """The probability that it can be understood alone."""
    introducing: bool
    """Whether it is one of the few that may say who they are."""


@dataclass(frozen=True, slots=True)
class EventSentence:
    """A sentence from which a reader sees something of what happens in its stretch of the book."""

    span: Span
    chapter: int
    """Counted from 0."""
    stretch: int
    """Counted from 0 through the book: its chapter, or the part of one that is very long."""
    rank: int
    """Its place among those of the stretch, from 0: each tells most beside the ones before it."""
    score: float
    """The logarithm of a weight, comparable among the sentences of a book."""


@dataclass(frozen=True, slots=True)
class ScoredSpan:
    span: Span
    score: float


@dataclass(frozen=True, slots=True)
class AnsweringPlace:
    """A few neighbouring passages that may answer a question."""

    span: Span
    chapter: int
    """Counted from 0."""
    passages: tuple[int, ...]
    """Positions among the book's passages."""
    score: float
    """The probability that it answers the question."""
    sentences: tuple[ScoredSpan, ...]
    """Its sentences in story order, with how near each is to the question, up to 1."""


class Bm25Formula(StrEnum):
    """How BM25 weights a term; both formulas have the same k1 and b."""

    LUCENE = "lucene"
    """As in Lucene: no term ever counts against a passage."""
    OKAPI = "okapi"
    """As in `rank_bm25.BM25Okapi`: a term in over half of the passages has a share of the average weight."""


class Order(StrEnum):
    STORY = "story"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Query:
    """A request for passages. Retrievers that look for characters use `characters`, the others `text`."""

    text: str = ""
    characters: tuple[str, ...] = ()
    """Character ids."""
    k: int = 80
    token_budget: int | None = None
    """Maximum tokens over all passages together, as the writer's own tokenizer counts them.

    Passages come whole or not at all, so that spans and citations stay exact: if none fits, none is returned.
    """
    neighbours: int = 0
    """Number of passages added before and after each find, within its chapter and before the gate.

    They do not count toward `k`; under a token budget they share what the finds have left.
    """
    upto: int | None = None
    """The spoiler gate, an offset: nothing that ends after it is visible."""
    order: Order = Order.STORY
    seed: int = 0


@dataclass(frozen=True, slots=True)
class FileStamp:
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class StageStamp:
    """The files that one stage wrote, and its key."""

    stage: str
    version: int
    engine: str
    """Name and version of the engine that did the work, with the hash of its weights if it has any."""
    key: str
    """Hash of the text, the stage, its version and its configuration."""
    files: dict[str, FileStamp] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of a version folder. It is compared on open; a difference is `IndexStale`."""

    format: int
    text_sha256: str
    stages: tuple[StageStamp, ...]
    created: str
    """ISO 8601, UTC."""

    def stage(self, name: str) -> StageStamp | None:
        return next((s for s in self.stages if s.stage == name), None)
