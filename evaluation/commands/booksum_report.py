"""The result of `bookworm evaluate booksum`, from which its tables and its JSON document are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.booksum.counts import AlignmentCount, AlignmentOddities
from evaluation.booksum.novel_sections import DisputedSection, NovelSections
from evaluation.booksum.split_checks import SplitCheck


@dataclass(frozen=True, slots=True)
class BookSumReport:
    splits: Sequence[AlignmentCount]
    sources: Sequence[AlignmentCount]
    oddities: AlignmentOddities
    check: SplitCheck
    disputed: Sequence[DisputedSection]
    novels: Sequence[NovelSections] | None
    """None where no folder of novels was given."""
