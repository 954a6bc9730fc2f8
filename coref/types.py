"""Coreference values: mentions, the characters they refer to, quotes and their speakers."""

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
    """The category of an entity. A character is always a person."""

    PERSON = "PER"
    FACILITY = "FAC"
    LOCATION = "LOC"
    GEOPOLITICAL = "GPE"
    ORGANISATION = "ORG"
    VEHICLE = "VEH"


LOCATIONS = (EntityCategory.FACILITY, EntityCategory.LOCATION, EntityCategory.GEOPOLITICAL)


class CharacterKind(StrEnum):
    PERSON = "person"
    GROUP = "group"
    ANIMAL = "animal"


@dataclass(frozen=True, slots=True)
class Mention:
    span: Span
    kind: MentionKind
    character: str | None
    """A character's id; None if the mention was found but not resolved."""
    surface: str = ""
    """The text of the span, so that names can be counted without the book; empty if it was not kept."""
    category: EntityCategory = EntityCategory.PERSON
    entity: int | None = None
    """The number of an entity that is no character: a house, a waiter; None if mentioned only once."""
    confidence: float = 1.0
    """The probability that the mention means its character, as the resolver estimates it.

    For an entity that is no character it is only comparable with that of other such entities.
    """

    @property
    def key(self) -> tuple[int, int]:
        return (self.span.start, -self.span.end)


@dataclass(frozen=True, slots=True)
class Alias:
    """A name the book uses for a character. `first` is the offset at which the book first uses it."""

    text: str
    count: int
    first: int


@dataclass(frozen=True, slots=True)
class Character:
    id: str
    """Stable over re-runs on the same text: derived from the first name the book uses, never a row number."""
    name: str
    aliases: tuple[Alias, ...]
    """Most used first. The display name is among them."""
    kind: CharacterKind
    pronouns: str | None
    """`she/her`, `he/him`, `they/them` or `it/its`; None if unknown."""
    mention_count: int
    first: int
    """Offset of the first mention."""


class QuoteType(StrEnum):
    """How the book attributes a quote: by a name, by a pronoun or noun, or not at all."""

    EXPLICIT = "explicit"
    ANAPHORIC = "anaphoric"
    IMPLICIT = "implicit"


@dataclass(frozen=True, slots=True)
class Quote:
    """A stretch of direct speech, including the quotation marks."""

    span: Span
    speaker: str | None
    addressee: str | None
    confidence: float
    type: QuoteType | None = None


@dataclass(frozen=True, slots=True)
class Teller:
    """A part of the book narrated by one character: a letter, a diary, a frame, or all of it."""

    span: Span
    character: str


@dataclass(frozen=True, slots=True)
class Merge:
    """The evidence that two names belong to one character."""

    character: str
    name: str
    other: str
    confidence: float
    evidence: str
    at: int = 0
    """The offset up to which the book has given this evidence. The spoiler gate opens there."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Two characters who may be one, for a reader to decide."""

    one: str
    other: str
    confidence: float | None
    """None where only a part of the book may be known."""
    evidence: str
    at: int = 0
    """The end of the name by which the book first gives reason to ask; 0 if only the whole book does.

    The spoiler gate opens there. Likelihood and evidence are always from the whole book."""


class TraitKind(StrEnum):
    DOES = "does"
    UNDERGOES = "undergoes"
    IS = "is"
    """A noun or adjective that describes somebody: `was proud`, `the proud man`, `a widow`."""
    HAS = "has"
    KIN = "kin"
    SOCIAL = "social"


class Tense(StrEnum):
    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class Trait:
    """One trait of a character, in one place of the book."""

    character: str
    kind: TraitKind
    span: Span
    """The words of the trait: `refused`, `very proud`, `eyes`, `sister`."""
    lemma: str
    other: str | None = None
    """The other character: the owner of `sister`, the object of `refused`."""
    negated: bool = False
    modal: str | None = None
    """`could`, `would`, `must`, `if`, …: the trait may not be a fact."""
    tense: Tense | None = None
    quoted: bool = False
    """Whether it is in somebody's speech rather than in the narration."""


@dataclass(frozen=True, slots=True)
class Annotations:
    """A resolver's results for one book. Mentions and quotes are in story order, and mentions may nest."""

    resolver: str
    """Name and version of the engine, such as `rules/1`."""
    characters: tuple[Character, ...]
    """Most mentioned first."""
    mentions: tuple[Mention, ...]
    quotes: tuple[Quote, ...]
    narrator: str | None = None
    """The character who says "I" outside quotes in most of the book, if there is one."""
    tellers: tuple[Teller, ...] = ()
    merges: tuple[Merge, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    traits: tuple[Trait, ...] = ()
    """In story order."""
    confirmed: frozenset[str] = frozenset()
    """The characters of each of whom a reader says that it is one person."""
    parse: Parse | None = None
    """The parse of the book; None from a resolver without grammar."""

    def character(self, character_id: str) -> Character | None:
        return next((c for c in self.characters if c.id == character_id), None)

    def mentions_of(self, character_id: str) -> tuple[Mention, ...]:
        return tuple(m for m in self.mentions if m.character == character_id)
