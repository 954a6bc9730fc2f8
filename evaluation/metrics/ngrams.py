"""How much of a text is copied word for word from another, and how often it repeats itself.

Extractive fragments, coverage, density and compression are those of Grusky, Naaman and Artzi (2018): from
left to right, the longest run of words that begins here and occurs anywhere in the article. Their published
program skips positions of the article while searching, so now and then it misses the longest; ours does not.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from evaluation.metrics.tokens import Text, words_of
from generation.writing.overlaps import grams


class Article:
    """The words of a text, with its suffixes sorted, so that a run is found in a few steps.

    However repetitive the text, a search takes no longer; comparing at every position would.
    """

    def __init__(self, text: Text) -> None:
        self.words = words_of(text)
        self._numbers: dict[str, int] = {}
        self._text = [self._numbers.setdefault(word, len(self._numbers)) for word in self.words]
        self._places = _sorted_places(np.array(self._text, dtype=np.int64)).tolist()
        self._text.append(-1)  # The end sorts before every word.
        self._grams: dict[int, frozenset[tuple[str, ...]]] = {}

    def grams(self, n: int) -> frozenset[tuple[str, ...]]:
        if n not in self._grams:
            self._grams[n] = frozenset(grams(self.words, n))
        return self._grams[n]

    def longest(self, words: Sequence[str], at: int) -> int:
        """Return how many of `words` from `at` on occur here in a row."""
        low, high, length = 0, len(self._places), 0
        while at + length < len(words):
            wanted = self._numbers.get(words[at + length])
            if wanted is None:
                break

            def following(place: int, length: int = length) -> int:
                return self._text[place + length]

            low = bisect_left(self._places, wanted, low, high, key=following)
            high = bisect_right(self._places, wanted, low, high, key=following)
            if low == high:
                break
            length += 1
        return length


def fragments(article_tokens: Text | Article, summary_tokens: Text) -> list[tuple[str, ...]]:
    """Return the runs of words of the summary that the article has, in order, without overlap."""
    article = article_tokens if isinstance(article_tokens, Article) else Article(article_tokens)
    words = words_of(summary_tokens)
    found: list[tuple[str, ...]] = []
    at = 0
    while at < len(words):
        length = article.longest(words, at)
        if length:
            found.append(tuple(words[at : at + length]))
        at += max(1, length)
    return found


def coverage(article_tokens: Text | Article, summary_tokens: Text) -> float | None:
    """Return the share of the summary's words that are in a fragment; None for a summary without words."""
    return _mean_power(fragments(article_tokens, summary_tokens), words_of(summary_tokens), 1)


def density(article_tokens: Text | Article, summary_tokens: Text) -> float | None:
    """Return the mean length of the fragment that a word of the summary is in."""
    return _mean_power(fragments(article_tokens, summary_tokens), words_of(summary_tokens), 2)


def compression(article_tokens: Text | Article, summary_tokens: Text) -> float | None:
    """Return the number of words of the article per word of the summary."""
    article = article_tokens.words if isinstance(article_tokens, Article) else words_of(article_tokens)
    summary = words_of(summary_tokens)
    return len(article) / len(summary) if summary else None


def novel_ngrams(text: Text, source: Text | Article, n: int) -> float | None:
    """Return the share of the distinct n-grams of `text` that `source` lacks; None where there is none."""
    mine = set(grams(words_of(text), n))
    known = source.grams(n) if isinstance(source, Article) else set(grams(words_of(source), n))
    return len(mine - known) / len(mine) if mine else None


def repeated_ngrams(text: Text, n: int) -> float | None:
    """Return the share of the n-grams of `text` that occurred in it before; None where there is none."""
    every = list(grams(words_of(text), n))
    return 1 - len(set(every)) / len(every) if every else None


def _mean_power(found: Sequence[tuple[str, ...]], words: Sequence[str], power: int) -> float | None:
    return sum(len(fragment) ** power for fragment in found) / len(words) if words else None


def _sorted_places(
    text: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Sort all suffixes by their words, comparing twice as far in every round."""
    size, reach = len(text), 1
    rank = text
    order = np.argsort(rank, kind="stable")
    while size and reach < size:
        beyond = np.zeros(size, dtype=np.int64)
        beyond[:-reach] = rank[reach:] + 1
        key = rank * (size + 1) + beyond
        order = np.argsort(key, kind="stable")
        sorted_keys = key[order]
        steps = np.concatenate([[0], np.cumsum(sorted_keys[1:] != sorted_keys[:-1])])
        rank = np.empty(size, dtype=np.int64)
        rank[order] = steps
        if steps[-1] == size - 1:
            break
        reach *= 2
    return order
