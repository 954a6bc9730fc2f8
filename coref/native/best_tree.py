"""The best dependency tree of a sentence, from the scores of its arcs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

ROOT = -1
Scores = NDArray[np.float32]


def tree(scores: Scores) -> list[int]:
    """Return each word's head, with `ROOT` for exactly one word.

    `scores[i]` holds the scores of word `i`, that of the root first. Nearly always every word's best head
    already makes a tree. If words form a circle, the circle is opened where that costs least, towards a word
    that does not hang below it. Each opening removes one circle, so that this terminates, though not always
    with the very best tree.
    """
    count = scores.shape[0]
    scores = scores.astype(np.float32, copy=True)
    np.fill_diagonal(scores[:, 1:], -np.inf)
    root = _root(scores)
    scores[:, 0] = -np.inf
    heads = scores.argmax(1) - 1
    heads[root] = ROOT
    while (circle := _circle(heads, root)) is not None:
        free = np.array(sorted(_reaching(heads, root)))
        costs = scores[np.ix_(circle, free + 1)] - scores[circle, heads[circle] + 1][:, None]
        at, to = np.unravel_index(int(costs.argmax()), costs.shape)
        heads[circle[at]] = free[to]
    assert len(heads) == count
    return [int(head) for head in heads]


def _root(scores: Scores) -> int:
    """Return the word that gains most by being the root."""
    if len(scores) == 1:
        return 0
    return int((scores[:, 0] - scores[:, 1:].max(1)).argmax())


def _reaching(heads: NDArray[np.int64], root: int) -> set[int]:
    """Return the words below the root."""
    below: set[int] = {root}
    for word in range(len(heads)):
        path: list[int] = []
        at = word
        while at not in below and at not in path:
            path.append(at)
            at = int(heads[at])
        if at in below:
            below.update(path)
    return below


def _circle(heads: NDArray[np.int64], root: int) -> NDArray[np.int64] | None:
    below = _reaching(heads, root)
    start = next((word for word in range(len(heads)) if word not in below), None)
    if start is None:
        return None
    seen: list[int] = []
    at = start
    while at not in seen:
        seen.append(at)
        at = int(heads[at])
    return np.array(seen[seen.index(at) :])
