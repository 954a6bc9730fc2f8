"""A double for tests and for machines without torch: a hashed bag of terms. Deterministic and instant."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from books.types import Span
from retrieval.protocols import Vectors
from retrieval.tokenizer import VERSION, terms


class HashingEmbedder:
    """Texts are near each other when they share terms; nothing else counts."""

    def __init__(self, *, dimension: int = 256) -> None:
        self._dimension = dimension

    @property
    def name(self) -> str:
        return f"hashing/{VERSION}-{self._dimension}"

    @property
    def dimension(self) -> int:
        return self._dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self._dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            # A text without terms still gets a direction, its own bucket.
            for term in terms(text) or [""]:
                row[zlib.crc32(term.encode()) % self._dimension] += 1.0
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = rows / norms
        return unit

    def embed_parts(self, texts: Sequence[str], parts: Sequence[Sequence[Span]]) -> tuple[Vectors, Vectors]:
        within = [part.of(text) for text, each in zip(texts, parts, strict=True) for part in each]
        return self.embed(texts), self.embed(within)
