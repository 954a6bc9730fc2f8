"""Who is much together with whom: what is said of two who hardly meet is more likely misread."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cached_property

from generation.story.indexed_book import IndexedBook

_CLOSE, _KNOWN = 4, 10
"""Of how many one has most to do with, and of how many something."""
_NEAR, _BETWEEN, _FAR = 1.0, 0.9, 0.5
_MOST = 8
"""People of one paragraph; a list of guests tells nothing."""


class CoOccurrence:
    """Of one book."""

    def __init__(self, reading: IndexedBook) -> None:
        self._r = reading

    def likely(self, one: str, other: str) -> float:
        """By what a vote on two is multiplied."""
        rank = min(self._ranks[one].get(other, _KNOWN), self._ranks[other].get(one, _KNOWN))
        return _NEAR if rank < _CLOSE else _BETWEEN if rank < _KNOWN else _FAR

    @cached_property
    def _ranks(self) -> Mapping[str, Mapping[str, int]]:
        met: dict[str, Counter[str]] = defaultdict(Counter)
        here: dict[int, list[str]] = defaultdict(list)
        cast = self._r.cast
        for who in self._r.people:
            for at in cast.paragraphs_of(who):
                here[at].append(who)
        for people in here.values():
            for one in people[:_MOST]:
                met[one].update(other for other in people[:_MOST] if other != one)
        for quote in self._r.annotations.quotes:
            if quote.speaker is not None and quote.addressee is not None:
                met[quote.speaker][quote.addressee] += 1
                met[quote.addressee][quote.speaker] += 1
        ranked = {one: [other for other, _ in others.most_common(_KNOWN)] for one, others in met.items()}
        return defaultdict(dict, {one: {o: i for i, o in enumerate(found)} for one, found in ranked.items()})
