"""The parts of a clause before names and pronouns are chosen."""

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
    """A reference to a person."""

    character: str
    case: GrammaticalCase


@dataclass(frozen=True, slots=True)
class FiniteVerb:
    """A verb that agrees with the subject of the whole clause."""

    singular: str
    plural: str
    base: str = ""
    """The base form, unless it is an auxiliary."""


Piece = str | PersonReference | FiniteVerb
"""Words, a person, or the verb that agrees."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One event ready to be worded: the predicate without its subject."""

    subject: str
    predicate: tuple[Piece, ...]
    verb: str
    """The lemma with its particle."""
    span: Span
    """The sentence of the book that states it."""
    at: int
    """Offset of the verb, which gives the story order."""
    chapter: int
    beside: tuple[str, ...] = ()
    """People who do it together with the subject."""
    passive: bool = False
    negated: bool = False
    setting: tuple[Piece, ...] = ()
    """When or why it happened, if the sentence says so: "when he hears of it"."""
    keys: tuple[str, ...] = ()
    """Lemmas of its content words."""
    nouns: tuple[str, ...] = ()
    """Lemmas of its nouns."""
    content: bool = False
    """Whether a clause or an infinitive in it says what is promised, told or tried."""
    over: bool = False
    """Whether it was already over when the book mentions it, or in progress."""
    doubt: float = 0.0
    """Uncertainty of who is meant."""
    opaque: int = 0
    """Number of things in it that only the page explains: "the proposal"."""
    dropped: int = 0
    """Number of words of the book's clause that were left out."""

    @property
    def others(self) -> tuple[str, ...]:
        """Everybody in the predicate except the subject, in order."""
        found = (p.character for p in self.predicate if isinstance(p, PersonReference))
        return tuple(dict.fromkeys(w for w in (*self.beside, *found) if w != self.subject))

    @property
    def length(self) -> int:
        return sum(len(p.split()) if isinstance(p, str) else 1 for p in self.predicate)
