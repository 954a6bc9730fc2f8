"""Co-occurrence of characters. A statement about two who rarely meet is more likely misread."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cached_property

from generation.story.indexed_book import IndexedBook

_CLOSE, _KNOWN = 4, 10
"""Ranks among somebody's companions up to which another person is close, and is known at all."""
_NEAR, _BETWEEN, _FAR = 1.0, 0.9, 0.5
_MOST = 8
"""People counted in one paragraph. A list of guests is no evidence."""


class CoOccurrence:
    """Rank the companions of each character of one book."""

    def __init__(self, reading: IndexedBook) -> None:
        self._r = reading

    def likely(self, one: str, other: str) -> float:
        """Return the factor for a vote on two characters."""
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
