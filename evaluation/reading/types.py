"""What is measured of one reading, and what all readings sum up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class ReadingSplit(StrEnum):
    HELD_OUT = "held-out"
    """Not looked at by whoever wrote the reader's rules."""
    DEVELOPMENT = "development"


class NumberingVerdict(StrEnum):
    """Of a sequence of chapters, without knowing the true one."""

    RIGHT = "right"
    WRONG = "wrong"
    UNTOLD = "untold"
    """The chapters have no numbers that could tell."""


@dataclass(frozen=True, slots=True)
class CheckedBook:
    """What a person found in a book."""

    file: str
    split: ReadingSplit
    chapters: int
    parts: int
    first: str = ""
    """The first chapter's heading as printed, lines apart by ` / `; empty where there is none."""
    last: str = ""


@dataclass(frozen=True, slots=True)
class ChapterNumbering:
    numbered: int
    """Chapters whose title has a number."""
    longest_run: int
    breaks: tuple[str, ...]
    """Where the count does not go on as it should: `5 → 7`."""
    verdict: NumberingVerdict


@dataclass(frozen=True, slots=True)
class ReadingMeasure:
    """One book, read."""

    file: str
    chapters: int
    chapters_by: str
    numbering: ChapterNumbering
    checked: CheckedBook | None
    ends_agree: bool | None
    """The first and last chapters begin where the person saw them begin; None where nobody looked."""
    outside: float
    """The share of the characters that is set apart as not the story."""
    outside_by_part: Mapping[str, float]
    words: int
    troubles: tuple[str, ...]
    """Laws of every book that this one breaks."""
    warnings: tuple[str, ...]
    seconds: float
    """Of one processor: what else the machine does is not counted."""
    memory: float | None
    """The most that was held while reading, in multiples of the unpacked file; None when not asked for."""

    @property
    def agrees(self) -> bool | None:
        """With the person's count; None for a book that nobody has checked."""
        return None if self.checked is None else self.chapters == self.checked.chapters


@dataclass(frozen=True, slots=True)
class FailedReading:
    """A file that could not be read."""

    file: str
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class ReadingTally:
    books: int
    right: int
    """As many chapters as the person counted."""
    exact: int
    """And the first and the last begin where they should."""


@dataclass(frozen=True, slots=True)
class ReadingSpread:
    median: float
    most: float
    worst: str
    """The file that has the most."""


@dataclass(frozen=True, slots=True)
class ReadingSummary:
    books: int
    failed: int
    checked: Mapping[str, ReadingTally]
    """By split: how many agree with the person."""
    sequences: Mapping[str, int]
    """By verdict."""
    lawful: int
    seconds: ReadingSpread | None
    """For 100,000 words; as with memory, over books long enough to tell."""
    memory: ReadingSpread | None
