"""Weight of words by their rarity in a book: the rarer, the higher."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from books.types import Book
from generation.verbs import stem

_WORD = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
UNSEEN = 0.6
"""Factor for a word that the book never uses, relative to one used once. It may be a synonym of one that it
uses.
"""
_KEPT = 4
"""Books whose words are kept between calls."""


@dataclass(frozen=True, slots=True)
class WordRarity:
    paragraphs: int
    seen: Counter[str] = field(repr=False)
    """Number of paragraphs that contain each stem."""

    def weight(self, word: str) -> float:
        seen = self.seen[word]
        return math.log(1 + self.paragraphs / (seen + 0.5)) * (1.0 if seen else UNSEEN)

    def weigh(self, words: Iterable[str]) -> float:
        return sum(map(self.weight, words))


@dataclass(frozen=True, slots=True)
class _Text:
    """A book as a cache key that compares only its digest."""

    sha256: str
    book: Book = field(compare=False, repr=False)


def stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in set(_WORD.findall(text.lower())))


def rarity_of(book: Book) -> WordRarity:
    return _counted(_Text(book.sha256, book))


@lru_cache(maxsize=_KEPT)
def _counted(text: _Text) -> WordRarity:
    book = text.book
    seen: Counter[str] = Counter()
    for paragraph in book.paragraphs:
        seen.update(stems(book.slice(paragraph.span)))
    return WordRarity(len(book.paragraphs), seen)
