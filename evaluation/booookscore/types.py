"""Summaries of books, and what somebody found confusing in them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ConfusionKind(StrEnum):
    """The eight kinds of the paper's Table 1, in its words."""

    ENTITY_OMISSION = "entity omission"
    EVENT_OMISSION = "event omission"
    CAUSAL_OMISSION = "causal omission"
    DISCONTINUITY = "discontinuity"
    SALIENCE = "salience"
    LANGUAGE = "language"
    INCONSISTENCY = "inconsistency"
    DUPLICATION = "duplication"


@dataclass(frozen=True, slots=True)
class Confusion:
    spans: tuple[str, ...]
    """Words of the summary: one sentence for a model, any stretch or two related ones for a person."""
    questions: str
    kinds: tuple[ConfusionKind, ...]


@dataclass(frozen=True, slots=True)
class AnnotatedSummary:
    book: str
    text: str
    confusions: tuple[Confusion, ...] | None
    """None for a summary that nobody annotated."""
    unread: int = 0
    """Sentences that a model was asked about without a usable answer. They do not count."""


@dataclass(frozen=True, slots=True)
class AnnotatedSystem:
    """The summaries that one way of summarising made of many books."""

    name: str
    summaries: tuple[AnnotatedSummary, ...]
