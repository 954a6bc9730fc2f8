"""Find runs of words that a text shares with others, and repetition within it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

_HAN = "\u3400-\u9fff"
_WORD = re.compile(rf"[{_HAN}]|[^\W{_HAN}]+(?:[’'-][^\W{_HAN}]+)*")
"""A word, or one Chinese character."""
_PERIODS = range(1, 25)
"""Lengths of repeated runs in words. A longer loop shows in whole sentences."""


def tokens(text: str) -> list[str]:
    return [word.replace("’", "'") for word in _WORD.findall(text.lower())]


def grams(words: Sequence[str], width: int) -> Iterator[tuple[str, ...]]:
    return (tuple(words[at : at + width]) for at in range(len(words) - width + 1))


def shared(text: str, sources: Iterable[str], *, width: int) -> tuple[int, float]:
    """Return the longest run of at least `width` words from a source, and the share of words in such runs."""
    words = tokens(text)
    known = {gram for source in sources for gram in grams(tokens(source), width)}
    inside = [False] * len(words)
    longest = run = 0
    for at, gram in enumerate(grams(words, width)):
        if gram in known:
            run = run + 1 if run else width
            longest = max(longest, run)
            inside[at : at + width] = [True] * width
        else:
            run = 0
    return longest, sum(inside) / len(words) if words else 0.0


def circles(text: str) -> bool:
    """Whether some words are repeated over and over with nothing between."""
    words = tokens(text)
    return any(_turns(words, period) >= _most(period) for period in _PERIODS)


def _turns(words: Sequence[str], period: int) -> float:
    """Return how many times in a row a run of this many words occurs."""
    best = run = 0
    for at in range(period, len(words)):
        run = run + 1 if words[at] == words[at - period] else 0
        best = max(best, run)
    return best / period + 1


def _most(period: int) -> int:
    """Repetitions that nobody writes on purpose: "no, no, no, no" is still a sentence."""
    return 6 if period == 1 else 4 if period < 4 else 3
