"""Read a question together with the places found for it, and put these in order anew."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files
from typing import Final

import numpy as np

from retrieval.pairs import pair_reader
from retrieval.pairs.pair_reader import Asks, PairReader
from retrieval.sentences import flat
from retrieval.telling.sentence_table import Floats

WEIGHTS: Final = "reading.safetensors"


class ReadingRanker:
    """Adds what the reader says of a place to what its signs say."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self._order, self._odds = weights["order"], weights["odds"]

    def __call__(self, signs: Floats, read: Floats) -> Floats:
        """Return for each place how it compares, and its log odds.

        `signs` has the same by the signs, and `read` what the reader says.
        """
        compared = signs[:, 0] + self._order[0] * read
        odds = np.stack((signs[:, 1], read, np.ones_like(read)), 1) @ self._odds
        return np.stack((compared, odds), 1)


def read_places(reader: PairReader, question: str, texts: Sequence[str]) -> Floats:
    """Return how likely each of some places answers a question, as log odds."""
    return reader([(question, flat(text)) for text in texts], Asks.ANSWERS)


@cache
def shipped() -> tuple[PairReader, ReadingRanker] | None:
    """Return the reader and the weights of what it says; None if MiniLM is not installed."""
    from safetensors.numpy import load_file

    reader = pair_reader.shipped()
    if reader is None:
        return None
    with as_file(files("retrieval.asking").joinpath(WEIGHTS)) as path:
        return reader, ReadingRanker(load_file(path))
