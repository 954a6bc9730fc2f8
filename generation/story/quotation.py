"""A quotation about a character."""

from __future__ import annotations

from dataclasses import dataclass

from generation.types import Citation
from retrieval.types import Category

UNKNOWN = ""
"""Id of an unknown speaker."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words of the book about a character, or by them."""

    text: str
    """On one line, without outer quotation marks, with `…` where the sentence is cut."""
    citation: Citation
    character: str
    category: Category
    speaker: str | None
    """Who says it, or `UNKNOWN`; None in the narration."""
    tagged: bool
    """Whether it is speech, and says itself who speaks: `“Ann is proud,” said Tom.`"""
    certainty: float
    """The probability that it is about the character, or is said by them."""
    worth: float
    """The probability that it is, says what a reader wants to know, and can be understood alone."""
    alone: float
    """The probability that it can be understood alone."""
    by_category: dict[Category, float]
    says_who: float = 0.0
    """The probability that it says who the character is; 0 if it is not one of the likeliest sentences."""
    others: frozenset[str] = frozenset()
    """Other characters it mentions."""

    @property
    def own(self) -> bool:
        """Whether the character says it."""
        return self.speaker == self.character

    @property
    def heard(self) -> bool:
        """Whether another character says it, who is known."""
        return self.speaker not in (None, UNKNOWN, self.character)
