"""When places that say how one stands to another are enough, and what is told of them then."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from generation.dossier.reading import Reading
from generation.dossier.stances import Stance
from generation.dossier.types import Attitude, Bearing

_LEAST = 0.7
"""Votes under which nothing is published."""
_PLAIN_ALONE = 0.6
"""Weight from which one plain sentence is enough."""
_LEAD = 2.0
"""How much more must say so than deny it."""
_SIGHTED = 0.1
"""Weight from which a place counts as one."""
_CITED = 3
PARTS = 3


@dataclass(frozen=True, slots=True)
class Tally:
    """All that is seen of one bearing of one towards another."""

    reading: Reading
    seen: Sequence[Stance]

    @property
    def told(self) -> list[Stance]:
        return [s for s in self.seen if not s.against]

    @property
    def votes(self) -> float:
        return sum(s.weight for s in self.told)

    @property
    def against(self) -> float:
        return sum(s.weight for s in self.seen if s.against)

    @property
    def stands(self) -> bool:
        if not self.leads:
            return False
        if any(s.plain and s.weight >= _PLAIN_ALONE for s in self.told):
            return True
        return self.votes >= _LEAST and self.places > 1

    @property
    def leads(self) -> bool:
        return self.votes > 0 and self.votes >= _LEAD * self.against

    @property
    def places(self) -> int:
        """Paragraphs: who says it twice in one says it once."""
        book = self.reading.book
        return len({book.paragraph_at(s.at) for s in self.told if s.weight >= _SIGHTED})

    def attitude(self, bearing: Bearing, *, votes: float | None = None) -> Attitude:
        told = sorted(self.told, key=lambda s: s.at)
        best = sorted(sorted(told, key=lambda s: -s.weight)[:_CITED], key=lambda s: s.at)
        said = [s for s in best if s.happened] if bearing.happens else []
        own = any(s.speaker is None for s in best)
        votes = self.votes if votes is None else votes
        return Attitude(
            bearing=bearing,
            holder=told[0].holder,
            other=told[0].other,
            votes=round(votes, 2),
            against=round(self.against, 2),
            confidence=round((1 - math.exp(-votes)) * votes / (votes + self.against), 2),
            citations=tuple(dict.fromkeys(self.reading.cite(s.at) for s in best)),
            chapter=self.reading.cite((said or best)[0].at).chapter,
            early=any(self.part(s) == 0 for s in told),
            late=any(self.part(s) == PARTS - 1 for s in told),
            speaker=None if own else best[0].speaker,
        )

    def part(self, s: Stance) -> int:
        """Of the book as far as it is told, which third."""
        return min(PARTS - 1, PARTS * s.at // max(1, len(self.reading.book.text)))
