"""What a clause is made of before anybody decides who is called by name and who by a pronoun."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from books.types import Span


class GrammaticalCase(StrEnum):
    SUBJECT = "subject"
    OBJECT = "object"
    POSSESSIVE = "possessive"
    REFLEXIVE = "reflexive"


@dataclass(frozen=True, slots=True)
class PersonReference:
    """Somebody stands here."""

    character: str
    case: GrammaticalCase


@dataclass(frozen=True, slots=True)
class FiniteVerb:
    """A verb that agrees with the subject of the whole clause."""

    singular: str
    plural: str
    base: str = ""
    """Its plain form, where it is no auxiliary."""


Piece = str | PersonReference | FiniteVerb
"""Words, somebody, or the verb that agrees."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing somebody does, ready to be said: the predicate, without its subject."""

    subject: str
    predicate: tuple[Piece, ...]
    verb: str
    """Its lemma, with its particle."""
    span: Span
    """The sentence of the book that says it."""
    at: int
    """Offset of the verb: the order of the story."""
    chapter: int
    beside: tuple[str, ...] = ()
    """Who does it together with the subject."""
    passive: bool = False
    negated: bool = False
    setting: tuple[Piece, ...] = ()
    """When or why it was, where the sentence says so: "when he hears of it"."""
    keys: tuple[str, ...] = ()
    """Lemmas of its words that have a meaning of their own."""
    nouns: tuple[str, ...] = ()
    """Lemmas of its nouns."""
    content: bool = False
    """A clause or an infinitive in it says what is promised, told or tried."""
    over: bool = False
    """It had happened already where the book tells of it, or was going on."""
    doubt: float = 0.0
    """How unsure it is who is meant."""
    opaque: int = 0
    """Things in it that only the page explains: "the proposal"."""
    dropped: int = 0
    """Words of the book's clause that were left out."""

    @property
    def others(self) -> tuple[str, ...]:
        """Everybody in the predicate but the subject, in order."""
        found = (p.character for p in self.predicate if isinstance(p, PersonReference))
        return tuple(dict.fromkeys(w for w in (*self.beside, *found) if w != self.subject))

    @property
    def length(self) -> int:
        return sum(len(p.split()) if isinstance(p, str) else 1 for p in self.predicate)
