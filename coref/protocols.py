"""What a resolver promises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from books.types import Book, Span
from coref.language.syntax import Parse
from coref.types import Annotations

Progress = Callable[[float], None]
"""Told the share of the work that is done, 0 to 1; may raise to stop the work."""


class Resolver(Protocol):
    @property
    def name(self) -> str:
        """Engine and version, such as `rules/1`: part of the key under which results are kept."""
        ...

    def annotate(self, book: Book, *, progress: Progress | None = None) -> Annotations: ...


@runtime_checkable
class LinksGivenMentions(Protocol):
    """What a resolver may offer besides: to say only who is who, where the mentions are known."""

    def link(self, book: Book, spans: Sequence[Span]) -> Sequence[Sequence[Span]]:
        """The given spans, put together by whom they mean; each belongs to one cluster at most."""
        ...


@dataclass(frozen=True, slots=True)
class KnownCharacter:
    """Somebody of whom it is known before that they are in the book."""

    id: str
    name: str
    aliases: tuple[str, ...]


@runtime_checkable
class TakesGivenCast(Protocol):
    """What a resolver may offer besides: to find out who speaks where the cast is known."""

    def annotate_given(
        self, book: Book, cast: Sequence[KnownCharacter], *, progress: Progress | None = None
    ) -> Annotations:
        """Characters have the ids of the cast; others may be found beside them."""
        ...


@dataclass(frozen=True, slots=True)
class ParsedWords:
    """What a `Parse` (`coref.language.syntax`) says of words, without places in a text: one entry a word,
    the sentences one after the other."""

    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    heads: tuple[int, ...]
    """Counted from the first word of the first sentence; `syntax.ROOT` for a sentence's root."""
    relations: tuple[str, ...]
    events: tuple[bool, ...]


@runtime_checkable
class ParsesWords(Protocol):
    """What a resolver may offer besides: the grammar of one document whose words and sentences are known."""

    def parse_words(self, sentences: Sequence[Sequence[str]]) -> ParsedWords: ...


@runtime_checkable
class ParsesText(Protocol):
    """What a resolver may offer besides: the grammar of a text that is no book."""

    def parse_text(self, text: str) -> Parse:
        """Offsets are into the text; no sentence goes beyond a line."""
        ...
