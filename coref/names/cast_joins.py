"""Joins people of the cast who are surely one: `Miss Tuppence` and `Tuppence`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from coref.language.tokens import Tokens
from coref.names.cast_building import Cast
from coref.names.name_signs import LedBack
from coref.names.one_person import ASKED, JOINED, shipped
from coref.names.person_candidates import MentionCandidate
from coref.names.person_pairs import Pair, PersonPairs


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
) -> ComparedPeople:
    """Compare people by their names, of which each counts for the likeliest bearer."""
    for spot in spots:
        spot.who = spot.options[0].number if spot.options else None
    used = Counter(spot.who for spot in spots)
    people = {person.number: person for person in cast.people if used[person.number]}
    pronouns: dict[int, Counter[str]] = defaultdict(Counter)
    for number, person in people.items():
        for name in person.names:
            pronouns[number].update(led.get(name, {}))
    pairs = PersonPairs(tokens, people, spots, earlier, pronouns)
    for spot in spots:
        spot.who = None
    return ComparedPeople(
        {number: {name.text: count for name, count in p.names.items()} for number, p in pairs.people.items()},
        {pair: pairs.features(pair) for pair in pairs},
    )


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
