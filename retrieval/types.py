"""Passages, what asks for them, and what an index says of itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from books.types import Span


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
    sources: tuple[str, ...] = ()
    """The retrievers that found it."""
    mentions: int = 0
    """How often the characters asked for are mentioned in it."""


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
    """At most so many tokens over all passages together, as the writer's own tokenizer counts them."""
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
