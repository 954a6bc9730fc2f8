"""Measurements of retrievers: counts, so that novels are summed before anything is divided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from evaluation.coref.tallies import Share, Sums

_NONE = Share()


class CastSource(StrEnum):
    """The source of the retriever's annotations."""

    OWN = "own"
    """The resolver's: the gold's character is its partner, or nobody if it was not found."""
    GOLD = "gold"
    """The gold's own: any loss here is the retriever's."""


@dataclass(frozen=True, slots=True)
class RetrievalFigures(Sums):
    """Figures of one character's passages, or of several together."""

    recall: Share = _NONE
    """Passages returned, of those in which, by the gold, they speak or are mentioned."""
    speaking: Share = _NONE
    """The part of it where they speak …"""
    mentioned: Share = _NONE
    """… and where they are mentioned; a passage may be both."""
    recall_by_character: Share = _NONE
    """The sum of the characters' recalls, over their number: each counts the same."""
    possible: Share = _NONE
    """The recall of a retriever that returned nothing else: this many passages hold no more."""
    precision: Share = _NONE
    """Passages in which, by the gold, they speak or are mentioned, of the returned ones with a quote.

    Too low, because the gold does not annotate whom the narration beside the quote means.
    """
    precision_in_speech: Share = _NONE
    """The same for passages that consist of quotes, for which the gold knows everybody."""
    returned: Share = _NONE
    """Returned passages, over the number of characters: their mean."""


@dataclass(frozen=True, slots=True, order=True)
class RetrievalCase:
    """What was requested."""

    category: str
    """Category of the gold's characters."""
    cast: CastSource
    retriever: str
    k: int | None
    """Maximum passages; None for as many as it finds."""


@dataclass(frozen=True, slots=True)
class RetrievalScores:
    """The scores of a novel, or of several together."""

    name: str
    passages: int
    characters: Mapping[str, int]
    """By category: characters that speak or are mentioned in any quote."""
    found: Mapping[str, int]
    """… and that the resolver found too."""
    cases: Mapping[RetrievalCase, RetrievalFigures]
