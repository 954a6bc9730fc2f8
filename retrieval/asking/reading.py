"""Read a question together with the places that were found for it, and put them in order anew."""

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
    """Adds what the reader says of a place to what the signs of the place say."""

    def __init__(self, reader: PairReader, weights: dict[str, Floats]) -> None:
        self._reader = reader
        self._order, self._odds = weights["order"], weights["odds"]

    def __call__(self, question: str, texts: Sequence[str], said: Floats) -> Floats:
        """Return how places compare, and the log odds of each. `said` has the same by their signs."""
        return weighed(said, read(self._reader, question, texts), self._order, self._odds)


def read(reader: PairReader, question: str, texts: Sequence[str]) -> Floats:
    """Return the log odds that each of some places answers a question."""
    return reader([(question, flat(text)) for text in texts], Asks.ANSWERS)


def weighed(said: Floats, read: Floats, order: Floats, odds: Floats) -> Floats:
    known = np.stack((said[:, 1], read, np.ones_like(read)), 1)
    return np.stack((said[:, 0] + order[0] * read, known @ odds), 1).astype(np.float32)


@cache
def shipped() -> ReadingRanker | None:
    """Return the reader with the weights in the repository; None if MiniLM is not installed."""
    from safetensors.numpy import load_file

    reader = pair_reader.shipped()
    if reader is None:
        return None
    with as_file(files("retrieval.asking").joinpath(WEIGHTS)) as path:
        return ReadingRanker(reader, load_file(path))
