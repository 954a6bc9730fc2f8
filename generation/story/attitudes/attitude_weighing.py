"""Decide when the mentions of an attitude are enough evidence, and what is reported then."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from generation.story.attitudes.attitude_mentions import AttitudeMention
from generation.story.indexed_book import IndexedBook
from generation.story.types import Attitude, Bearing

_LEAST, _LEAST_HEARD, _LEAST_DONE = 0.55, 0.7, 0.45
"""Votes below which a feeling, an attitude that only other characters report, and an event are not
published.
"""
_LEAST_OF_MANY, _MANY, _SEEN = 0.4, 3, 0.04
"""Votes that are enough when at least this many chapters mention it, each with at least this weight."""
_PLAIN_ALONE, _ALONE, _SAID_ALONE, _DONE_ALONE = 0.6, 0.65, 0.8, 0.45
"""Weights from which one mention is enough: a plain one, any in the narration, one in speech, one of an
event.
"""
_LEAD = 2.0
"""How many times as many votes there must be for it as against it."""
_SIGHTED = 0.1
"""Weight from which a place is counted."""
_CITED, _WORTH = 3, 0.3
"""The most places cited, and the share of the best one's weight that each must have."""
PARTS = 3
_FLEETING = frozenset(
    (
        Bearing.PITY,
        Bearing.FEAR,
        Bearing.TRUST,
        Bearing.GRATITUDE,
        Bearing.JEALOUSY,
        Bearing.CONTEMPT,
        Bearing.FORGIVENESS,
    )
)
"""Attitudes that are often felt only for a moment."""


@dataclass(frozen=True, slots=True)
class AttitudeTally:
    """All mentions of one attitude of one character towards another."""

    reading: IndexedBook
    seen: Sequence[AttitudeMention]

    @property
    def told(self) -> list[AttitudeMention]:
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
        if any(s.plain and s.weight >= _PLAIN_ALONE for s in self.told) or any(map(_alone, self.told)):
            return True
        if self.votes >= _LEAST_OF_MANY and self.chapters >= _MANY:
            return True
        least = _LEAST_DONE if self.told[0].bearing.happens else _LEAST if self.own else _LEAST_HEARD
        return self.votes >= least and self.places > 1

    @property
    def own(self) -> bool:
        """Whether the narration or the holder states it."""
        return any(s.speaker in (None, s.holder) for s in self.told)

    @property
    def leads(self) -> bool:
        return self.votes > 0 and self.votes >= _LEAD * self.against

    @property
    def places(self) -> int:
        """Number of paragraphs that mention it. Two mentions in one paragraph count once."""
        book = self.reading.book
        return len({book.paragraph_at(s.at) for s in self.told if s.weight >= _SIGHTED})

    @property
    def chapters(self) -> int:
        return len({self.reading.cite(s.at).chapter for s in self.told if s.weight >= _SEEN})

    def attitude(self, bearing: Bearing, *, votes: float | None = None) -> Attitude:
        told = sorted(self.told, key=lambda s: s.at)
        most = max(s.weight for s in told)
        ranked = sorted((s for s in told if s.weight >= _WORTH * most), key=lambda s: -s.weight)
        best = sorted(ranked[:_CITED], key=lambda s: s.at)
        said = [s for s in best if s.happened] or [max(best, key=lambda s: s.weight)]
        since = said[0] if bearing.happens else best[0]
        votes = self.votes if votes is None else votes
        return Attitude(
            bearing=bearing,
            holder=told[0].holder,
            other=told[0].other,
            votes=round(votes, 2),
            against=round(self.against, 2),
            confidence=round((1 - math.exp(-votes)) * votes / (votes + self.against), 2),
            citations=tuple(dict.fromkeys(self.reading.cite(s.at) for s in best)),
            chapter=self.reading.cite(since.at).chapter,
            early=any(self.part(s) == 0 for s in told),
            late=any(self.part(s) == PARTS - 1 for s in told),
            speaker=_speaker(best),
        )

    def part(self, s: AttitudeMention) -> int:
        """Return which third of the available text a mention is in, counted from 0."""
        return min(PARTS - 1, PARTS * s.at // max(1, len(self.reading.book.text)))


def _speaker(best: Sequence[AttitudeMention]) -> str | None:
    """Return None if the narration states it once, else the holder rather than another speaker."""
    said = [s.speaker for s in best]
    own = next((s.speaker for s in best if s.speaker in (None, s.holder)), said[0])
    return None if None in said else own


def _alone(s: AttitudeMention) -> bool:
    """Whether one mention is enough even if it has a pronoun or a speaker."""
    if s.bearing in _FLEETING:
        return False
    if s.bearing.happens:
        return s.happened and s.weight >= _DONE_ALONE
    return s.asserted and s.weight >= (_ALONE if s.speaker is None else _SAID_ALONE)
