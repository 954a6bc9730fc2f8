"""The sentences of a place that are nearest to a question."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.types import ScoredSpan


def nearest_run(
    sentences: Sequence[ScoredSpan], lengths: Sequence[int], room: int, most: int | None = None
) -> range:
    """Return some consecutive sentences: the nearest, and then the nearer one of those beside them."""
    first = last = max(range(len(sentences)), key=lambda n: sentences[n].score)
    room -= lengths[first]
    while last - first + 1 != most:
        beside = [n for n in (first - 1, last + 1) if 0 <= n < len(sentences) and lengths[n] <= room]
        if not beside:
            break
        nearer = max(beside, key=lambda n: sentences[n].score)
        first, last = min(first, nearer), max(last, nearer)
        room -= lengths[nearer]
    return range(first, last + 1)
