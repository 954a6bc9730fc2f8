"""A row of BookSum's alignment files: which summary belongs to which text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from generation.training.types import DataSplit


class SummaryLevel(StrEnum):
    PARAGRAPH = "paragraph"
    """A sentence of a chapter's summary beside the paragraph it is about; no file lists these."""
    CHAPTER = "chapter"
    BOOK = "book"


@dataclass(frozen=True, slots=True)
class AlignedRow:
    split: DataSplit
    level: SummaryLevel
    bid: str
    """The book's Project Gutenberg number."""
    title: str
    source: str
    """The study guide."""
    text_path: str
    """The chapter's or the book's text."""
    summary_path: str
    is_aggregate: bool = False
    """Whether the files call it a summary of several chapters."""
    section: str = ""
    """What the summary covers, in BookSum's words: `part 1.chapters 1-3`; empty for a whole book."""
    summary_id: str = ""
    """What the summary covers, in the study guide's words."""
