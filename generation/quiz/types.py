"""Questions to a reader who has come to some place of a book."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from books.types import Span


class WhyWrong(StrEnum):
    """Why a choice is wrong."""

    LATER = "later"
    """It happens, but after the place where the reader is."""
    OTHER_BOOK = "other_book"
    """It happens in another book; the names are changed to those of this one."""
    PEOPLE = "people"
    """It happens, but to somebody else."""
    ELSEWHERE = "elsewhere"
    """It happens in another chapter than the one that is asked about."""
    EVENTS = "events"
    """The scene is there, but something else happens. Written by a language model."""
    NEGATED = "negated"
    """The opposite happens. Written by a language model."""


class QuizLevel(StrEnum):
    """What a summary that is to be corrected covers."""

    SCENE = "scene"
    CHAPTER = "chapter"
    BOOK = "book"


class QuizLoad(StrEnum):
    """How long ago a reader has read what they are asked about."""

    NEAR = "near"
    """In the later half of what happens in what they have read."""
    FAR = "far"
    """In the earlier half."""


@dataclass(frozen=True, slots=True)
class StoryScene:
    span: Span
    chapter: int
    """Counted from 0."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happens in a scene of a book, in a sentence or more."""

    text: str
    place: Span
    """Where the book tells it."""
    scene: StoryScene
    people: tuple[str, ...] = ()
    """Ids of the characters that it names."""
    telling: float = 0.0
    """How much it says of the story, beside others of the same book."""


@dataclass(frozen=True, slots=True)
class Choice:
    text: str
    why: WhyWrong | None = None
    """None if it is the right one."""
    of: Happening | None = None
    """What a wrong one was made from, which happens here or in another book; None if it is told as it is."""


@dataclass(frozen=True, slots=True)
class ReadAlongQuestion:
    """Which of these choices happens in what has been read, or in one chapter of it, or none of them?"""

    choices: tuple[Choice, ...]
    answer: int
    """Position of the right choice; the number of choices for “none of these”."""
    at: int
    """The offset up to which the book has been read."""
    happening: Happening | None
    """The right choice, with its place."""
    load: int | None
    """Words read since then. None if none of the choices is right."""
    chapter: int | None = None
    """The chapter that is asked about, counted from 0; None for all that has been read."""


@dataclass(frozen=True, slots=True)
class CorrectionTask:
    """A summary with errors, to be put right from memory."""

    given: str
    right: str
    happenings: tuple[Happening, ...]
    level: QuizLevel
    at: int
