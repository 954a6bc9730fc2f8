"""How each stands to the others, where the book as a whole bears it out.

One sentence is too often misread, so that places are counted: what is published is said in two, or once in
the story's own words and of both by name, and at least twice as much as it is denied.
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
"""From the strongest to what each of them is at least."""
_ALMOST, _HEARD, _RETURNED = 0.5, 0.6, 0.4
"""Votes that one needs where it is returned, also if only others say so, and those of what returns it."""


class Attitudes:
    """Of one book, worked out once for everybody."""

    def __init__(self, reading: IndexedBook, consensus: RelationConsensus) -> None:
        self._r = reading
        self._happenings = RelationEvents(reading, consensus)

    def of(self, character: str) -> tuple[Attitude, ...]:
        """Theirs and those towards them, surest first."""
        return tuple(_told_of(a, character) for a in self._of.get(character, ()))

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
        """Who loves is fond, too; where neither is sure alone, both together may tell the weaker."""
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
        """What one place says of love is borne out by what the other feels."""
        own, theirs = (
            AttitudeTally(self._r, [s for bearing in WARM for s in of.get(bearing, ())])
            for of in (pair, back)
        )
        least = _ALMOST if own.own else _HEARD
        if own.leads and theirs.leads and own.votes >= least and theirs.votes >= _RETURNED:
            bearing = max(WARM, key=lambda b: AttitudeTally(self._r, pair.get(b, ())).votes)
            yield own.attitude(bearing)


def _told_of(a: Attitude, character: str) -> Attitude:
    if a.bearing in MUTUAL and a.other == character:
        return replace(a, holder=a.other, other=a.holder)
    return a
