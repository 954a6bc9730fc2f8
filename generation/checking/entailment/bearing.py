"""Whether evidence bears on a claim: what their states as wholes tell, beyond the words that they share.

The weights are learnt from claims about excerpts of novels, of which many share more words with an excerpt
that does not bear them out than with one that does. `bookworm train bearing` fits them.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from generation.checking.entailment.pair_encoding import EncodedPair

FILE: Final = "bearing.json"
LAYERS: Final = 5
"""Number of the encoder's layers after which the states are the ones that the weights are for."""


def bearing(pair: EncodedPair, hidden: Tensor, sentence: int | None = None) -> float:
    """Return a number that is the larger, the likelier the evidence, or one sentence, bears the claim out."""
    if not pair.sentences or pair.claim < 3:
        return 0.0
    return float(pair_vector(pair, hidden, sentence) @ _weights())


def pair_vector(pair: EncodedPair, hidden: Tensor, sentence: int | None = None) -> NDArray[np.float32]:
    """Return the mean state of the evidence, and how the claim's agrees with and differs from it."""
    start, end = (pair.claim, len(pair.pieces)) if sentence is None else pair.sentences[sentence]
    claim = hidden[1 : pair.claim - 1].float().mean(0).numpy()
    told = hidden[start:end].float().mean(0).numpy()
    return np.concatenate((told, claim * told, np.abs(claim - told)))


@cache
def _weights() -> NDArray[np.float32]:
    told = json.loads(files("generation").joinpath("data", FILE).read_text("utf-8"))
    return np.array(told["weights"], np.float32)
