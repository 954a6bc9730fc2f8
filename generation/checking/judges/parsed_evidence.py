"""Evidence of which the grammar is known: what a sentence says, and what those beside it do."""

from __future__ import annotations

from dataclasses import dataclass

from generation.checking.judges.claim_occurrences import NOWHERE, ClaimOccurrences
from generation.checking.judges.propositions import ReadSentence
from generation.story.types import Tie
from generation.types import Evidence


@dataclass(frozen=True, slots=True)
class WeighedRelation:
    """What the whole book, weighed, says two people of a claim are to each other."""

    holder: str
    tie: Tie


@dataclass(frozen=True, slots=True)
class ParsedEvidence(Evidence):
    told: ReadSentence | None = None
    """The sentence in question; the passage is that and what stands beside it."""
    near: tuple[ReadSentence, ...] = ()
    words: float = 0.0
    """Share of the claim's words that stand here."""
    survey: ClaimOccurrences = NOWHERE
    """Of the whole claim: the same for all its evidence."""
    bonds: tuple[WeighedRelation, ...] = ()
    """The same for all its evidence too."""
