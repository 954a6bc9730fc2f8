"""Make the family relations of a book consistent, and add those that follow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from generation.story.indexed_book import IndexedBook
from generation.story.ties.family_names import FamilyName
from generation.story.ties.kin_votes import KinVote
from generation.story.ties.surname_kin import Phrases, namesakes

_BLOOD = ("parent", "child", "sibling")
_LEAD = 2.0
_SURE, _ANYTHING = 0.5, 0.3
_BY_NAME = 0.65
"""Confidence in a relation that only phrases and names together support."""


class KinEvidence(Protocol):
    """The evidence for every relation of a book, accepted or not."""

    @property
    def reading(self) -> IndexedBook: ...

    @property
    def names(self) -> Mapping[str, FamilyName]: ...

    @property
    def phrases(self) -> Phrases: ...

    def gender(self, character: str) -> str | None: ...

    def challenged(self, child: KinVote) -> bool: ...

    def votes(self, relation: str, holder: str, owner: str) -> float: ...

    def bond(self, relation: str, holder: str, owner: str) -> KinVote: ...


class FamilyInference:
    def __init__(self, evidence: KinEvidence, bonds: Iterable[KinVote]) -> None:
        self._c = evidence
        self._bonds = {b.key: b for b in bonds}

    def settled(self) -> list[KinVote]:
        self._one_of_each("spouse")
        self._one_of_each("child")
        for bond in namesakes(self._c.reading, self._c.phrases, self._c.names, list(self._bonds.values())):
            self._drop_others(bond.holder, bond.owner)
            self._add(bond, _BY_NAME)
        self._with_spouse()
        self._siblings()
        self._of_siblings()
        self._in_laws()
        return list(self._bonds.values())

    def _of_relation(self, relation: str) -> Iterator[KinVote]:
        """Yield the relations of this kind, in every direction in which they can be expressed."""
        for bond in list(self._bonds.values()):
            for told in (bond, bond.turned()):
                if told is not None and told.relation.name == relation:
                    yield told

    def _drop(self, bond: KinVote) -> None:
        for told in (bond, bond.turned()):
            if told is not None:
                self._bonds.pop(told.key, None)

    def _one_of_each(self, relation: str) -> None:
        """Keep one spouse, one mother and one father. Of several rivals keep the one that leads, or none."""
        if relation == "child":
            for bond in [b for b in self._of_relation("child") if self._c.challenged(b)]:
                self._drop(bond)
        by_holder: dict[tuple[str, str | None], list[KinVote]] = defaultdict(list)
        for bond in self._of_relation(relation):
            gender = None if relation == "spouse" else self._c.gender(bond.owner)
            by_holder[bond.holder, gender].append(bond)
        for rivals in by_holder.values():
            rivals.sort(key=lambda b: -b.score)
            if len(rivals) > 1:
                leads = rivals[0].score >= _LEAD * rivals[1].score
                for loser in rivals[1:] if leads else rivals:
                    self._drop(loser)

    def _with_spouse(self) -> None:
        """Add the husband of somebody's mother as their father if he is called so or has their name."""
        partner = {b.holder: b for b in self._of_relation("spouse")}
        for bond in list(self._of_relation("child")):
            wed = partner.get(bond.owner)
            if wed is None or self._parent(bond.holder, self._c.gender(wed.owner)) is not None:
                continue
            votes = self._c.votes("child", bond.holder, wed.owner)
            names = self._c.names
            if wed.owner != bond.holder and (votes > 0 or names[bond.holder].shares(names[wed.owner])):
                made = self._c.bond("child", bond.holder, wed.owner)
                self._add(made, min(bond.confidence, wed.confidence), because=(bond, wed))

    def _parent(self, child: str, gender: str | None) -> KinVote | None:
        found = (b for b in self._of_relation("child") if b.holder == child)
        return next((b for b in found if self._c.gender(b.owner) == gender), None)

    def _siblings(self) -> None:
        """Make people who share a parent siblings, and drop siblings who have different parents."""
        parents: dict[str, list[KinVote]] = defaultdict(list)
        for bond in self._of_relation("child"):
            parents[bond.holder].append(bond)
        for bond in list(self._of_relation("sibling")):
            if self._apart(parents[bond.holder], parents[bond.owner]):
                self._drop(bond)
        children: dict[str, list[KinVote]] = defaultdict(list)
        for bonds in parents.values():
            for bond in bonds:
                children[bond.owner].append(bond)
        for bonds in children.values():
            for i, one in enumerate(bonds):
                for other in bonds[i + 1 :]:
                    self._drop_others(one.holder, other.holder)
                    made = self._c.bond("sibling", one.holder, other.holder)
                    self._add(made, min(one.confidence, other.confidence), because=(one, other))

    def _of_siblings(self) -> None:
        """Add the siblings and the parents of a sibling, if there is any evidence for these relations as
        well.
        """
        for one in [b for b in self._of_relation("sibling") if b.confidence >= _SURE]:
            for other in [
                b for b in self._of_relation("sibling") if b.holder == one.owner and b.owner != one.holder
            ]:
                if other.confidence >= _SURE and self._c.votes("sibling", one.holder, other.owner) > 0:
                    made = self._c.bond("sibling", one.holder, other.owner)
                    self._add(made, min(one.confidence, other.confidence), because=(one, other))
            for child in [b for b in self._of_relation("child") if b.holder == one.owner]:
                alone = self._parent(one.holder, self._c.gender(child.owner)) is None
                if alone and self._c.votes("child", one.holder, child.owner) >= _ANYTHING:
                    made = self._c.bond("child", one.holder, child.owner)
                    self._add(made, min(one.confidence, child.confidence), because=(one, child))

    def _apart(self, one: list[KinVote], other: list[KinVote]) -> bool:
        """Whether both have a mother, or both a father, and not the same."""
        return any(
            a.owner != b.owner and self._c.gender(a.owner) == self._c.gender(b.owner)
            for a in one
            for b in other
        )

    def _in_laws(self) -> None:
        """Replace relations: somebody called a brother who has married a sister is a brother-in-law."""
        partner = {b.holder: b for b in self._of_relation("spouse")}
        close = {(b.relation.name, b.holder, b.owner): b for name in _BLOOD for b in self._of_relation(name)}
        for (name, holder, owner), bond in list(close.items()):
            if name == "parent" or (wed := partner.get(holder)) is None:
                continue
            through = close.get((name, wed.owner, owner))
            if through is not None and through is not bond:
                law = f"{name}-in-law"
                votes = self._c.votes(name, holder, owner) + self._c.votes(law, holder, owner)
                if votes > 0:
                    self._drop_others(holder, owner)
                    made = self._c.bond(law, holder, owner)
                    made.seen += self._c.bond(name, holder, owner).seen
                    self._add(made, min(wed.confidence, through.confidence), because=(wed, through))

    def _drop_others(self, one: str, other: str) -> None:
        for bond in list(self._bonds.values()):
            if {bond.holder, bond.owner} == {one, other}:
                self._drop(bond)

    def _add(self, bond: KinVote, confidence: float, *, because: tuple[KinVote, ...] = ()) -> None:
        if bond.key in self._bonds or ((t := bond.turned()) is not None and t.key in self._bonds):
            return
        seen = bond.seen or [max(b.seen, key=lambda s: s.weight) for b in because if b.seen]
        self._bonds[bond.key] = replace(bond, seen=seen, confidence=confidence, inferred=not bond.seen)
