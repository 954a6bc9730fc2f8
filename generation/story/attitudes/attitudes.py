"""Attitudes of characters towards each other that the book as a whole supports.

One sentence is too often misread, so mentions are counted. An attitude is published if two places state it,
or one does in the narration with both people named, and if it is stated at least twice as much as it is
denied.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from generation.story.attitudes.attitude_mentions import AttitudeMention, stances
from generation.story.attitudes.attitude_weighing import AttitudeTally
from generation.story.attitudes.attitude_words import MUTUAL
from generation.story.attitudes.relation_events import RelationEvents
from generation.story.co_occurrence import CoOccurrence
from generation.story.indexed_book import IndexedBook
from generation.story.ties.relation_consensus import RelationConsensus
from generation.story.types import Attitude, Bearing

WARM = (Bearing.LOVE, Bearing.DEVOTION, Bearing.FONDNESS)
COLD = (Bearing.HATRED, Bearing.CONTEMPT, Bearing.DISLIKE)
"""From the strongest to the weakest. A stronger attitude implies the weaker ones."""
_ALMOST, _HEARD, _RETURNED = 0.5, 0.6, 0.4
"""Votes needed when an attitude is returned, the same if only others report it, and votes that the return
needs.
"""


class Attitudes:
    """All attitudes in one book, computed once for all characters."""

    def __init__(self, reading: IndexedBook, consensus: RelationConsensus) -> None:
        self._r = reading
        self._happenings = RelationEvents(reading, consensus)

    def of(self, character: str) -> tuple[Attitude, ...]:
        """Return the character's attitudes towards others and those of others towards them, most certain
        first.
        """
        return tuple(_from_side_of(a, character) for a in self._of.get(character, ()))

    @cached_property
    def _of(self) -> Mapping[str, Sequence[Attitude]]:
        found: dict[str, list[Attitude]] = defaultdict(list)
        likely = CoOccurrence(self._r).likely
        seen = [
            s if s.plain else replace(s, weight=s.weight * likely(s.holder, s.other))
            for s in stances(self._r)
        ]
        felt = self._felt(s for s in seen if not s.bearing.happens)
        every = [*felt, *self._happenings.borne_out(s for s in seen if s.bearing.happens)]
        for a in sorted(every, key=lambda a: (-a.confidence, -a.votes, a.holder, a.other)):
            found[a.holder].append(a)
            found[a.other].append(a)
        return found

    def _felt(self, seen: Iterable[AttitudeMention]) -> Iterator[Attitude]:
        by_pair: dict[tuple[str, str], dict[Bearing, list[AttitudeMention]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for s in seen:
            by_pair[s.holder, s.other][s.bearing].append(s)
            if s.bearing is Bearing.FONDNESS and s.against:
                by_pair[s.holder, s.other][Bearing.DISLIKE].append(
                    replace(s, bearing=Bearing.DISLIKE, against=False)
                )
        for (holder, other), pair in list(by_pair.items()):
            warm = list(self._strongest(WARM, pair))
            yield from warm or self._returned(pair, by_pair.get((other, holder), {}))
            yield from self._strongest(COLD, pair)
            for bearing, of in pair.items():
                if bearing not in (*WARM, *COLD) and (tally := AttitudeTally(self._r, of)).stands:
                    yield tally.attitude(bearing)

    def _strongest(
        self, ladder: Sequence[Bearing], pair: Mapping[Bearing, Sequence[AttitudeMention]]
    ) -> Iterator[Attitude]:
        """Yield the strongest attitude with enough votes. Love implies fondness: if neither is certain alone,
        both together may support the weaker one.
        """
        held: list[AttitudeMention] = []
        for bearing in ladder:
            held += pair.get(bearing, [])
            tally = AttitudeTally(self._r, held)
            if tally.stands:
                yield tally.attitude(bearing)
                return

    def _returned(
        self,
        pair: Mapping[Bearing, Sequence[AttitudeMention]],
        back: Mapping[Bearing, Sequence[AttitudeMention]],
    ) -> Iterator[Attitude]:
        """Yield a warm attitude that has few mentions if the other person returns it."""
        own, theirs = (
            AttitudeTally(self._r, [s for bearing in WARM for s in of.get(bearing, ())])
            for of in (pair, back)
        )
        least = _ALMOST if own.own else _HEARD
        if own.leads and theirs.leads and own.votes >= least and theirs.votes >= _RETURNED:
            bearing = max(WARM, key=lambda b: AttitudeTally(self._r, pair.get(b, ())).votes)
            yield own.attitude(bearing)


def _from_side_of(a: Attitude, character: str) -> Attitude:
    if a.bearing in MUTUAL and a.other == character:
        return replace(a, holder=a.other, other=a.holder)
    return a
