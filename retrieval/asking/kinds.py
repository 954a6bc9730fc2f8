"""What kind of answer a question asks for: learnt from questions that say their kind."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Final

import numpy as np

from retrieval import package_weights
from retrieval.telling.sentence_table import Floats

WEIGHTS: Final = "kinds.safetensors"
SURE: Final = 0.5
"""The probability from which a question is of a kind."""


class QuestionKind(StrEnum):
    WHO = "who"
    WHAT = "what"
    WHEN = "when"
    WHERE = "where"
    WHY = "why"
    HOW = "how"
    QUOTE = "quote"
    """What somebody says, or who says something."""
    RELATION = "relation"
    """What two people are to each other."""
    YES_NO = "yes-no"
    COUNT = "count"
    """How often, or how many."""
    STORY = "story"
    """What happens in some part of the book."""


class KindHead:
    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weight, self._bias = weights["weight"], weights["bias"]

    def probabilities(self, vector: Floats) -> dict[QuestionKind, float]:
        said = self._weight @ vector + self._bias
        likely = np.exp(said - said.max())
        return dict(zip(QuestionKind, (likely / likely.sum()).tolist(), strict=True))


def kind_of(question: str) -> QuestionKind | None:
    """Return the kind of a question; None if it is not clear, or MiniLM is not installed."""
    from retrieval.asking import question_vectors

    encoder = question_vectors.shipped()
    if encoder is None:
        return None
    found = shipped().probabilities(encoder(question))
    best = max(found, key=lambda kind: found[kind])
    return best if found[best] >= SURE else None


@cache
def shipped() -> KindHead:
    return KindHead(package_weights.load("retrieval.asking", WEIGHTS))
