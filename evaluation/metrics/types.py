"""The input and output of metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from books.types import Book
from coref.types import Annotations, Character
from generation.types import Portrait, Task


@dataclass(frozen=True, slots=True)
class MetricSample:
    """One answer to one question, with the data to measure it by."""

    book: Book
    annotations: Annotations
    character: Character
    task: Task
    answer: str
    reference: str
    """A text that somebody holds to be correct."""
    portrait: Portrait | None = None
    """The whole answer, if the system gave one: sentences, facts, tokens."""


Scores = Mapping[str, float | None]
"""By the metric's columns; None where there is nothing to measure (no reference, no sentence)."""
