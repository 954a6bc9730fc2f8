"""The protocols of embedders and retrievers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from books.types import Span
from retrieval.types import Passage, Query

Vectors = NDArray[np.float32]
CountTokens = Callable[[str], int]


class Embedder(Protocol):
    @property
    def name(self) -> str:
        """Return the model's name and the hash of its weights, which are part of an index's key."""
        ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit-length row per text."""
        ...

    def embed_parts(self, texts: Sequence[str], parts: Sequence[Sequence[Span]]) -> tuple[Vectors, Vectors]:
        """Return one unit-length row per text, and one for each part of it, read in its context.

        Parts are spans of their text, in order. Every text has at least one.
        """
        ...


class Retriever(Protocol):
    @property
    def name(self) -> str: ...

    def search(self, query: Query) -> list[Passage]:
        """Return at most `query.k` passages, none past the gate, each with something in common with the
        query.
        """
        ...
