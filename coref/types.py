"""Who is who: mentions, the characters they refer to, quotes and their speakers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from books.types import Span


class MentionKind(StrEnum):
    PROPER = "PROP"
    NOMINAL = "NOM"
    PRONOUN = "PRON"


class CharacterKind(StrEnum):
    PERSON = "person"
    GROUP = "group"
    ANIMAL = "animal"


@dataclass(frozen=True, slots=True)
class Mention:
    span: Span
    kind: MentionKind
    character: str | None
    """A character's id; None when the mention was found but not resolved."""
    surface: str = ""
    """The text of the span, so that names can be counted without the book; empty when it was not kept."""

    @property
    def key(self) -> tuple[int, int]:
        return (self.span.start, -self.span.end)


@dataclass(frozen=True, slots=True)
class Alias:
    """A name the book uses for a character; `first` is the offset at which the book first uses it."""

    text: str
    count: int
    first: int


@dataclass(frozen=True, slots=True)
class Character:
    id: str
    """Stable over re-runs on the same text: derived from the first name the book uses, never a row number."""
    name: str
    aliases: tuple[Alias, ...]
    """Most used first; the display name is among them."""
    kind: CharacterKind
    pronouns: str | None
    """`she/her`, `he/him`, `they/them`, `it/its`; None when the book does not say."""
    mention_count: int
    first: int
    """Offset of the first mention."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A stretch of direct speech, quote marks included."""

    span: Span
    speaker: str | None
    addressee: str | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Annotations:
    """Everything a resolver says of one book. Mentions and quotes are in story order; mentions may nest."""

    resolver: str
    """Name and version of the engine, such as `rules/1`."""
    characters: tuple[Character, ...]
    """Most mentioned first."""
    mentions: tuple[Mention, ...]
    quotes: tuple[Quote, ...]
    narrator: str | None = None
    """The character who says "I" outside quotes, where there is one."""

    def character(self, character_id: str) -> Character | None:
        return next((c for c in self.characters if c.id == character_id), None)

    def mentions_of(self, character_id: str) -> tuple[Mention, ...]:
        return tuple(m for m in self.mentions if m.character == character_id)
