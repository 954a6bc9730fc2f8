"""What the BookSum paper states of its data and of its baselines: section 3.2, Tables 1 and 2."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.booksum.types import SummaryLevel

TITLES = 217
CHAPTERS = 6_327


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


TABLE_2 = {
    (SummaryLevel.PARAGRAPH, "lead"): (17.99, 3.25, 12.80),
    (SummaryLevel.PARAGRAPH, "random"): (17.56, 3.03, 12.32),
    (SummaryLevel.PARAGRAPH, "oracle"): (27.90, 7.22, 20.96),
    (SummaryLevel.PARAGRAPH, "extractor"): (14.55, 2.29, 10.52),
    (SummaryLevel.PARAGRAPH, "matched"): (19.13, 3.38, 14.17),
    (SummaryLevel.CHAPTER, "lead"): (14.32, 2.23, 8.59),
    (SummaryLevel.CHAPTER, "random"): (12.54, 1.32, 7.43),
    (SummaryLevel.CHAPTER, "oracle"): (42.36, 9.83, 20.91),
    (SummaryLevel.CHAPTER, "extractor"): (32.06, 5.37, 13.68),
    (SummaryLevel.CHAPTER, "matched"): (30.97, 5.34, 13.23),
    (SummaryLevel.BOOK, "lead"): (6.50, 0.89, 4.34),
    (SummaryLevel.BOOK, "random"): (5.26, 0.48, 3.38),
    (SummaryLevel.BOOK, "oracle"): (46.30, 9.25, 17.77),
    (SummaryLevel.BOOK, "extractor"): (36.32, 6.04, 13.29),
    (SummaryLevel.BOOK, "matched"): (33.76, 5.58, 12.68),
}
"""F1 of ROUGE-1, -2 and -L in percent. `extractor` is BertExt, `matched` MatchSum: ours are much smaller."""
