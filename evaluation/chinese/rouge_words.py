"""ROUGE-L of Chinese summaries as CNNSum reports it: the package `rouge` on the words of jieba.

That package compares sets: a word counts once, and the words of a longest common subsequence are its length.
Figures are therefore not those of `evaluation.metrics.rouge`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from coref.chinese.segment import guessed_words

_LEAST = 1e-8


def rouge_l(answer: str, reference: str) -> float:
    """Return F of the words of both texts, 0 if one of them has none."""
    mine, theirs = _sentences(answer), _sentences(reference)
    ours = {word for sentence in mine for word in sentence}
    wanted = {word for sentence in theirs for word in sentence}
    if not ours or not wanted:
        return 0.0
    shared: set[str] = set()
    for one, other in product(theirs, mine):
        shared |= _common(one, other)
    precision, recall = len(shared) / len(ours), len(shared) / len(wanted)
    return 2.0 * precision * recall / (precision + recall + _LEAST)


def _sentences(text: str) -> list[list[str]]:
    """Return the words of the sentences, which end at a Western full stop only: Chinese has none."""
    parts = (" ".join(guessed_words(text)).split(".")) if text else []
    return [part.split() for part in parts if part]


def _common(one: Sequence[str], other: Sequence[str]) -> set[str]:
    """Return the words of a longest common subsequence: of several, the one that the package finds."""
    table = np.zeros((len(one) + 1, len(other) + 1), np.int32)
    numbers = {word: n for n, word in enumerate({*one, *other})}
    columns = np.array([numbers[word] for word in other])
    for i, word in enumerate(one, 1):
        same = columns == numbers[word]
        best = np.where(same, table[i - 1, :-1] + 1, table[i - 1, 1:])
        table[i, 1:] = np.maximum.accumulate(best)
    found: set[str] = set()
    i, j = len(one), len(other)
    while i and j:
        if one[i - 1] == other[j - 1]:
            found.add(one[i - 1])
            i, j = i - 1, j - 1
        elif table[i - 1, j] > table[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return found
