"""Trees from the scores of arcs, compared with every possible tree."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from coref.native.best_tree import ROOT, tree


def is_tree(heads: list[int]) -> bool:
    if heads.count(ROOT) != 1:
        return False
    for word in range(len(heads)):
        seen = set[int]()
        at = word
        while at != ROOT:
            if at in seen:
                return False
            seen.add(at)
            at = heads[at]
    return True


def worth(scores: np.ndarray, heads: list[int]) -> float:
    return float(sum(scores[word, head + 1] for word, head in enumerate(heads)))


def best(scores: np.ndarray) -> float:
    count = len(scores)
    every = product(*([h for h in range(-1, count) if h != word] for word in range(count)))
    return max(worth(scores, list(heads)) for heads in every if is_tree(list(heads)))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_always_a_tree_and_nearly_always_the_best(count: int) -> None:
    random = np.random.default_rng(count)
    gaps = []
    for _ in range(60):
        scores = random.normal(size=(count, count + 1)).astype(np.float32)
        heads = tree(scores)
        assert is_tree(heads)
        gaps.append(best(scores) - worth(scores, heads))
    assert min(gaps) > -1e-4
    assert sum(gap < 1e-4 for gap in gaps) >= 40


def test_where_the_best_heads_make_a_tree_they_are_it() -> None:
    scores = np.full((4, 5), -5.0, dtype=np.float32)
    for word, head in enumerate([1, ROOT, 1, 2]):
        scores[word, head + 1] = 5.0
    assert tree(scores) == [1, ROOT, 1, 2]


def test_a_circle_is_opened_where_that_costs_least() -> None:
    scores = np.full((3, 4), -9.0, dtype=np.float32)
    scores[0, 0] = 6.0  # the root
    scores[1, 3], scores[2, 2] = 5.0, 5.0  # the heads of words 1 and 2 are each other
    scores[1, 1], scores[2, 1] = 1.0, 4.0
    assert tree(scores) == [ROOT, 2, 0]


def test_it_leaves_its_input_alone_and_bears_extremes() -> None:
    scores = np.full((40, 41), -np.inf, dtype=np.float32)
    scores[:, 0] = 0.0
    scores[1:, 1] = 0.0
    before = scores.copy()
    assert is_tree(tree(scores))
    assert np.array_equal(scores, before)
