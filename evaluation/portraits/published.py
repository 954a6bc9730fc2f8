"""The figures that BookWorm's authors published, beside ours: for other data, writers and judges."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from generation.types import Task

SOURCE = (
    "Papoudakis, Lapata and Keller (2024): BookWorm: A Dataset for Character Description and Analysis."
    " Findings of EMNLP 2024, pages 4471–4500, arXiv:2410.10372"
)
DIFFERENT = (
    "These are other answers about other books. The references were study guides' and not ours; the people"
    " were found by BookNLP, the writers were Llama-3-8B and -70B, LongT5 and GPT-4o-mini; BERTScore used"
    " DeBERTa, the questions GPT-3.5 and RoBERTa, entailment T5-XXL, PRISMA GPT-4o-mini; named entities were"
    " spaCy's. Only ROUGE is counted in the same way. That a figure of theirs differs from one of ours means"
    " nothing by itself."
)


@dataclass(frozen=True, slots=True)
class Published:
    place: str
    """The table of the paper."""
    task: Task
    kind: str
    """Extract, zero-shot, fine-tuned."""
    system: str
    metric: str
    """The column of ours that measures about the same thing."""
    value: float
    """In percent."""


@cache
def published() -> tuple[Published, ...]:
    text = (files(__package__) / "published.csv").read_text("utf-8")
    return tuple(
        Published(
            row["place"], Task(row["task"]), row["kind"], row["system"], row["metric"], float(row["value"])
        )
        for row in csv.DictReader(text.splitlines())
    )
