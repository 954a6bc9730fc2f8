"""Facts of which it is known whether they are true, and what a judge said of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from generation.types import Category, Claim, Verdict

NOVELLA = "novella"
"""The book that comes with Bookworm."""


class JudgingHalf(StrEnum):
    CALIBRATION = "calibration"
    """What judges are tuned on."""
    HELD_OUT = "held_out"
    """What nobody tunes on."""


class Falsehood(StrEnum):
    """What was swapped in a true fact to make it false."""

    CHARACTER = "character"
    RELATION = "relation"
    POLARITY = "polarity"
    ORDER = "order"
    CAUSE = "cause"


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact of a book, as a person wrote it."""

    book: str
    """The beginning of the file's name, behind its number; or `NOVELLA`."""
    half: JudgingHalf
    character: str
    fact: str
    category: Category
    falsehood: Falsehood | None
    """None for a true one."""
    words: str
    """Words of the book that bear it out; with a false one, those that bear out what it was made from."""

    @property
    def true(self) -> bool:
        return self.falsehood is None


@dataclass(frozen=True, slots=True)
class JudgedFact:
    known: KnownFact
    claim: Claim
    verdict: Verdict
