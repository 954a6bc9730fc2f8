"""What an embedder and a retriever promise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.types import Passage, Query

Vectors = NDArray[np.float32]
CountTokens = Callable[[str], int]


class Embedder(Protocol):
    @property
    def name(self) -> str:
        """Model and hash of its weights: part of the key under which an index is kept."""
        ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit-length row per text."""
        ...


class Retriever(Protocol):
    @property
    def name(self) -> str: ...

    def search(self, query: Query) -> list[Passage]:
        """At most `query.k` passages, none past the gate, none with nothing in common with the query."""
        ...
