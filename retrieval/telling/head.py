"""The trained head: scores what a sentence tells about a character, over all and by category.

It reads the signs of the sentence (`retrieval.telling.signs`) and its vector. Without vectors of the model
that the head was trained on, sentences are scored by their signs alone.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from retrieval import package_weights
from retrieval.telling.sentence_table import Floats
from retrieval.types import Category

WEIGHTS = "weights.safetensors"
EMBEDDER = "all-MiniLM-L6-v2/"
"""Beginning of the name of the embedder whose vectors it was trained on."""
JUDGED = ("about", "telling", "alone")
"""What readers judged of sentences: about the person, telling, understood alone. Logits of probabilities."""
OUTPUTS = ("any", *Category, *JUDGED)


class TellingHead:
    def __init__(self, weights: dict[str, NDArray[np.float32]]) -> None:
        self._w = weights

    @property
    def size(self) -> int:
        """Number of signs that it reads."""
        return int(self._w["mean"].shape[0])

    def __call__(self, signs: Floats, vectors: Floats | None) -> Floats:
        """Return one row of scores for each sentence, in the order of `OUTPUTS`."""
        w = self._w
        known = (signs - w["mean"]) / w["deviation"]
        meant = np.zeros((len(signs), len(w["meaning.bias"])), np.float32)
        if vectors is not None:
            meant = np.maximum(0, vectors @ w["meaning.weight"].T + w["meaning.bias"])
        hidden = np.maximum(
            0, np.concatenate((known, meant), axis=1) @ w["hidden.weight"].T + w["hidden.bias"]
        )
        scores: Floats = hidden @ w["out.weight"].T + w["out.bias"] + known @ w["direct.weight"].T
        return scores


@cache
def shipped() -> TellingHead:
    """Return the head with the weights in the repository."""
    return TellingHead(package_weights.load("retrieval.telling", WEIGHTS))
