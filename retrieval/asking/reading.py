"""Read a question together with the places that were found for it, and put them in order anew."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from books.types import Span
from retrieval import package_weights
from retrieval.asking.nearest_sentences import nearest_run
from retrieval.pairs.types import Asks
from retrieval.sentences import flat
from retrieval.telling.sentence_table import Floats
from retrieval.types import AnsweringPlace

if TYPE_CHECKING:
    from retrieval.pairs.pair_reader import PairReader

WEIGHTS: Final = "reading.safetensors"
_MOST: Final = 450
"""Characters of a place that are read, unless its nearest sentence is longer."""


class ReadingRanker:
    """Adds what the reader says of a place to what the signs of the place say."""

    def __init__(self, reader: PairReader, weights: dict[str, Floats]) -> None:
        self._reader = reader
        self._order, self._odds = weights["order"], weights["odds"]

    def __call__(self, question: str, places: Sequence[AnsweringPlace], text: str, said: Floats) -> Floats:
        """Return how places of a text compare, and the log odds of each. `said` has them by their signs."""
        return weighed(said, read(self._reader, question, places, text), self._order, self._odds)


def read(reader: PairReader, question: str, places: Sequence[AnsweringPlace], text: str) -> Floats:
    """Return the log odds that each of some places answers a question, by what is nearest to it there."""
    return reader([(question, flat(_nearest(place).of(text))) for place in places], Asks.ANSWERS)


def _nearest(place: AnsweringPlace) -> Span:
    lengths = [each.span.end - each.span.start for each in place.sentences]
    run = nearest_run(place.sentences, lengths, _MOST)
    return Span(place.sentences[run[0]].span.start, place.sentences[run[-1]].span.end)


def weighed(said: Floats, read: Floats, order: Floats, odds: Floats) -> Floats:
    known = np.stack((said[:, 1], read, np.ones_like(read)), 1)
    return np.stack((said[:, 0] + order[0] * read, known @ odds), 1).astype(np.float32)


@cache
def shipped() -> ReadingRanker | None:
    """Return the reader with the weights in the repository; None if MiniLM is not installed."""
    from retrieval.pairs import pair_reader  # imports torch

    reader = pair_reader.shipped()
    if reader is None:
        return None
    return ReadingRanker(reader, package_weights.load("retrieval.asking", WEIGHTS))
