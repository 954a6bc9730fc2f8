"""Resolves each mention: weighs the network's antecedent probabilities with what is known of the cast.

Mentions are resolved in order. A mention that is known (somebody's name, "I" of a known speaker) is assigned
to its person. Every other mention is assigned to the group that contains most of its likely antecedents,
unless gender or number forbids it. A person has one group in the whole book; a group without a name ends when
no mention refers back to it any more. Two people are never merged here, however likely a link is.
How probable each choice is, `certainty` decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from coref.names.name_clusters import CastMember
from coref.names.person_candidates import HE, SHE, THEY, WE, MentionCandidate
from coref.types import CharacterKind, EntityCategory, MentionKind

_CERTAIN = 1.0
_INTRODUCED = 0.6
"""Share of a name's antecedents in an unnamed group from which on the group becomes that person's."""
_SETTLED = 3.0
"""How much more frequent one gender's pronouns must be for an unnamed group to refuse the other's."""


@dataclass(frozen=True, slots=True)
class KnownMeaning:
    """What is known of a mention in advance: its person, and its weight relative to the antecedent shares."""

    person: int
    weight: float = _CERTAIN


@dataclass(slots=True, eq=False)
class MentionGroup:
    """The mentions of one thing or person."""

    number: int
    person: int | None = None
    category: EntityCategory = EntityCategory.PERSON
    members: list[int] = field(default_factory=list)
    pronouns: Counter[str] = field(default_factory=Counter)

    def gender(self, people: Sequence[CastMember]) -> str | None:
        if self.person is not None:
            return people[self.person].gender
        he, she = self.pronouns[HE], self.pronouns[SHE]
        if max(he, she) < _SETTLED * max(1, min(he, she)):
            return None
        return HE if he > she else SHE


@dataclass(slots=True)
class MentionAssignments:
    """Parallel columns with one entry per mention."""

    groups: list[MentionGroup] = field(default_factory=list)
    confidence: list[float] = field(default_factory=list)
    """The share of the weights that the group got; 1 for a known mention. It is no probability."""
    support: list[float] = field(default_factory=list)
    """The group's share of the network's weights alone."""
    margin: list[float] = field(default_factory=list)
    """How much larger that share is than the largest of any other group, or of a new one."""
    agreed: list[int] = field(default_factory=list)
    """1 if the group is that of the person known in advance, -1 if it is another, 0 if nothing was known."""

    def all_groups(self) -> list[MentionGroup]:
        return list({id(group): group for group in self.groups}.values())


class MentionAssigner:
    def __init__(
        self,
        people: Sequence[CastMember],
        earlier: Sequence[Sequence[tuple[int, float]]],
        new: Sequence[float],
    ) -> None:
        self._people, self._earlier, self._new = people, earlier, new
        self._of_person: dict[int, MentionGroup] = {}
        self._count = 0
        self.settled = MentionAssignments()

    def run(
        self,
        spots: Sequence[MentionCandidate],
        categories: Sequence[EntityCategory],
        pins: Mapping[int, KnownMeaning],
        *,
        banned: Mapping[int, Collection[int]] | None = None,
    ) -> MentionAssignments:
        """Assign all mentions.

        `banned` lists people whom a mention cannot refer to, such as the speaker who says `he`.
        """
        banned = banned or {}
        for at, spot in enumerate(spots):
            weights = self._weights(at)
            pin = pins.get(at)
            if pin is not None and pin.weight >= _CERTAIN:
                group, sure = self._known(pin.person, weights, categories[at], spot.kind), 1.0
            else:
                known = None if pin is None else pin.person
                both = weights if pin is None else self._with(weights, pin)
                group, sure = self._likeliest(at, spot, categories[at], both, banned.get(at, ()), known)
            self._put(at, spot, group, sure)
            self._compare(at, group, weights, pin)
        return self.settled

    def _with(self, weights: Mapping[MentionGroup, float], pin: KnownMeaning) -> dict[MentionGroup, float]:
        theirs = self._group_of(pin.person)
        return {**weights, theirs: weights.get(theirs, 0.0) + pin.weight}

    def _compare(
        self, at: int, group: MentionGroup, weights: Mapping[MentionGroup, float], pin: KnownMeaning | None
    ) -> None:
        """Keep how far the network, and what was known in advance, support the choice."""
        own = weights.get(group, 0.0)
        other = max((weight for each, weight in weights.items() if each is not group), default=0.0)
        self.settled.support.append(own)
        self.settled.margin.append(own - max(other, self._new[at]))
        self.settled.agreed.append(0 if pin is None else 1 if group.person == pin.person else -1)

    def _weights(self, at: int) -> dict[MentionGroup, float]:
        weights: dict[MentionGroup, float] = {}
        for earlier, share in self._earlier[at]:
            group = self.settled.groups[earlier]
            weights[group] = weights.get(group, 0.0) + share
        return weights

    def _known(
        self,
        person: int,
        weights: Mapping[MentionGroup, float],
        category: EntityCategory,
        kind: MentionKind,
    ) -> MentionGroup:
        """Return the person's group.

        An unnamed group that a name refers back to becomes that person's group. `I` introduces nobody.
        """
        likeliest = max(weights, key=lambda group: weights[group], default=None)
        theirs = self._of_person.get(person)
        if (
            kind is MentionKind.PROPER
            and likeliest is not None
            and likeliest.person is None
            and likeliest.category is category
            and weights[likeliest] >= _INTRODUCED
            and self._may_be(likeliest, person)
        ):
            return self._introduce(likeliest, person, theirs)
        return theirs or self._group_of(person)

    def _may_be(self, group: MentionGroup, person: int) -> bool:
        gender, theirs = group.gender(self._people), self._people[person].gender
        return gender is None or theirs is None or gender == theirs

    def _introduce(self, group: MentionGroup, person: int, theirs: MentionGroup | None) -> MentionGroup:
        if theirs is None:
            group.person = person
            self._of_person[person] = group
            return group
        for member in group.members:
            self.settled.groups[member] = theirs
        theirs.members += group.members
        theirs.pronouns.update(group.pronouns)
        return theirs

    def _group_of(self, person: int) -> MentionGroup:
        if person not in self._of_person:
            self._of_person[person] = self._opened(EntityCategory.PERSON, person)
        return self._of_person[person]

    def _opened(self, category: EntityCategory, person: int | None = None) -> MentionGroup:
        self._count += 1
        return MentionGroup(self._count, person, category)

    def _likeliest(
        self,
        at: int,
        spot: MentionCandidate,
        category: EntityCategory,
        weights: Mapping[MentionGroup, float],
        banned: Collection[int],
        pinned_to: int | None,
    ) -> tuple[MentionGroup, float]:
        able = {
            group: weight
            for group, weight in weights.items()
            if group.person not in banned and self._agrees(group, spot)
        }
        best = max(able, key=lambda group: able[group], default=None)
        new = self._new[at]
        pinned = best is not None and best.person is not None and best.person == pinned_to
        if best is None or (able[best] <= new and not pinned):
            return self._opened(category), new
        return best, min(1.0, able[best] / (sum(able.values()) + new))

    def _agrees(self, group: MentionGroup, spot: MentionCandidate) -> bool:
        if spot.kind is MentionKind.PROPER and not spot.options and group.person is not None:
            return False  # a name that is not one of this person's names
        if spot.kind is MentionKind.PRONOUN and spot.head in (THEY, WE) and group.person is not None:
            return self._people[group.person].kind is CharacterKind.GROUP or spot.head == WE
        if spot.gender is None:
            return True
        gender = group.gender(self._people)
        return gender is None or gender == spot.gender

    def _put(self, at: int, spot: MentionCandidate, group: MentionGroup, sure: float) -> None:
        group.members.append(at)
        if spot.gender is not None:
            group.pronouns[spot.gender] += 1
        self.settled.groups.append(group)
        self.settled.confidence.append(sure)
