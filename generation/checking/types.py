"""Types for judging a claim: its evidence, and what the whole book says about it."""

from __future__ import annotations

from dataclasses import dataclass

from books.types import Span
from generation.checking.judges.propositions import ReadSentence
from generation.story.types import Tie
from generation.types import Claim, NamedSpan


@dataclass(frozen=True, slots=True)
class Evidence:
    """A span of the book, or of another text, that a claim is compared with."""

    span: Span
    chapter: int
    """Counted from 0."""
    text: str
    named: tuple[NamedSpan, ...] | None = None
    """The character of each name and pronoun, as spans into the book; None if they are not known."""
    told: ReadSentence | None = None
    """Its propositions and people, if it is a sentence of a parsed book."""
    near: tuple[ReadSentence, ...] = ()
    """The same for the sentences before and after it."""
    words: float = 0.0
    """Share of the claim's words that occur here."""


@dataclass(frozen=True, slots=True)
class ClaimOccurrences:
    """Where a claim's words and people occur. All values are from 0 to 1."""

    words: float
    """Share of the words, by weight, at the best place."""
    joint: float
    """The same at the place that is best for words and people together."""
    standing: float
    """How near the subject is to the words, compared with the nearest person."""
    others: float
    """The same for the other people that the claim names, for the farthest."""
    subject_near: float
    """Presence of the subject at the joint place."""
    subject_there: float
    """Presence of the subject at the place that is best for the words alone."""
    others_near: float
    missing: float
    """Weight of the heaviest word that is missing at the joint place."""
    unknown: frozenset[str] = frozenset()
    """Stems that do not occur in the book."""


NOWHERE = ClaimOccurrences(0, 0, 0, 0, 0, 0, 0, 1)


@dataclass(frozen=True, slots=True)
class WeighedRelation:
    """A relation between two people of a claim, weighed over the whole book."""

    holder: str
    tie: Tie


@dataclass(frozen=True, slots=True)
class Case:
    """A claim with everything that a judge needs."""

    claim: Claim
    cited: tuple[Evidence, ...] = ()
    """The sentences that the claim cites."""
    found: tuple[Evidence, ...] = ()
    """Sentences found by their words and people; empty if the book is not parsed."""
    passages: tuple[Evidence, ...] = ()
    """Passages that a retriever found; it is not called if the cited sentences support the claim."""
    holds: bool = False
    """Whether the sentences that the claim was composed from support it."""
    occurrences: ClaimOccurrences | None = None
    """None if they were not searched for, or if the book is not parsed."""
    relations: tuple[WeighedRelation, ...] = ()
    """Relations between the two people of the claim."""

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return (*self.cited, *self.found, *self.passages)

    @property
    def sentences(self) -> tuple[Evidence, ...]:
        """The evidence that is parsed."""
        return (*self.cited, *self.found) if self.occurrences is not None else ()
