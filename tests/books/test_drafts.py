"""Which paragraphs of one draft were kept in another."""

from __future__ import annotations

import time

from books.drafts import kept

SECONDS = 5.0


def test_repeated_paragraphs_are_matched_beside_those_that_occur_once() -> None:
    before = ["*", "rain", "*", "tide", "“Yes.”", "mole", "*", "quay", "*"]
    after = ["*", "rain", "*", "“Yes.”", "new", "mole", "*", "tide", "quay", "changed", "*"]
    same = {0: 0, 1: 1, 2: 2, 4: 3, 5: 5, 6: 6, 7: 8, 8: 10}
    assert kept(before, after) == same
    assert kept(["*", "*"], ["*"]) == {0: 0}
    assert kept([], ["*"]) == {}


def test_the_longest_run_in_order_is_kept() -> None:
    assert kept(list("abcdef"), list("dabefc")) == {0: 1, 1: 2, 4: 3, 5: 4}


def test_repeated_paragraphs_cost_little() -> None:
    before = [f"Paragraph {n}." if n % 4 else "* * *" for n in range(20_000)]
    after = [*before[:9_000], "New.", *before[9_001:]]
    began = time.process_time()
    assert len(kept(before, after)) == 19_999
    assert time.process_time() - began < SECONDS
