"""Co-occurrence of names: two names that the narration uses side by side belong to two people."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from coref.language.tokens import Tokens, paragraph_of
from coref.names.name_uses import NameUse, ProperName

_CROWD = 8
"""Number of names in one place beyond which it is a list, and hardly evidence."""
_ENOUGH = 3
_PARAGRAPH_SHARE = 0.12
"""`Mr. Hale` and `Frederick` are two people if they share this part of the paragraphs of either."""
_SENTENCE_SHARE = 0.08
"""For `Mrs. Hale` and `Margaret` only sentences count: paragraphs mix one woman's names."""

Pairs = Mapping[frozenset[ProperName], int]


@dataclass(frozen=True, slots=True)
class NameCooccurrence:
    """How many paragraphs and sentences of the narration contain each name, and each pair of names."""

    paragraphs: Pairs
    sentences: Pairs

    @staticmethod
    def of(tokens: Tokens, uses: Iterable[NameUse], names: Collection[ProperName]) -> NameCooccurrence:
        by_paragraph: dict[int, set[ProperName]] = defaultdict(set)
        by_sentence: dict[int, set[ProperName]] = defaultdict(set)
        paragraphs = paragraph_of(tokens)
        for use in uses:
            if use.name in names and tokens.quote[use.first] < 0:
                by_paragraph[paragraphs[use.first]].add(use.name)
                by_sentence[tokens.sentence[use.first]].add(use.name)
        return NameCooccurrence(_count(by_paragraph.values()), _count(by_sentence.values()))

    def told(self, name: ProperName) -> int:
        """Return the number of paragraphs in which the narration uses a name."""
        return self.paragraphs.get(frozenset((name,)), 0)

    def men_apart(self, name: ProperName, others: Collection[ProperName]) -> bool:
        return _apart(self.paragraphs, name, others, _PARAGRAPH_SHARE)

    def women_apart(self, name: ProperName, others: Collection[ProperName]) -> bool:
        return _apart(self.sentences, name, others, _SENTENCE_SHARE)


def _count(places: Iterable[set[ProperName]]) -> Counter[frozenset[ProperName]]:
    found: Counter[frozenset[ProperName]] = Counter()
    for names in places:
        found.update(frozenset((name,)) for name in names)
        if len(names) <= _CROWD:
            found.update(frozenset(pair) for pair in combinations(names, 2))
    return found


def _apart(pairs: Pairs, name: ProperName, others: Collection[ProperName], share: float) -> bool:
    both = sum(pairs.get(frozenset((name, other)), 0) for other in others)
    alone = pairs.get(frozenset((name,)), 0)
    least = min(sum(pairs.get(frozenset((other,)), 0) for other in others), alone)
    return both >= _ENOUGH and both > share * least
