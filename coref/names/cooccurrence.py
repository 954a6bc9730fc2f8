"""Co-occurrence: names that the narration uses side by side belong to two people."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Generic, TypeVar

from coref.language.tokens import Tokens, paragraph_of

CROWD = 8
"""Number of names or people in one place beyond which it is a list, and hardly evidence."""
_ENOUGH = 3
_PARAGRAPH_SHARE = 0.12
"""`Mr. Hale` and `Frederick` are two people if they share this part of the paragraphs of either."""
_SENTENCE_SHARE = 0.08
"""For `Mrs. Hale` and `Margaret` only sentences count: paragraphs mix one woman's names."""

Key = TypeVar("Key", bound=Hashable)
Places = Mapping[frozenset[Key], int]
"""Numbers of places, keyed by one or two names or people."""


@dataclass(frozen=True, slots=True)
class Cooccurrence(Generic[Key]):
    """How many paragraphs and sentences of the narration have each name or person, and each pair of them."""

    paragraphs: Places[Key]
    sentences: Places[Key]

    @staticmethod
    def of(tokens: Tokens, uses: Iterable[tuple[int, Key]]) -> Cooccurrence[Key]:
        """Count `uses`, which are first tokens with who or what is named there."""
        by_paragraph: dict[int, set[Key]] = defaultdict(set)
        by_sentence: dict[int, set[Key]] = defaultdict(set)
        paragraphs = paragraph_of(tokens)
        for first, key in uses:
            if tokens.quote[first] < 0:
                by_paragraph[paragraphs[first]].add(key)
                by_sentence[tokens.sentence[first]].add(key)
        return Cooccurrence(_count(by_paragraph.values()), _count(by_sentence.values()))

    def told(self, key: Key) -> int:
        """Return the number of paragraphs in which the narration uses a name."""
        return self.paragraphs.get(frozenset((key,)), 0)

    def men_apart(self, key: Key, others: Collection[Key]) -> bool:
        return _apart(self.paragraphs, key, others, _PARAGRAPH_SHARE)

    def women_apart(self, key: Key, others: Collection[Key]) -> bool:
        return _apart(self.sentences, key, others, _SENTENCE_SHARE)


def _count(places: Iterable[set[Key]]) -> Counter[frozenset[Key]]:
    found: Counter[frozenset[Key]] = Counter()
    for keys in places:
        found.update(frozenset((key,)) for key in keys)
        if len(keys) <= CROWD:
            found.update(frozenset(pair) for pair in combinations(keys, 2))
    return found


def _apart(places: Places[Key], key: Key, others: Collection[Key], share: float) -> bool:
    both = sum(places.get(frozenset((key, other)), 0) for other in others)
    alone = places.get(frozenset((key,)), 0)
    least = min(sum(places.get(frozenset((other,)), 0) for other in others), alone)
    return both >= _ENOUGH and both > share * least
