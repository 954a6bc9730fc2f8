"""Labelled facts, and what is measured on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from generation.types import Category


class FactsHalf(StrEnum):
    TUNING = "tuning"
    """The classifier's rules were written with these in view."""
    HELD_OUT = "held-out"
    """These measure it: nobody looked at what it gets wrong here."""


@dataclass(frozen=True, slots=True)
class LabelledFact:
    fact: str
    category: Category
    """The gold."""
    second: Category
    """What it was called in a second pass: without the first labels in view, in another order."""
    book: str
    half: FactsHalf


@dataclass(frozen=True, slots=True)
class CategoryScores:
    """Of one category."""

    precision: float | None
    """None where it was never said."""
    recall: float | None
    f1: float | None
    facts: int


@dataclass(frozen=True, slots=True)
class AnnotatorScores:
    """One annotator beside the gold."""

    annotator: str
    accuracy: float
    macro_f1: float
    kappa: float | None
    """Cohen's."""
    categories: Mapping[Category, CategoryScores]
    confusion: Mapping[Category, Mapping[Category, int]]
    """Gold, then what was said."""
    offline: int = 0
    """Facts that a language model gave no category, so that the offline one counts."""


@dataclass(frozen=True, slots=True)
class CategoryReport:
    facts: int
    sha256: str
    """Of the labels."""
    half: FactsHalf | None
    """None: all of them."""
    measured: tuple[AnnotatorScores, ...]
    fleiss: float | None
    """Over the gold, the second pass and every classifier."""
