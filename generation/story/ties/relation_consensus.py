"""The relations between characters that all the evidence of a book supports. Uncertain ones are left out.

All mentions of one pair are counted together, in whichever direction they are expressed. Of relations that
exclude each other the leading one is kept, or none if none leads. Then the family has to be consistent.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from generation.story.indexed_book import IndexedBook
from generation.story.ties.family_inference import FamilyInference
from generation.story.ties.family_names import FamilyName, family_name
from generation.story.ties.kin_hints import hints
from generation.story.ties.kin_mentions import KinshipMention, sightings
from generation.story.ties.kin_votes import KinVote
from generation.story.ties.relation_words import relations
from generation.story.types import TieKind

_CLOSEST = frozenset(("spouse", "parent", "child"))
"""Relations that a person has only one or two of, so that `her mother` identifies the person."""
_BLOOD = frozenset(("parent", "child", "sibling"))
_LEAD = 2.0
"""How many times as much evidence a relation needs as any relation that excludes it."""
_KIN_LEAST, _SOCIAL_LEAST = 1.5, 1.6
_STRANGE = -0.6
"""Share of the score that is subtracted for a parent, child or sibling with a different surname."""
_CALLED_LEAST = 4
"""Times that somebody must be called "her mother" if no sentence states it."""
_BY_SHARE = 0.6
_OFTEN = 10
"""Times from which a husband with a different surname is accepted."""
_NEARLY_ALL = 0.6
_PLAIN_ALONE = 2.9
"""Weight from which one sentence of the narration is enough."""
_CLAIM = 3.0
"""A parent is rejected if the votes for a rival, times this, are as many: a third of the votes is enough."""
_SCALE = 2.5
Pair = tuple[str, str]


class RelationConsensus:
    """The consensus of one book, computed once."""

    def __init__(self, reading: IndexedBook) -> None:
        self.reading = reading

    @cached_property
    def bonds(self) -> tuple[KinVote, ...]:
        """Every accepted relation, once and in one direction."""
        kept = [b for bonds in self._by_pair.values() if (b := self._best(bonds)) is not None]
        family = FamilyInference(self, kept)
        return tuple(family.settled())

    @cached_property
    def _of(self) -> dict[str, list[KinVote]]:
        found: dict[str, list[KinVote]] = defaultdict(list)
        for bond in self.bonds:
            found[bond.holder].append(bond)
            if (turned := bond.turned()) is not None:
                found[turned.holder].append(turned)
        return found

    def of(self, character: str) -> list[KinVote]:
        """Return the character's relations to others, most certain first."""
        return sorted(self._of.get(character, []), key=lambda b: (-b.confidence, -b.score, b.owner))

    @cached_property
    def names(self) -> dict[str, FamilyName]:
        return {c.id: family_name(c) for c in self.reading.annotations.characters}

    def gender(self, character: str) -> str | None:
        return self.reading.people[character].pronouns

    def challenged(self, child: KinVote) -> bool:
        """Whether somebody else is stated to be the parent, either plainly or from both sides.

        The resolver takes a name for proof: for it `his father` is whoever is called Mr. with the same
        surname.
        """
        if child.plain or child.mutual:
            return False
        claims = (b for pair in self._by_pair.values() for b in pair.values())
        others = (told for b in claims for told in (b, b.turned()) if told is not None)
        return any(
            o.relation.name == "child"
            and o.holder == child.holder
            and o.owner != child.owner
            and self.gender(o.owner) == self.gender(child.owner)
            and (o.plain or o.mutual)
            and _CLAIM * (o.score - o.prior) >= child.score - child.prior
            for o in others
        )

    def votes(self, relation: str, holder: str, owner: str) -> float:
        """Return the votes for a relation, in either direction."""
        pair = self._by_pair.get(_pair(holder, owner), {})
        name = relations()[relation]
        bond = pair.get((relation, holder, owner)) or pair.get((name.inverse or "", owner, holder))
        return sum(s.weight for s in bond.seen) if bond else 0.0

    def bond(self, relation: str, holder: str, owner: str) -> KinVote:
        """Return the evidence for a relation in this direction, or an empty one."""
        pair = self._by_pair.get(_pair(holder, owner), {})
        for bond in pair.values():
            for told in (bond, bond.turned()):
                if told is not None and told.key == (relation, holder, owner):
                    return told
        return KinVote(relations()[relation], holder, owner)

    @cached_property
    def _seen(self) -> tuple[KinshipMention, ...]:
        return (*sightings(self.reading), *hints(self.reading))

    @cached_property
    def _by_pair(self) -> dict[Pair, dict[tuple[str, str, str], KinVote]]:
        found: dict[Pair, dict[tuple[str, str, str], KinVote]] = defaultdict(dict)
        for s in self._seen:
            if s.holder is None:
                continue
            bond = _canonical(KinVote(s.relation, s.holder, s.owner))
            found[_pair(s.holder, s.owner)].setdefault(bond.key, bond).seen.append(s)
        for bonds in found.values():
            for bond in bonds.values():
                self._weigh(bond)
        return dict(found)

    def _weigh(self, bond: KinVote) -> None:
        """Set the prior from surnames: a family shares one. People without a shared surname are not a family
        unless the evidence is strong.
        """
        one, other = self.names[bond.holder], self.names[bond.owner]
        relation = bond.relation.name
        if relation == "spouse" and one.shares(other) and one.wife != other.wife:
            bond.prior = 1.0
        elif relation in _BLOOD and one.shares(other):
            bond.prior = 0.5
        elif self._strange(bond):
            bond.prior = _STRANGE * bond.score

    def _strange(self, bond: KinVote) -> bool:
        """Whether surnames contradict a relation: parents, children or siblings with two surnames, or a Mrs.
        whose surname is not her husband's.
        """
        one, other = self.names[bond.holder], self.names[bond.owner]
        if bond.relation.name == "spouse":
            return one.differs(other) and (one.wife or other.wife)
        return bond.relation.name in _BLOOD and one.differs(other) and not self._wed(bond)

    def _wed(self, bond: KinVote) -> bool:
        """Whether a marriage explains two surnames: of a child or a sibling, not of a mother."""
        if bond.relation.name == "parent":
            return self.names[bond.owner].wife
        holder = self.names[bond.holder].wife
        return holder or (bond.relation.name == "sibling" and self.names[bond.owner].wife)

    def _best(self, bonds: dict[tuple[str, str, str], KinVote]) -> KinVote | None:
        """Return the best relation of one pair. Family relations are preferred to social ones."""
        for kind in TieKind:
            theirs = sorted((b for b in bonds.values() if b.relation.kind is kind), key=lambda b: -b.score)
            if theirs and self._stands(theirs[0]) and self._leads(theirs, bonds.values()):
                best = theirs[0]
                rest = sum(b.score for b in theirs[1:] if b.score > 0)
                wide = kind is TieKind.KIN and best.relation.name not in _CLOSEST
                share = self._share(best) if wide else 0.0
                best.confidence = (1 - math.exp(-best.score / _SCALE)) * best.score / (best.score + rest)
                if share >= _NEARLY_ALL and best.told > 0:
                    best.confidence = max(best.confidence, _BY_SHARE * share)
                return best
        return None

    def _leads(self, theirs: list[KinVote], every: Iterable[KinVote]) -> bool:
        if theirs[0].relation.kind is TieKind.SOCIAL:
            kin = max((b.score for b in every if b.relation.kind is TieKind.KIN), default=0.0)
            opposite = [b for b in theirs[1:] if b.relation is theirs[0].relation]
            return theirs[0].score >= kin and all(theirs[0].score >= _LEAD * b.score for b in opposite)
        sure = sum(not s.plain and not s.quoted for s in theirs[0].seen) >= _CALLED_LEAST - 1
        return all(theirs[0].score >= _LEAD * (b.told if sure else b.score) for b in theirs[1:])

    def _stands(self, bond: KinVote) -> bool:
        """Whether a relation has enough evidence by itself."""
        plain, called = bond.plain, sum(not s.plain and not s.quoted for s in bond.seen)
        called = 0 if self._strange(bond) else called
        if self._called_enough(bond, called):
            return True
        least = _KIN_LEAST if bond.relation.kind is TieKind.KIN else _SOCIAL_LEAST
        if bond.score < least:
            return False
        if any(s.weight >= _PLAIN_ALONE and s.named and not s.quoted for s in plain):
            return True
        often = _CALLED_LEAST if bond.relation.name in _BLOOD else _CALLED_LEAST // 2
        kin = bond.relation.kind is TieKind.KIN
        if len(plain) >= 2 or (kin and plain and (called >= often or bond.prior > 0)):
            return True
        told = any(not s.quoted for s in plain)
        return bond.relation.name == "friend" and told and called > 0

    def _called_enough(self, bond: KinVote, called: int) -> bool:
        """Whether somebody is called "her mother" often enough; for aunts and sisters, whether it nearly
        always means them.
        """
        if bond.relation.kind is TieKind.SOCIAL:
            return False
        named = bond.prior > 0 or bond.mutual or called >= _OFTEN
        if bond.relation.name in _CLOSEST and called >= _CALLED_LEAST and bond.score > 1:
            return named or bond.relation.name != "spouse"
        if bond.relation.name == "sibling" and not bond.mutual:
            return False
        return called >= _CALLED_LEAST - 1 and self._share(bond) >= _NEARLY_ALL

    def _share(self, bond: KinVote) -> float:
        """Return the weighted share of one person among all whom the story gives this relation to somebody,
        in the better direction.
        """
        told = (told for told in (bond, bond.turned()) if told is not None)
        return max(self._share_of(told) for told in told)

    def _share_of(self, bond: KinVote) -> float:
        every = self._called.get((bond.relation.name, bond.owner), {})
        whole = sum(every.values())
        return every.get(bond.holder, 0.0) / whole if whole else 0.0

    @cached_property
    def phrases(self) -> dict[tuple[str, str, str | None], list[KinshipMention]]:
        """Every phrase like `her sister`, resolved or not, by relation, owner and the pronouns it implies."""
        found: dict[tuple[str, str, str | None], list[KinshipMention]] = defaultdict(list)
        for s in self._seen:
            found[s.relation.name, s.owner, s.gender].append(s)
        return found

    @cached_property
    def _called(self) -> dict[tuple[str, str], dict[str, float]]:
        """By relation and owner, the characters that the narration calls so, with their weights."""
        found: dict[tuple[str, str], dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for s in self._seen:
            if not s.quoted and s.holder is not None:
                found[s.relation.name, s.owner][s.holder] += s.weight
        return found


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)


def _canonical(bond: KinVote) -> KinVote:
    """Return a relation always in the same direction. Where there is a pupil, the inverse may be a teacher or
    a tutor.
    """
    turned = bond.turned()
    if turned is None or turned.relation.inverse != bond.relation.name or bond.key <= turned.key:
        return bond
    return turned
