"""What readers said of single sentences and ties that Bookworm found in novels of the corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import TypeAdapter

from evaluation.corpus.loading import about


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """Words of the book that were to be quoted on a person's page."""

    person: str
    start: int
    """Where the words begin in the text that Bookworm reads."""
    quote: str
    speaker: str | None
    """Who was said to speak them: a name, `somebody`, or the person's own; None for narration."""
    about: bool | None
    """Whether they are about this person, or spoken by that speaker; None if it cannot be told."""
    telling: int
    """2: a study guide would say it; 1: it says something; 0: trivial."""
    alone: bool
    """Whether they can be understood alone."""
    says_who: Literal["yes", "half", "no"] | None = None
    """Whether they say who the person is, as a line in a list of people should; None if nobody was asked."""


@dataclass(frozen=True, slots=True)
class ReadTie:
    """One is the `term` of the other."""

    one: str
    term: str
    other: str
    right: bool | None


@dataclass(frozen=True, slots=True)
class NovelReadings:
    novel: str
    sentences: tuple[ReadSentence, ...]
    ties: tuple[ReadTie, ...]


_READINGS: TypeAdapter[NovelReadings] = TypeAdapter(NovelReadings)


def readings(novel: str) -> NovelReadings:
    """Return what readers said of a novel. It is empty if nobody has read what was found in it."""
    return about(novel, "readings", _READINGS) or NovelReadings(novel, (), ())
