"""What the BookSum paper states of its data and of its baselines: section 3.2, Tables 1 and 2."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.booksum.types import SummaryLevel

TITLES = 217
CHAPTERS = 6_327
SHARES = (0.8, 0.1, 0.1)
"""Training, validation, test; of what, the paper does not say."""


@dataclass(frozen=True, slots=True)
class PublishedLevel:
    """A row of Table 1; lengths are in the authors' tokens."""

    documents: int
    coverage: float
    density: float
    compression: float
    source_tokens: float
    summary_tokens: float


TABLE_1 = {
    SummaryLevel.PARAGRAPH: PublishedLevel(146_532, 0.50, 0.92, 6.47, 159.55, 40.59),
    SummaryLevel.CHAPTER: PublishedLevel(12_630, 0.78, 1.69, 15.97, 5101.88, 505.42),
    SummaryLevel.BOOK: PublishedLevel(405, 0.89, 1.83, 126.22, 112885.15, 1167.20),
}
