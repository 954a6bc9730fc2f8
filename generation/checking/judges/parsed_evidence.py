"""Evidence of which the grammar is known: what a sentence says, and what those beside it do."""

from __future__ import annotations

from dataclasses import dataclass

from generation.checking.judges.claim_occurrences import NOWHERE, Survey
from generation.checking.judges.propositions import Told
from generation.story.types import Tie
from generation.types import Evidence


@dataclass(frozen=True, slots=True)
class Bond:
    """What the whole book, weighed, says two people of a claim are to each other."""

    holder: str
    tie: Tie


@dataclass(frozen=True, slots=True)
class Material(Evidence):
    told: Told | None = None
    """The sentence in question; the passage is that and what stands beside it."""
    near: tuple[Told, ...] = ()
    words: float = 0.0
    """Share of the claim's words that stand here."""
    survey: Survey = NOWHERE
    """Of the whole claim: the same for all its evidence."""
    bonds: tuple[Bond, ...] = ()
    """The same for all its evidence too."""
