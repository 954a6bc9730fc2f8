"""Who is who: mentions, the characters they refer to, quotes and their speakers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from books.types import Span
from coref.language.syntax import Parse


class MentionKind(StrEnum):
    PROPER = "PROP"
    NOMINAL = "NOM"
    PRONOUN = "PRON"


class EntityCategory(StrEnum):
    """What sort of thing a mention means; a character is always a person."""

    PERSON = "PER"
    FACILITY = "FAC"
    LOCATION = "LOC"
    GEOPOLITICAL = "GPE"
    ORGANISATION = "ORG"
    VEHICLE = "VEH"


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
    category: EntityCategory = EntityCategory.PERSON
    entity: int | None = None
    """What is no character is told apart by number: a house, a waiter. None for what is mentioned once."""
    confidence: float = 1.0
    """How sure the resolver is of the character."""

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


class QuoteType(StrEnum):
    """How the book says who speaks: by a name, by a pronoun or noun, or not at all."""

    EXPLICIT = "explicit"
    ANAPHORIC = "anaphoric"
    IMPLICIT = "implicit"


@dataclass(frozen=True, slots=True)
class Quote:
    """A stretch of direct speech, quote marks included."""

    span: Span
    speaker: str | None
    addressee: str | None
    confidence: float
    type: QuoteType | None = None


@dataclass(frozen=True, slots=True)
class Teller:
    """A part of the book that one character tells: a letter, a diary, a frame, or all of it."""

    span: Span
    character: str


@dataclass(frozen=True, slots=True)
class Merge:
    """Why two names were taken for one character's."""

    character: str
    name: str
    other: str
    confidence: float
    evidence: str
    at: int = 0
    """The offset by which the book has said as much: the spoiler gate opens there."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Two characters who may be one: for somebody to decide."""

    one: str
    other: str
    confidence: float
    evidence: str
    at: int = 0
    """As with `Merge`."""


class TraitKind(StrEnum):
    DOES = "does"
    UNDERGOES = "undergoes"
    IS = "is"
    """A noun or adjective that is said of somebody: `was proud`, `the proud man`, `a widow`."""
    HAS = "has"
    KIN = "kin"
    SOCIAL = "social"


class Tense(StrEnum):
    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class Trait:
    """One thing that the book says of a character, in one place."""

    character: str
    kind: TraitKind
    span: Span
    """The words that say it: `refused`, `very proud`, `eyes`, `sister`."""
    lemma: str
    other: str | None = None
    """The character at the other end: whose sister, whom refused."""
    negated: bool = False
    modal: str | None = None
    """`could`, `would`, `must`, `if`…: it may not have been so."""
    tense: Tense | None = None
    quoted: bool = False
    """Somebody says it; the book itself does not."""


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
    """The character who says "I" outside quotes in most of the book, where there is one."""
    tellers: tuple[Teller, ...] = ()
    merges: tuple[Merge, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    traits: tuple[Trait, ...] = ()
    """In story order."""
    parse: Parse | None = None
    """The grammar of the book; None from a resolver that does not read it."""

    def character(self, character_id: str) -> Character | None:
        return next((c for c in self.characters if c.id == character_id), None)

    def mentions_of(self, character_id: str) -> tuple[Mention, ...]:
        return tuple(m for m in self.mentions if m.character == character_id)
