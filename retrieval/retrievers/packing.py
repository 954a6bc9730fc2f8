"""From a ranking to an answer: so many finds, under a token budget, and what stands beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

from retrieval.protocols import CountTokens
from retrieval.types import NEIGHBOUR, Finding, Passage

CHARACTERS_PER_TOKEN = 4
"""English, roughly: for when the writer's own tokenizer is not given."""
SPARE = 4
"""Times `k` passages are ranked under a token budget, to fill the place of those that are too long."""


class Budget:
    """What is left of a number of tokens; without a number, there is always room. Serves one answer."""

    def __init__(self, tokens: int | None, count: CountTokens | None = None) -> None:
        self._left = tokens
        self._count = cache(count or rough_tokens)  # a passage that was too long may be asked about again

    @property
    def spent(self) -> bool:
        return self._left is not None and self._left <= 0

    def take(self, text: str) -> bool:
        """Whether there is room for `text`, which then is used up."""
        if self._left is None:
            return True
        if self.spent or (cost := self._count(text)) > self._left:
            return False
        self._left -= cost
        return True


def choose(ranked: Iterable[Passage], k: int, budget: Budget) -> list[tuple[int, Passage]]:
    """The best `k` that fit together, with their ranks; one that is too long makes room for the next."""
    chosen: list[tuple[int, Passage]] = []
    for rank, passage in enumerate(ranked, start=1):
        if budget.take(passage.text):
            chosen.append((rank, passage))
        if len(chosen) == k or budget.spent:
            break
    return chosen


def beside(
    find: Passage,
    rank: int,
    width: int,
    *,
    at: Callable[[int], Passage | None],
    taken: set[int],
    budget: Budget,
) -> list[Passage]:
    """Up to `width` passages on each side of `find`, within its chapter; what is `taken` is there already.

    The nearest come first, and a side ends where one has no room: a gap would not be seen.
    `at` gives None where the story, or what the reader may see of it, ends.
    """
    brought: list[Passage] = []
    sides = [-1, 1]
    for distance in range(1, width + 1):
        for side in tuple(sides):
            passage = at(find.index + side * distance)
            if passage is not None and passage.index in taken and passage.chapter == find.chapter:
                continue
            if passage is None or passage.chapter != find.chapter or not budget.take(passage.text):
                sides.remove(side)
                continue
            taken.add(passage.index)
            brought.append(replace(passage, findings=(Finding(NEIGHBOUR, 0.0, rank),)))
        if not sides:
            break
    return brought


def rough_tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS_PER_TOKEN)
