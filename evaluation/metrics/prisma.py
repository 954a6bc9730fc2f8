"""PRISMA from the judged answers: the share of their facts that hold, against the book and a reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluation.metrics.types import MetricSample, Scores
from generation.types import Category, Compared, Prisma

_MEASURES = ("precision", "recall", "f1")


class PrismaScores:
    """`prisma_precision` compares with the book, `prisma_reference_…` with the reference.

    They are None where a system gave a text and no facts.
    """

    name = "prisma/1"
    """The judge is named in the answers' own provenance."""
    columns = (
        "prisma_facts",
        "prisma_precision",
        *(f"prisma_precision_{category}" for category in Category),
        *(f"prisma_reference_{measure}" for measure in _MEASURES),
        *(f"prisma_reference_{measure}_{category}" for category in Category for measure in _MEASURES),
    )

    def score(self, samples: Sequence[MetricSample]) -> list[Scores]:
        nothing = dict.fromkeys(self.columns)
        return [
            nothing | (dict(_book_scores(sample.portrait.prisma)) if sample.portrait else {})
            for sample in samples
        ]


def _book_scores(prisma: Prisma) -> Iterator[tuple[str, float | None]]:
    yield "prisma_facts", float(prisma.facts)
    yield "prisma_precision", prisma.precision
    for category, (supported, every) in prisma.by_category.items():
        yield f"prisma_precision_{category}", supported / every if every else None
    if prisma.reference is not None:
        yield from _compared(prisma.reference.whole, "")
        for category, compared in prisma.reference.by_category.items():
            yield from _compared(compared, f"_{category}")


def _compared(compared: Compared, suffix: str) -> Iterator[tuple[str, float | None]]:
    for measure in _MEASURES:
        yield f"prisma_reference_{measure}{suffix}", getattr(compared, measure)
