"""Resolve `his sister` where only one woman has his surname: Miss Darcy is Mr. Darcy's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from coref.types import Character
from generation.story.indexed_book import IndexedBook
from generation.story.ties.family_names import FamilyName
from generation.story.ties.kin_mentions import KinshipMention
from generation.story.ties.kin_votes import KinVote
from generation.story.ties.relation_words import relations

Phrases = Mapping[tuple[str, str, str | None], Sequence[KinshipMention]]
_SHE, _HE = "she/her", "he/him"
_LEAST = 3
"""Times that a book must mention somebody's sister before a surname identifies her."""
_FAMOUS = 10
"""How many times as many mentions identify one of two people with the same surname."""
_THIN = 2
_SURE = 0.4
"""Certainty that the owner of the phrase must have."""


def namesakes(
    reading: IndexedBook, phrases: Phrases, names: Mapping[str, FamilyName], bonds: Iterable[KinVote]
) -> Iterator[KinVote]:
    tied = {frozenset((b.holder, b.owner)) for b in bonds}
    unsure = {frozenset((b.holder, b.owner)) for b in bonds if _thin(b)}
    tied |= set(_maybe_one(reading))
    told = {(b.relation.name, b.owner) for bond in bonds for b in (bond, bond.turned()) if b is not None}
    often = sorted(phrases.items(), key=lambda item: -len(item[1]))
    for (relation, owner, gender), seen in often:
        sure = [s for s in seen if s.weight >= _SURE or s.holder is not None]
        if relation not in ("sibling", "spouse", "parent") or gender is None or len(sure) < _LEAST:
            continue
        if relation != "sibling" and (relation, owner) in told:
            continue
        found = _candidates(reading, names, relation, owner, gender)
        if len(found) != 1:
            continue
        pair = frozenset((found[0].id, owner))
        if pair not in tied or (relation == "sibling" and pair in unsure):
            if relation == "spouse" and (relation, found[0].id) in told:
                continue
            tied.add(pair)
            told |= {(relation, owner), (relations()[relation].inverse or "", found[0].id)}
            near = sorted(sure, key=lambda s: not _mentions(reading, s.at, found[0].id))
            yield KinVote(relations()[relation], found[0].id, owner, list(near[:_LEAST]))


def _thin(bond: KinVote) -> bool:
    """Whether a relation is only reported in direct speech, once or twice. The late Mr. Darcy had a daughter,
    and has his son's name.
    """
    return len(bond.seen) <= _THIN and all(s.quoted for s in bond.seen)


def _maybe_one(reading: IndexedBook) -> Iterator[frozenset[str]]:
    """Yield pairs of one gender who may be one character under two names."""
    for doubt in reading.annotations.doubts:
        both = [reading.people[who].pronouns for who in (doubt.one, doubt.other) if who in reading.people]
        if len(set(both)) < 2:
            yield frozenset((doubt.one, doubt.other))


def _candidates(
    reading: IndexedBook, names: Mapping[str, FamilyName], relation: str, owner: str, gender: str
) -> list[Character]:
    mine = names[owner]
    if mine.lady:
        return []
    every = [
        c
        for c in reading.annotations.characters
        if c.id != owner and c.pronouns == gender and names[c.id].shares(mine)
    ]
    if relation == "spouse":
        every = [c for c in every if names[c.id].wife != mine.wife]
    elif relation == "parent":
        every = [c for c in every if not mine.wife and (names[c.id].wife or gender == _HE)]
        every = every if reading.people[owner].pronouns == _SHE or gender == _SHE else []
    else:
        other = gender != reading.people[owner].pronouns
        every = [] if mine.wife else [c for c in every if not names[c.id].wife]
        every = [c for c in every if other or mine.is_not(names[c.id])]
    most = max((c.mention_count for c in every), default=0)
    return [c for c in every if _FAMOUS * c.mention_count > most]


def _mentions(reading: IndexedBook, at: int, character: str) -> bool:
    sentence = reading.sentence_of(reading.word_at(at))
    return any(reading.who(word) == character for word in sentence)
