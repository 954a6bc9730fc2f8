"""What a book shows of each tie that two people may have: what states it or hints at it, and their names."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, NamedTuple

from generation.story.indexed_book import IndexedBook
from generation.story.ties.family_names import FamilyName, family_name
from generation.story.ties.kin_hints import hints
from generation.story.ties.kin_mentions import KinshipMention, RelationUse, uses
from generation.story.ties.relation_words import RelationType, fits, is_mutual, tie_names, usual

SPOUSE: Final = "spouse"
PARENT: Final = "parent"
CLOSE: Final = frozenset((SPOUSE, PARENT, "sibling"))
FAMILY: Final = CLOSE | {
    "grandparent", "aunt or uncle", "cousin", "parent-in-law", "sibling-in-law", "betrothed",
}  # fmt: skip
_BLOOD = CLOSE - {SPOUSE}
_GROUPS = ("close", "kin", "social")
_CROWD = 6
"""People of a sentence from which a word in it says nothing of any two."""
_HALF = 0.5
"""How much somebody in the sentence before counts."""
_HINTED = 0.3
"""How much somebody whom the resolver takes a word for counts, where the grammar states nothing."""
_LEAST, _NEAR, _CALLED, _SHARE = 0.3, 1.5, 1.0, 0.25
"""Statements, words in sentences with both, forms of address, or the share of `her sister` near them."""
FEATURES: Final = (
    *("named", "plain", "plain, said", "called", "called, said", "from both sides"),
    *("referred to", "share referred to", "near", "near of together", "share near", "nearer than usual"),
    *("phrases", "addressed", "spoken to", "lead", "lead in the role"),
    *("surname shared by blood", "surnames differ by blood", "surname shared by spouses"),
    *("surnames of spouses differ", "spouses of one gender", "a Mrs. among spouses"),
    *("together", "share together", "mentions"),
    *tie_names(),
    *(f"{what}, {group}" for group in _GROUPS for what in ("stated", "near", "referred to")),
)


class TieKey(NamedTuple):
    """What `one` may be of the `other`. Of a tie that is the same from both sides, `one` is first by id."""

    tie: str
    one: str
    other: str


@dataclass(slots=True)
class TieSigns:
    """What a book shows of one tie."""

    stated: list[KinshipMention] = field(default_factory=list)
    near: float = 0.0
    addressed: float = 0.0
    spoken_to: float = 0.0
    referred: float = 0.0
    referred_share: float = 0.0
    phrases: int = 0
    near_share: float = 0.0
    near_ratio: float = 0.0
    places: list[tuple[float, int]] = field(default_factory=list)
    """How much each word in the text says of it, and where it is."""

    def weight(self, *, plain: bool, quoted: bool) -> float:
        return sum(s.weight for s in self.stated if (s.plain, s.quoted) == (plain, quoted))

    @property
    def strength(self) -> float:
        return sum(s.weight for s in self.stated) + _HINTED * (self.referred + self.addressed)

    @property
    def worth_a_thought(self) -> bool:
        return (
            self.strength >= _LEAST
            or self.near >= _NEAR
            or self.addressed + self.spoken_to >= _CALLED
            or self.near_share >= _SHARE
        )


def key_of(relation: RelationType, holder: str, owner: str) -> TieKey:
    one, other = (owner, holder) if relation.turned else (holder, owner)
    return TieKey(relation.tie, *(sorted((one, other)) if is_mutual(relation.tie) else (one, other)))


class SignReader:
    """Reads the signs of one book."""

    def __init__(self, reading: IndexedBook) -> None:
        self._r = reading
        self.names: Mapping[str, FamilyName] = {c.id: family_name(c) for c in reading.annotations.characters}
        self._people = self._people_by_sentence()
        self._alone = Counter(who for people in self._people.values() for who in people)
        self._together = Counter(
            pair
            for people in self._people.values()
            if len(people) <= 2 * _CROWD
            for pair in combinations(sorted(people), 2)
        )
        self.signs: dict[TieKey, TieSigns] = defaultdict(TieSigns)
        self._read()

    def rows(self) -> dict[TieKey, list[float]]:
        """Return the features of each tie that is worth a thought."""
        pairs: dict[frozenset[str], list[tuple[float, TieKey]]] = defaultdict(list)
        roles: dict[tuple[str, ...], list[tuple[float, TieKey]]] = defaultdict(list)
        for key, signs in self.signs.items():
            pairs[frozenset(key[1:])].append((signs.strength, key))
            for role in self.roles(key):
                roles[role].append((signs.strength, key))
        return {
            key: self._row(
                key,
                signs,
                _most(pairs[frozenset(key[1:])], key),
                max((_most(roles[role], key) for role in self.roles(key)), default=None),
            )
            for key, signs in self.signs.items()
            if signs.worth_a_thought
        }

    def roles(self, key: TieKey) -> Iterator[tuple[str, ...]]:
        """Yield the roles that only one person can have: somebody's husband, somebody's mother."""
        if key.tie == SPOUSE:
            yield from ((SPOUSE, key.one), (SPOUSE, key.other))
        elif key.tie == PARENT:
            yield PARENT, key.other, self._gender(key.one) or ""

    def _read(self) -> None:
        phrases: dict[tuple[RelationType, str | None, str], list[RelationUse]] = defaultdict(list)
        for mention in hints(self._r):
            self._state(mention)
        for use in uses(self._r):
            for mention in use.stated:
                self._state(mention)
            self._near(use)
            self._addressed(use)
            for owner in use.owners:
                phrases[usual(use.relation.tie, turned=use.relation.turned), use.gender, owner].append(use)
        for (relation, gender, owner), said in phrases.items():
            self._phrases(relation, gender, owner, said)

    def _state(self, mention: KinshipMention) -> None:
        signs = self.signs[key_of(mention.relation, mention.holder, mention.owner)]
        signs.stated.append(mention)
        signs.places.append((mention.weight + 1, mention.at))

    def _near(self, use: RelationUse) -> None:
        """Count a word for everybody who is mentioned in its sentence."""
        people = self._around(use, before=False)
        if not 1 < len(people) <= _CROWD:
            return
        share = 1 / (len(people) - 1)
        for holder in people:
            if self._fits(holder, use.gender):
                for owner in people:
                    if owner != holder:
                        signs = self.signs[key_of(use.relation, holder, owner)]
                        signs.near += share
                        signs.places.append((share, self._at(use)))

    def _addressed(self, use: RelationUse) -> None:
        quote = self._r.quote_at(self._at(use))
        if quote is None or not use.one or use.owners:
            return
        speaker, hearer = quote.speaker, quote.addressee
        if speaker is None or hearer is None or speaker == hearer:
            return
        if not {speaker, hearer} <= self.names.keys():
            return
        if self._fits(hearer, use.gender):
            signs = self.signs[key_of(use.relation, hearer, speaker)]
            if use.called:
                signs.addressed += quote.confidence
            else:
                signs.spoken_to += quote.confidence
            signs.places.append((quote.confidence, self._at(use)))

    def _phrases(
        self, relation: RelationType, gender: str | None, owner: str, said: list[RelationUse]
    ) -> None:
        """Weigh who `her sister` is: whom the resolver takes it for, and who is mentioned around it."""
        referred = Counter(use.holder for use in said if use.holder not in (None, owner))
        around: dict[str, float] = defaultdict(float)
        for use in said:
            here = self._around(use, before=False)
            for who in here | self._around(use, before=True):
                if who != owner and self._fits(who, gender):
                    around[who] += 1 if who in here else _HALF
        for holder in {*referred, *(who for who, near in around.items() if near >= 1)}:
            assert holder is not None
            signs = self.signs[key_of(relation, holder, owner)]
            share = around[holder] / (len(said) + 1)
            signs.phrases = max(signs.phrases, len(said))
            signs.referred += referred[holder]
            signs.referred_share = max(signs.referred_share, referred[holder] / (referred.total() + 1))
            signs.near_share = max(signs.near_share, share)
            usually = self._together[_pair(holder, owner)] / self._alone[owner]
            signs.near_ratio = max(signs.near_ratio, math.log((share + 0.1) / (usually + 0.1)))
            signs.places += [(1.0, self._at(use)) for use in said if use.holder == holder]

    def _row(self, key: TieKey, signs: TieSigns, rival: float, in_role: float | None) -> list[float]:
        people = self._r.people
        one, other = self.names[key.one], self.names[key.other]
        genders = self._gender(key.one), self._gender(key.other)
        together = self._together[_pair(key.one, key.other)]
        blood, wed = key.tie in _BLOOD, key.tie in (SPOUSE, "betrothed")
        strength = signs.strength
        stated, near, referred = map(math.log1p, (strength, signs.near, signs.referred))
        group = "close" if key.tie in CLOSE else "kin" if key.tie in FAMILY else "social"
        named = sum(s.weight for s in signs.stated if s.plain and s.named and not s.quoted)
        return [
            math.log1p(named),
            *(math.log1p(signs.weight(plain=p, quoted=q)) for p in (True, False) for q in (False, True)),
            len({s.holder for s in signs.stated}) > 1,
            referred,
            signs.referred_share,
            near,
            signs.near / (together + 2),
            signs.near_share,
            signs.near_ratio,
            math.log1p(signs.phrases),
            math.log1p(signs.addressed),
            math.log1p(signs.spoken_to),
            _lead(strength, rival),
            0.0 if in_role is None else _lead(strength, in_role),
            blood and one.shares(other),
            blood and one.differs(other),
            wed and one.shares(other) and one.wife != other.wife,
            key.tie == SPOUSE and one.differs(other),
            wed and genders[0] == genders[1] is not None,
            wed and (one.wife or other.wife),
            math.log1p(together),
            together / (min(self._alone[key.one], self._alone[key.other]) + 2),
            math.log1p(min(people[key.one].mention_count, people[key.other].mention_count)),
            *(key.tie == tie for tie in tie_names()),
            *(
                value * (group == each)
                for each in _GROUPS
                for value in (stated, near, referred * signs.referred_share)
            ),
        ]

    def _people_by_sentence(self) -> dict[int, set[str]]:
        found: dict[int, set[str]] = defaultdict(set)
        for word, mention in self._r.meant.items():
            if mention.character is not None and mention.character in self._r.people:
                found[self._r.sentence_number(word)].add(mention.character)
        return found

    def _around(self, use: RelationUse, *, before: bool) -> set[str]:
        return self._people.get(self._r.sentence_number(use.word) - before, set())

    def _at(self, use: RelationUse) -> int:
        return self._r.parse.starts[use.word]

    def _gender(self, who: str) -> str | None:
        return self._r.people[who].pronouns

    def _fits(self, who: str, gender: str | None) -> bool:
        return fits(self._gender(who), gender)


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _most(found: Iterable[tuple[float, TieKey]], key: TieKey) -> float:
    """Return the strength of the strongest rival."""
    return max((strength for strength, other in found if other != key), default=0.0)


def _lead(mine: float, theirs: float) -> float:
    return (mine - theirs) / (mine + theirs + _LEAST)
