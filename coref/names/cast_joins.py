"""Joins people of the cast who are surely one: `Miss Tuppence` and `Tuppence`.

By the same odds a surname that stands alone is given to whoever bears it: `Morel` to the father.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from coref.language.tokens import Tokens
from coref.names.answers import NamedTurn
from coref.names.cast_building import Cast
from coref.names.name_clusters import CastMember
from coref.names.name_signs import LedBack
from coref.names.name_uses import NameUse, ProperName
from coref.names.one_person import ASKED, JOINED, shipped
from coref.names.person_candidates import MentionCandidate
from coref.names.person_pairs import Pair, PersonPairs
from coref.types import CharacterKind

_PLAINLY = 10.0
"""How much better the odds of another bearer must be for a surname alone not to mean who is named most.

In 67 novels they were 12 times as good or more where it meant the other, and at most 7 times where it did
not, but for *Vanity Fair*, where *Osborne* is the son and not the father.
"""
_NAMED_OFTEN = 10
"""How often the other must be named besides. The odds say little about somebody who is named in passing."""


@dataclass(frozen=True, slots=True)
class ComparedPeople:
    """What the book shows of people before any are joined, and of the pairs of them that may be one."""

    names: Mapping[int, Mapping[str, int]]
    """How often each name is used for each of the people."""
    pairs: Mapping[Pair, Sequence[float]]
    """The features of each pair."""


def compare(
    tokens: Tokens,
    cast: Cast,
    spots: Sequence[MentionCandidate],
    earlier: Sequence[Sequence[tuple[int, float]]],
    led: LedBack,
    talk: Sequence[NamedTurn],
) -> ComparedPeople:
    """Compare people by their names, of which each counts for the likeliest bearer."""
    pairs = _pairs(tokens, cast.people, spots, earlier, led, talk, {})
    return ComparedPeople(
        {number: {name.text: count for name, count in p.names.items()} for number, p in pairs.people.items()},
        {pair: pairs.features(pair) for pair in pairs},
    )


def _pairs(
    tokens: Tokens,
    people: Iterable[CastMember],
    spots: Sequence[MentionCandidate],
    earlier: Sequence[Sequence[tuple[int, float]]],
    led: LedBack,
    talk: Sequence[NamedTurn],
    apart: Mapping[ProperName, CastMember],
) -> PersonPairs:
    for spot in spots:
        spot.who = _bearer(spot, apart)
    used = Counter(spot.who for spot in spots)
    named = {person.number: person for person in people if used[person.number]}
    pronouns: dict[int, Counter[str]] = defaultdict(Counter)
    for number, person in named.items():
        for name in person.names:
            pronouns[number].update(led.get(name, {}))
    pairs = PersonPairs(tokens, named, spots, earlier, pronouns, talk)
    for spot in spots:
        spot.who = None
    return pairs


def _bearer(spot: MentionCandidate, apart: Mapping[ProperName, CastMember]) -> int | None:
    """Return whom a name counts for. `The Vane family` is the family's, however apart `Vane` is."""
    if not spot.options:
        return None
    bearer = spot.options[0]
    if spot.use is None or bearer.kind is CharacterKind.GROUP:
        return bearer.number
    return apart.get(spot.use.name, bearer).number


def give_surnames(
    tokens: Tokens,
    cast: Cast,
    uses: Iterable[NameUse],
    spots: Sequence[MentionCandidate],
    earlier: Sequence[Sequence[tuple[int, float]]],
    led: LedBack,
    talk: Sequence[NamedTurn],
) -> None:
    """Let a surname that stands alone mean first who is likeliest to bear it, if that is plain.

    It is compared with the bearers as if it were a person.
    """
    shared = _shared_surnames(cast, uses)
    apart = {
        name: _set_apart(bearers[0], name, number=len(cast.people) + at)
        for at, (name, bearers) in enumerate(shared.items())
    }
    if not apart:
        return
    pairs = _pairs(tokens, [*cast.people, *apart.values()], spots, earlier, led, talk, apart)
    for name, bearers in shared.items():
        likeliest = _likeliest(pairs, apart[name], bearers)
        likeliest.absorb(apart[name])
        bearers.remove(likeliest)
        bearers.insert(0, likeliest)


def _shared_surnames(cast: Cast, uses: Iterable[NameUse]) -> dict[ProperName, list[CastMember]]:
    """Return the bearers of each surname. All uses of a name have one list of them."""
    found: dict[ProperName, list[CastMember]] = {}
    for use in uses:
        bearers = cast.options.get(use.first, [])
        if not use.name.titles and bearers and use.name.text in bearers[0].surnames:
            found[use.name] = bearers
    return {n: b for n, b in found.items() if n in b[0].names and b[0].givens and len(_rivals(b)) > 1}


def _rivals(bearers: Sequence[CastMember]) -> list[CastMember]:
    """Return those of the first one's gender who have given names. `Mr. Morel` may be any of them."""
    return [person for person in bearers if person.givens and person.gender == bearers[0].gender]


def _set_apart(bearer: CastMember, name: ProperName, *, number: int) -> CastMember:
    """Take a surname that stands alone from its bearer, and return it as a person."""
    count = bearer.names.pop(name)
    bearer.surnames = +(bearer.surnames - Counter({name.text: count}))
    return CastMember(number, names=Counter({name: count}), surnames=Counter({name.text: count}))


def _likeliest(pairs: PersonPairs, alone: CastMember, bearers: Sequence[CastMember]) -> CastMember:
    rivals = [person for person in _rivals(bearers) if person.number in pairs.people]
    if alone.number not in pairs.people or bearers[0] not in rivals:
        return bearers[0]
    rows = [pairs.features((person.number, alone.number)) for person in rivals]
    said = shipped().probabilities(rows).tolist()
    odds = [probability / (1 - probability) for probability in said]
    best = max(range(len(odds)), key=lambda at: odds[at])
    plain = odds[best] > _PLAINLY * odds[0] and rivals[best].count >= _NAMED_OFTEN
    return rivals[best] if plain else bearers[0]


def join_alike(cast: Cast, compared: ComparedPeople) -> None:
    said = shipped().probabilities(list(compared.pairs.values())).tolist()
    for one, other in joins(dict(zip(compared.pairs, said, strict=True))):
        cast.merge(cast.people[one], cast.people[other])


def joins(known: Mapping[Pair, float]) -> Iterator[Pair]:
    """Yield pairs of people to join, by the probabilities of all pairs, the surest first.

    The second of a pair is no longer there after it. Two are not joined if that would join others who are so
    unlikely to be one that nobody would be asked.
    """
    groups: dict[int, set[int]] = {}
    sure = sorted((-probability, pair) for pair, probability in known.items() if probability >= JOINED)
    for _, (one, other) in sure:
        here, there = groups.get(one, {one}), groups.get(other, {other})
        across = (known.get((min(a, b), max(a, b)), 1.0) for a in here for b in there)
        if here is there or min(across) < ASKED:
            continue
        yield min(*here, *there), max(min(here), min(there))
        groups.update(dict.fromkeys(here | there, here | there))
