"""The figures of the paper's Table 2, and of its Section 4 for GPT-4 with a chunk size of 4096."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PLACE = Path(__file__).with_name("published.csv")
HUMAN_PRECISION, GPT4_PRECISION = 79.7, 78.2
"""Section 4.1: the share of annotations that another annotator confirmed at least in part."""
HUMAN_SCORES = {"gpt4-4096-inc": 82.1, "gpt4-4096-hier": 89.4}
"""Section 4.1: the score when people annotate."""


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """Percentages, and a length in tokens of tiktoken."""

    model: str
    way: str
    chunk: int
    score: float
    tokens: float | None
    novel: float | None
    """Trigrams that the book lacks."""
    repeated: float | None
    """Trigrams that occur more than once."""


@cache
def published() -> dict[str, PublishedScore]:
    """The published figures by the name of the system's file."""
    with PLACE.open(encoding="utf-8", newline="") as file:
        return {row["system"]: _score(row) for row in csv.DictReader(file)}


def _score(row: dict[str, str]) -> PublishedScore:
    tokens, novel, repeated = (float(row[c]) if row[c] else None for c in ("tokens", "novel", "repeated"))
    return PublishedScore(
        row["model"], row["way"], int(row["chunk"]), float(row["score"]), tokens, novel, repeated
    )
