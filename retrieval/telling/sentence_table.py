"""The sentences of one book as a table: which one lies where, and whom the annotations know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from books.types import Span
from coref.types import Annotations
from retrieval.sentences import touched

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.float32]


class SentenceTable:
    def __init__(self, text: str, annotations: Annotations, lines: Ints) -> None:
        """Take start, end and passage of each sentence."""
        self.text = text
        self.annotations = annotations
        self.starts, self.ends, self.passage = (np.asarray(column) for column in lines.T)
        self.passages = int(self.passage[-1]) + 1 if len(lines) else 0
        self._number = {c.id: n for n, c in enumerate(annotations.characters)}

    def __len__(self) -> int:
        return len(self.starts)

    def number_of(self, character: str | None) -> int:
        return self._number.get(character or "", -1)

    def sentence_at(self, offsets: Iterable[int]) -> Ints:
        """Return the sentence in which each offset lies; -1 outside of all."""
        places = np.fromiter(offsets, np.int64)
        at = np.searchsorted(self.starts, places, side="right") - 1
        return np.where((at >= 0) & (places < self.ends[at]), at, -1) if len(self) else at

    def sentences_in(self, span: Span) -> range:
        return touched(span, self.starts, self.ends)

    def count(self, sentences: Ints, weights: Floats | None = None) -> Floats:
        kept = sentences >= 0
        some = None if weights is None else weights[kept]
        return np.bincount(sentences[kept], some, minlength=len(self)).astype(np.float32)
