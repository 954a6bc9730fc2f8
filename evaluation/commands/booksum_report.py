"""The result of `bookworm evaluate booksum`, from which its tables and its JSON document are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.booksum.bench import ExtractiveScores
from evaluation.booksum.counts import AlignmentCount, AlignmentOddities
from evaluation.booksum.novel_sections import DisputedSection, NovelSections
from evaluation.booksum.pair_statistics import LevelFigures
from evaluation.booksum.split_checks import SplitCheck


@dataclass(frozen=True, slots=True)
class BookSumTexts:
    """What was measured on the texts."""

    embedder: str
    without_summary: int
    without_text: int
    dropped: int
    levels: Sequence[LevelFigures]
    systems: Sequence[ExtractiveScores]
    """Empty where no baselines were asked for."""


@dataclass(frozen=True, slots=True)
class BookSumReport:
    splits: Sequence[AlignmentCount]
    sources: Sequence[AlignmentCount]
    oddities: AlignmentOddities
    check: SplitCheck
    disputed: Sequence[DisputedSection]
    novels: Sequence[NovelSections] | None
    """None where no folder of novels was given."""
    texts: BookSumTexts | None
    """None where no folder of texts was given."""
