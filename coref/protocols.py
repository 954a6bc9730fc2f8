"""The protocols of resolvers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from books.types import Book, Span
from coref.language.syntax import Parse
from coref.types import Annotations

Progress = Callable[[float], None]
"""Called with the share of the work that is done, 0 to 1. It may raise to stop the work."""


class Resolver(Protocol):
    @property
    def name(self) -> str:
        """Engine and version, such as `rules/1`: part of the key under which results are stored."""
        ...

    def annotate(self, book: Book, *, progress: Progress | None = None) -> Annotations: ...


@runtime_checkable
class LinksGivenMentions(Protocol):
    """Optional protocol of a resolver: coreference among mentions that are known."""

    def link(self, book: Book, spans: Sequence[Span]) -> Sequence[Sequence[Span]]:
        """Cluster the given spans by coreference. Each belongs to at most one cluster."""
        ...


@dataclass(frozen=True, slots=True)
class KnownCharacter:
    """A character who is known in advance to be in the book."""

    id: str
    name: str
    aliases: tuple[str, ...]


@runtime_checkable
class TakesGivenCast(Protocol):
    """Optional protocol of a resolver: mentions and speakers for a cast that is known."""

    def annotate_given(self, book: Book, cast: Sequence[KnownCharacter]) -> Annotations:
        """Annotate the book. Characters have the ids of the cast, and others may be found in addition."""
        ...


@dataclass(frozen=True, slots=True)
class ParsedWords:
    """A `Parse` (`coref.language.syntax`) without places in a text.

    It has one entry per word, one sentence after the other.
    """

    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    heads: tuple[int, ...]
    """Counted from the first word of the first sentence; `syntax.ROOT` for the root of a sentence."""
    relations: tuple[str, ...]
    events: tuple[bool, ...]


@runtime_checkable
class ParsesWords(Protocol):
    """Optional protocol of a resolver: the parse of one document whose words and sentences are known."""

    def parse_words(self, sentences: Sequence[Sequence[str]]) -> ParsedWords: ...


@runtime_checkable
class ParsesText(Protocol):
    """Optional protocol of a resolver: the parse of a text that is no book."""

    def parse_text(self, text: str) -> Parse:
        """Parse a text. Offsets refer to the text, and no sentence extends beyond a line."""
        ...
