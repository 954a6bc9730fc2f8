"""Facts that are known to be true or false, and a judge's verdicts on them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from generation.types import Category, Claim, Verdict

NOVELLA = "novella"
"""The book that comes with Bookworm."""


class JudgingHalf(StrEnum):
    CALIBRATION = "calibration"
    """The half that judges are tuned on."""
    HELD_OUT = "held_out"
    """The half that nobody tunes on."""


class Falsehood(StrEnum):
    """What was swapped in a true fact to make it false."""

    CHARACTER = "character"
    RELATION = "relation"
    POLARITY = "polarity"
    ORDER = "order"
    CAUSE = "cause"


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact about a book, written by a person."""

    book: str
    """The beginning of the file's name, after its number; or `NOVELLA`."""
    half: JudgingHalf
    character: str
    fact: str
    category: Category
    falsehood: Falsehood | None
    """None for a true one."""
    words: str
    """Words of the book that support it; for a false one, those that support the original."""

    @property
    def true(self) -> bool:
        return self.falsehood is None


@dataclass(frozen=True, slots=True)
class JudgedFact:
    known: KnownFact
    claim: Claim
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence about the novella as a language model might write it, with the passage that it cites."""

    character: str
    true: bool
    text: str
    words: str
    """Words of that passage, which bears a true sentence out. A false one is invented."""
