"""What one text has word for word of others, and where it turns in circles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

_WORD = re.compile(r"\w+(?:[’'-]\w+)*")
_PERIODS = range(1, 25)
"""Words that come again and again: a longer circle shows in whole sentences."""


def tokens(text: str) -> list[str]:
    return [word.replace("’", "'") for word in _WORD.findall(text.lower())]


def grams(words: Sequence[str], width: int) -> Iterator[tuple[str, ...]]:
    return (tuple(words[at : at + width]) for at in range(len(words) - width + 1))


def shared(text: str, sources: Iterable[str], *, width: int) -> tuple[int, float]:
    """Of runs of at least `width` words that a source has, the longest, and the share of the text in any."""
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
    """Whether some words are said over and over without anything between."""
    words = tokens(text)
    return any(_turns(words, period) >= _most(period) for period in _PERIODS)


def _turns(words: Sequence[str], period: int) -> float:
    """How often the words of some stretch come in a row."""
    best = run = 0
    for at in range(period, len(words)):
        run = run + 1 if words[at] == words[at - period] else 0
        best = max(best, run)
    return best / period + 1


def _most(period: int) -> int:
    """Turns that nobody makes on purpose: "no, no, no, no" is a sentence still."""
    return 6 if period == 1 else 4 if period < 4 else 3
