"""Find the paragraphs of a book that may support a sentence.

They mention somebody, and share rare words with it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from heapq import nsmallest
from math import log

from books.types import Book
from coref.types import Annotations
from retrieval.passages import split
from retrieval.tokenizer import terms
from retrieval.types import Passage


class Paragraphs:
    """The paragraphs of one book, with over-long ones cut."""

    def __init__(self, book: Book) -> None:
        self.passages = split(book)
        self._holders: defaultdict[str, list[int]] = defaultdict(list)
        for at, passage in enumerate(self.passages):
            for term in set(terms(passage.text)):
                self._holders[term].append(at)

    def mentioning(self, annotations: Annotations, character: str) -> set[int]:
        """Return the paragraphs in which a character is mentioned, by name or otherwise."""
        starts = [m.span.start for m in annotations.mentions if m.character == character]
        found: set[int] = set()
        at = 0
        for start in sorted(starts):
            while at < len(self.passages) and self.passages[at].span.end <= start:
                at += 1
            if at < len(self.passages) and self.passages[at].span.start <= start:
                found.add(at)
        return found

    def likeliest(self, sentence: str, first: Collection[int], most: int) -> list[Passage]:
        """Return the best matches, in the book's order.

        Paragraphs in `first` are preferred to all others; then those that share more words are.
        """
        shared = [0.0] * len(self.passages)
        for term, weight in self._weights(sentence):
            for at in self._holders[term]:
                shared[at] += weight
        chosen = nsmallest(most, range(len(shared)), key=lambda at: (at not in first, -shared[at], at))
        return [self.passages[at] for at in sorted(chosen)]

    def _weights(self, sentence: str) -> Iterator[tuple[str, float]]:
        for term in sorted(set(terms(sentence)) & self._holders.keys()):
            yield term, log(1 + len(self.passages) / len(self._holders[term]))
