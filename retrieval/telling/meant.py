"""How likely it is that a sentence is about a character, by a regression over its signs.

It has learnt from what readers said of sentences, and from nothing else. The words of a sentence say nothing
of whom it means: with its vector, the regression learnt what the sentences were about that were read.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from retrieval import package_weights
from retrieval.telling.sentence_table import Floats
from retrieval.telling.signs import Candidates

WEIGHTS: Final = "meant.safetensors"


class MeantHead:
    def __init__(self, weights: dict[str, NDArray[np.float32]]) -> None:
        self._w = weights

    @property
    def size(self) -> int:
        """Number of signs that it reads."""
        return len(self._w["mean"])

    def __call__(self, candidates: Candidates) -> Floats:
        """Return the log-odds of each sentence."""
        known = (columns_of(candidates) - self._w["mean"]) / self._w["deviation"]
        return np.asarray(known @ self._w["weight"] + self._w["bias"], np.float32)


def columns_of(candidates: Candidates) -> Floats:
    """Return all signs of the sentences."""
    return np.concatenate((candidates.signs, candidates.meant), axis=1)


@cache
def shipped() -> MeantHead:
    """Return the regression with the weights in the repository."""
    return MeantHead(package_weights.load("retrieval.telling", WEIGHTS))
