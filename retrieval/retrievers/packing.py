"""Turn a ranking into an answer: a number of finds, under a token budget, and their neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

from retrieval.protocols import CountTokens
from retrieval.types import NEIGHBOUR, Finding, Passage

CHARACTERS_PER_TOKEN = 4
"""A rough figure for English, used without the writer's own tokenizer."""
SPARE = 4
"""Under a token budget, this times `k` passages are ranked, to replace those that are too long."""


class Budget:
    """The remaining tokens of a budget; without a limit, there is always room. Serves one answer."""

    def __init__(self, tokens: int | None, count: CountTokens | None = None) -> None:
        self._left = tokens
        self._count = cache(count or rough_tokens)  # a passage that was too long may be tried again

    @property
    def spent(self) -> bool:
        return self._left is not None and self._left <= 0

    def take(self, text: str) -> bool:
        """Return whether there is room for `text`, and if so use it."""
        if self._left is None:
            return True
        if self.spent or (cost := self._count(text)) > self._left:
            return False
        self._left -= cost
        return True


def choose(ranked: Iterable[Passage], k: int, budget: Budget) -> list[tuple[int, Passage]]:
    """Return the best `k` that fit together, with their ranks.

    One that is too long makes room for the next.
    """
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
    """Return up to `width` passages on each side of `find` in its chapter, except those already `taken`.

    The nearest come first, and a side ends at the first without room, because a gap would not be visible.
    `at` returns None where the story, or the part that the reader may see, ends.
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
