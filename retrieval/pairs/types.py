"""A pair of a claim or question and a passage, from which the reader of pairs learns."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.pairs.pair_reader import Asks


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
