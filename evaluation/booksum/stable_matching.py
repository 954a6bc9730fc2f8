"""Stable matching (Gale and Shapley 1962) of two sides that both prefer the higher score of a pair.

No two that are not matched with one another both prefer each other to whom they have. Of equal scores the
earlier one is preferred, so the result is always the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float32]


def stable_match(scores: Scores) -> dict[int, int]:
    """Return the column of each row that has one; the smaller side is matched whole. The rows propose."""
    rows, columns = scores.shape
    preferred = np.argsort(-scores, axis=1, kind="stable")
    asked = [0] * rows
    holder: dict[int, int] = {}
    free = list(range(rows - 1, -1, -1))
    while free:
        row = free.pop()
        while asked[row] < columns:
            column = int(preferred[row, asked[row]])
            asked[row] += 1
            other = holder.get(column)
            if other is None or _prefers(scores, column, row, other):
                holder[column] = row
                if other is not None:
                    free.append(other)
                break
    return dict(sorted((row, column) for column, row in holder.items()))


def _prefers(scores: Scores, column: int, row: int, other: int) -> bool:
    return (-scores[row, column], row) < (-scores[other, column], other)
