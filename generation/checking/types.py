"""What a claim is judged on: its evidence, and what the whole book says of it."""

from __future__ import annotations

from dataclasses import dataclass

from books.types import Span
from generation.checking.judges.propositions import ReadSentence
from generation.story.types import Tie
from generation.types import Claim, NamedSpan


@dataclass(frozen=True, slots=True)
class Evidence:
    """A stretch of the book, or of another text, that a claim is held against."""

    span: Span
    chapter: int
    """Counted from 0."""
    text: str
    named: tuple[NamedSpan, ...] | None = None
    """Who each name and pronoun stands for, as spans into the book; None where nobody knows."""
    told: ReadSentence | None = None
    """What it says, where it is one sentence of a book whose grammar is known."""
    near: tuple[ReadSentence, ...] = ()
    """What the sentences before and after it say."""
    words: float = 0.0
    """Share of the claim's words that stand here."""


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
    """What the whole book, weighed, says two people of a claim are to each other."""

    holder: str
    tie: Tie


@dataclass(frozen=True, slots=True)
class Case:
    """A claim with all that it is judged on."""

    claim: Claim
    cited: tuple[Evidence, ...] = ()
    """What the claim cites."""
    found: tuple[Evidence, ...] = ()
    """Sentences found in the book by its grammar and its people."""
    passages: tuple[Evidence, ...] = ()
    """What a retriever found. It is not asked where the cited sentences hold."""
    holds: bool = False
    """Whether the sentences that the claim was composed from bear it out."""
    occurrences: ClaimOccurrences | None = None
    """None where they were not looked for, or the book's grammar is not known."""
    relations: tuple[WeighedRelation, ...] = ()
    """What the book says that the two people of a claim are to each other."""

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return (*self.cited, *self.found, *self.passages)

    @property
    def sentences(self) -> tuple[Evidence, ...]:
        """The evidence whose grammar is known."""
        return (*self.cited, *self.found) if self.occurrences is not None else ()
