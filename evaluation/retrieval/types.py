"""What is measured of retrievers: counts, so that novels are summed before anything is divided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from evaluation.coref.tallies import Share

_NONE = Share()


class CastSource(StrEnum):
    """Whose annotations the retriever works with."""

    OWN = "own"
    """The resolver's: what the gold's character is for it, nobody when it has not found them."""
    GOLD = "gold"
    """The gold's own: what is lost here, the retriever loses."""


@dataclass(frozen=True, slots=True)
class RetrievalFigures:
    """Of one character's passages, or of those of several together."""

    recall: Share = _NONE
    """Of the passages in which the gold says that they speak or are mentioned, those that are returned."""
    speaking: Share = _NONE
    """The part of it that is where they speak …"""
    mentioned: Share = _NONE
    """… and that where they are mentioned; a passage may be both."""
    recall_by_character: Share = _NONE
    """The sum of the characters' recalls, of so many characters: each counts the same."""
    possible: Share = _NONE
    """The recall of a retriever that returned nothing else: so many passages hold no more."""
    precision: Share = _NONE
    """Of the returned passages with a quote, those in which the gold says that they speak or are mentioned.
    Too low, for the gold is silent of whom the narration beside the quote means."""
    precision_in_speech: Share = _NONE
    """The same of passages that are quotes and nothing else, of which the gold knows everybody."""
    returned: Share = _NONE
    """Passages, of so many characters: their mean."""

    def __add__(self, other: RetrievalFigures) -> RetrievalFigures:
        return RetrievalFigures(
            self.recall + other.recall,
            self.speaking + other.speaking,
            self.mentioned + other.mentioned,
            self.recall_by_character + other.recall_by_character,
            self.possible + other.possible,
            self.precision + other.precision,
            self.precision_in_speech + other.precision_in_speech,
            self.returned + other.returned,
        )


@dataclass(frozen=True, slots=True, order=True)
class RetrievalCase:
    """What was asked."""

    category: str
    """Of the gold's characters."""
    cast: CastSource
    retriever: str
    k: int | None
    """At most so many passages; None for as many as it finds."""


@dataclass(frozen=True, slots=True)
class RetrievalScores:
    """A novel, or several together."""

    name: str
    passages: int
    characters: Mapping[str, int]
    """By category: those that speak or are mentioned in any quote."""
    found: Mapping[str, int]
    """… and that the resolver has too."""
    cases: Mapping[RetrievalCase, RetrievalFigures]
