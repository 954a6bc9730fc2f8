"""Pairs of a claim or question and a passage: what is asked of one, and one to learn from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Asks(IntEnum):
    """What is asked of a pair: the row of the last layer that answers it."""

    BEARS_OUT = 0
    """Whether the passage bears out the claim."""
    ANSWERS = 1
    """Whether the passage answers the question."""


@dataclass(frozen=True, slots=True)
class PairLesson:
    query: str
    """A claim, or a question."""
    passage: str
    asks: Asks
    true: bool | None
    """Whether the passage bears the claim out, or answers the question; None if only the teacher says so."""
    kind: str
    """How the pair was made."""
    split: str
    """`train` or `dev`."""
    group: str | None = None
    """The key of its question. The passages of one question are compared, in the order of their lessons."""
    weight: float = 1.0
    """How much the odds of the pair count. With 0, it is only compared with the others of its group."""
