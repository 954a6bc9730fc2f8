"""The measurements of one reading, and their summary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class ReadingSplit(StrEnum):
    HELD_OUT = "held-out"
    """Not seen by the author of the reader's rules."""
    DEVELOPMENT = "development"


class NumberingVerdict(StrEnum):
    """A verdict on a sequence of chapters, without knowing the true one."""

    RIGHT = "right"
    WRONG = "wrong"
    UNTOLD = "untold"
    """The chapters have no numbers to check."""


@dataclass(frozen=True, slots=True)
class CheckedBook:
    """What a person found in a book."""

    file: str
    split: ReadingSplit
    chapters: int
    parts: int
    first: str = ""
    """The first chapter's heading as printed, lines separated by ` / `; empty where there is none."""
    last: str = ""


@dataclass(frozen=True, slots=True)
class ChapterNumbering:
    numbered: int
    """Chapters whose title has a number."""
    longest_run: int
    breaks: tuple[str, ...]
    """Breaks in the count: `5 → 7`."""
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
    """Whether the first and last chapters begin where the person saw them begin; None if nobody looked."""
    outside: float
    """The share of the characters that is excluded from the story."""
    outside_by_part: Mapping[str, float]
    words: int
    troubles: tuple[str, ...]
    """Invariants that this book violates."""
    warnings: tuple[str, ...]
    seconds: float
    """Processor time, so that other work on the machine is not counted."""
    memory: float | None
    """Peak memory while reading, in multiples of the unpacked file; None if not requested."""

    @property
    def agrees(self) -> bool | None:
        """Return whether it agrees with the person's count; None for a book that nobody checked."""
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
    """Books with as many chapters as the person counted."""
    exact: int
    """Books whose first and last chapters begin where they should, too."""


@dataclass(frozen=True, slots=True)
class ReadingSpread:
    median: float
    most: float
    worst: str
    """The file with the highest value."""


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
    """Per 100,000 words; like memory, only over books that are long enough."""
    memory: ReadingSpread | None
