"""Events between two characters: engagement, marriage, killing. An event must have happened and must agree
with what else is known about the two.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from coref.language.word_lists import words
from generation.story.attitudes.attitude_mentions import AttitudeMention
from generation.story.attitudes.attitude_weighing import AttitudeTally
from generation.story.attitudes.attitude_words import MUTUAL
from generation.story.indexed_book import IndexedBook
from generation.story.ties.relation_consensus import RelationConsensus
from generation.story.types import Attitude, Bearing

_COURTING = MUTUAL | {Bearing.PROPOSAL, Bearing.REFUSAL}
_SAME = 0.3
"""Factor for a wedding or a refusal between two people of one gender, which is most often a misreading."""
_ONLY_SAID = 0.15
"""Factor for a wedding that is wished, feared or spoken of, and not narrated as done."""
_SURE, _LIKELY = 0.5, 0.4
"""Confidence in the spouse relation from which it supports a wedding that is narrated, or one only
spoken of.
"""
_TIE, _NAME = 0.8, 1.0
_SPOKEN_OF = frozenset((Bearing.REFUSAL, Bearing.PROPOSAL))
"""Events that are accepted if two places speak of them. A threat to kill is not one."""
_OFTEN = 3
"""Times that a wife's name must be used."""
_RIVAL = 0.5
"""Share of the best wedding's votes that another wedding of the same person must have."""
_AFTER = 2
"""Quotes after a reported death that show that the person is alive."""


class RelationEvents:
    """Decide which events between two characters of one book happened."""

    def __init__(self, reading: IndexedBook, consensus: RelationConsensus) -> None:
        self._r = reading
        self._c = consensus

    def borne_out(self, seen: Iterable[AttitudeMention]) -> Iterator[Attitude]:
        by_pair: dict[tuple[str, str, Bearing], list[AttitudeMention]] = defaultdict(list)
        for s in (*seen, *self._renamed()):
            told = self._likely(_one_way(s))
            if told is not None:
                by_pair[told.holder, told.other, told.bearing].append(told)
        found = []
        for (holder, other, bearing), stances in by_pair.items():
            tally = AttitudeTally(self._r, stances)
            if bearing is Bearing.MARRIAGE:
                made = self._wedding(holder, other, tally)
            else:
                made = tally.attitude(bearing) if tally.stands and self._happened(tally) else None
            if made is not None:
                found.append(made)
        return self._one_each(found)

    def _happened(self, tally: AttitudeTally) -> bool:
        if any(s.happened for s in tally.told):
            return True
        return tally.told[0].bearing in _SPOKEN_OF and tally.places > 1

    def _likely(self, s: AttitudeMention) -> AttitudeMention | None:
        people = self._r.people
        if s.bearing is Bearing.KILLING and (s.speaker == s.other or self._lives(s.other, s.at)):
            return None
        if s.bearing in _COURTING:
            both = {people[s.holder].pronouns, people[s.other].pronouns}
            if len(both) == 1 and None not in both:
                s = replace(s, weight=s.weight * _SAME, plain=False)
        if s.bearing is Bearing.MARRIAGE and not s.happened:
            s = replace(s, weight=s.weight * _ONLY_SAID, plain=False)
        return s

    def _lives(self, who: str, at: int) -> bool:
        later = sum(q.speaker == who and q.span.start > at for q in self._r.annotations.quotes)
        return later >= _AFTER

    def _wedding(self, one: str, other: str, tally: AttitudeTally) -> Attitude | None:
        """Return the wedding if it is supported. With a spouse relation or a new surname one sentence is
        enough. A couple married from the beginning has no wedding.
        """
        sure = self._spouses(one, other)
        happened = any(s.happened for s in tally.told)
        if not tally.leads or self._long_married(one, other) or not (happened or sure >= _LIKELY):
            return None
        if not tally.stands and sure < (_SURE if happened else _LIKELY):
            return None
        return tally.attitude(Bearing.MARRIAGE, votes=tally.votes + _TIE * sure)

    def _spouses(self, one: str, other: str) -> float:
        return max(
            (b.confidence for b in self._c.of(one) if b.relation.name == "spouse" and b.owner == other),
            default=0.0,
        )

    def _long_married(self, one: str, other: str) -> bool:
        """Whether the book uses a wife's married name from the beginning."""
        for wife, husband in ((one, other), (other, one)):
            aliases = sorted(self._r.people[wife].aliases, key=lambda a: a.first)
            shares = self._c.names[wife].shares(self._c.names[husband])
            if aliases and shares and _weds(aliases[0].text):
                return True
        return False

    def _renamed(self) -> Iterator[AttitudeMention]:
        """Yield a marriage where the name changes: Miss Lucas, later Mrs. Collins, has married Mr.
        Collins.
        """
        for bond in self._c.bonds:
            if bond.relation.name != "spouse" or bond.confidence < _SURE:
                continue
            for wife, husband in ((bond.holder, bond.owner), (bond.owner, bond.holder)):
                if self._long_married(wife, husband):
                    continue
                for alias in self._r.people[wife].aliases:
                    if (
                        _weds(alias.text)
                        and alias.count >= _OFTEN
                        and self._c.names[wife].shares(self._c.names[husband])
                        and alias.text.split()[-1].casefold() in self._c.names[husband].surnames
                    ):
                        yield AttitudeMention(
                            Bearing.MARRIAGE, wife, husband, _NAME, False, alias.first, True, None, True, True
                        )

    def _one_each(self, found: list[Attitude]) -> Iterator[Attitude]:
        """Keep each person's best supported wedding, and another only if it is nearly as certain."""
        most: dict[str, float] = defaultdict(float)
        for a in found:
            if a.bearing is Bearing.MARRIAGE:
                for who in (a.holder, a.other):
                    most[who] = max(most[who], a.votes)
        for a in found:
            wed = a.bearing is Bearing.MARRIAGE
            if not wed or all(a.votes >= _RIVAL * most[who] for who in (a.holder, a.other)):
                yield a


def _weds(alias: str) -> bool:
    return alias.split()[0].strip(".") in words("wed_titles")


def _one_way(s: AttitudeMention) -> AttitudeMention:
    """Order the two people of a mutual event the same way every time."""
    if s.bearing in MUTUAL and s.other < s.holder:
        return replace(s, holder=s.other, other=s.holder)
    return s
