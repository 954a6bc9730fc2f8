"""Labelled facts, and what is measured on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from generation.types import Category


class FactsHalf(StrEnum):
    TUNING = "tuning"
    """The classifier learns from these."""
    HELD_OUT = "held-out"
    """These are for testing: nobody looked at the classifier's errors here."""


@dataclass(frozen=True, slots=True)
class LabelledFact:
    fact: str
    category: Category
    """The gold category."""
    second: Category
    """The label of a second pass: in another order and without the first labels in view."""
    book: str
    half: FactsHalf


@dataclass(frozen=True, slots=True)
class CategoryScores:
    """The scores of one category."""

    precision: float | None
    """None where it was never predicted."""
    recall: float | None
    f1: float | None
    facts: int


@dataclass(frozen=True, slots=True)
class AnnotatorScores:
    """One annotator compared with the gold."""

    annotator: str
    accuracy: float
    macro_f1: float
    kappa: float | None
    """Cohen's kappa."""
    categories: Mapping[Category, CategoryScores]
    confusion: Mapping[Category, Mapping[Category, int]]
    """Gold category, then predicted category."""
    offline: int = 0
    """Facts for which a language model gave no category, so that the offline one counts."""


@dataclass(frozen=True, slots=True)
class CategoryReport:
    facts: int
    sha256: str
    """Hash of the labels."""
    half: FactsHalf | None
    """None means both halves."""
    measured: tuple[AnnotatorScores, ...]
    fleiss: float | None
    """Over the gold, the second pass and every classifier."""
