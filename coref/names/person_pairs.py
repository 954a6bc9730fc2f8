"""What a book shows of two characters: the features by which `one_person` judges whether they are one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher, get_close_matches
from itertools import combinations, groupby, pairwise
from math import log1p, sqrt
from typing import TypeVar

from coref.language.tokens import Tokens, paragraph_of
from coref.names import answers
from coref.names.answers import Answers, NamedTurn
from coref.names.cooccurrence import CROWD, Cooccurrence, Places
from coref.names.name_clusters import CastMember, is_office, is_unwed, is_wed
from coref.names.name_parts import full_names_of, same_given
from coref.names.name_uses import ProperName
from coref.names.person_candidates import HE, SHE, MentionCandidate
from coref.types import CharacterKind

Pair = tuple[int, int]
"""The numbers of two people of the cast, the smaller one first."""

_NEAR = 4
"""Maximum number of tokens between two names that stand side by side."""
_PARTS = 40
"""Number of equal parts of the book in which uses are counted."""
_LINKED = 0.02
"""Least share of antecedents among another's mentions for people without a word in common to be a pair."""
_TAKEN = 0.3
"""Such a share of one mention, from which on it counts as taken for the other's."""
_STEADY = 2
"""Added to counts before one is divided by them."""
_LONGEST = 6
"""Names of each of two people whose spelling is compared, the most used first."""
_ALIKE = 0.75
"""Least likeness of two words that may be spellings of one name: one letter in four may differ."""
_PRONOUNS = 2
"""Added to the pronouns that mean somebody before `he` is weighed against `she`."""
_NAMESAKES = 100
"""Number of people with one word in their names beyond which it says nothing of who is whom."""
_RENAMING = (",", ", or", "or", "--", "—", "(", ", the")
_JOINING = ("and", ", and", "and the", "to", "with")

FEATURES = (
    "word in common",
    "one name has the other",
    "given name in common",
    "forms of one given name",
    "two given names",
    "surname in common",
    "two surnames",
    "given name and surname",
    "alike in spelling",
    "title in common",
    "two titles",
    "one has a title",
    "wed and unwed",
    "wed and without title",
    "office and woman",
    "one gender",
    "two genders",
    "named: rarer",
    "named: commoner",
    "namesakes",
    "in one paragraph",
    "in one sentence",
    "together",
    "renaming",
    "joining",
    "owning",
    "in the same parts",
    "in the same company",
    "at the same time",
    "rarer is narrated",
    "pronouns differ",
    "linked",
    "linked back",
    "linked best",
    "taken for the other",
    *answers.FEATURES,
)

K = TypeVar("K")


@dataclass(slots=True)
class _Seen:
    """Where the book names one person."""

    count: int = 0
    told: int = 0
    """Names in the narration."""
    first: int = 0
    last: int = 0
    words: dict[str, int] = field(default_factory=dict)
    """The end of the first name with each word."""
    parts: Counter[int] = field(default_factory=Counter)
    company: Counter[int] = field(default_factory=Counter)
    """Paragraphs shared with each other person."""

    def take(self, spot: MentionCandidate, *, part: int) -> None:
        self.first = self.first if self.count else spot.first
        self.last = spot.first
        self.count += 1
        self.told += spot.quote < 0
        for word in spot.use.name.core if spot.use else ():
            self.words.setdefault(word, spot.end)
        self.parts[part] += 1


class PersonPairs:
    """The pairs of people who may be one, with their features."""

    def __init__(
        self,
        tokens: Tokens,
        people: Mapping[int, CastMember],
        spots: Sequence[MentionCandidate],
        earlier: Sequence[Sequence[tuple[int, float]]],
        pronouns: Mapping[int, Mapping[str, float]],
        talk: Sequence[NamedTurn],
    ) -> None:
        """`spots` are all mentions found, in the order by which `earlier` numbers them.

        `pronouns` has how often each pronoun means somebody. `talk` has the mentions in and beside speech.
        """
        self.people = {n: p for n, p in people.items() if p.kind is not CharacterKind.GROUP and p.names}
        named = sorted(
            (s for s in spots if s.options and s.who in self.people), key=lambda s: (s.first, -s.end)
        )
        self._words = {n: {word for name in p.names for word in name.core} for n, p in self.people.items()}
        self._bearers: dict[str, set[int]] = defaultdict(set)
        for number, held in self._words.items():
            for word in held:
                self._bearers[word].add(number)
        self._men = {n: _manhood(pronouns.get(n, {})) for n in self.people}
        self._seen: dict[int, _Seen] = defaultdict(_Seen)
        self._gaps: dict[Pair, Counter[str]] = defaultdict(Counter)
        """What stands between the names of two people that are side by side."""
        self._as_one: dict[Pair, int] = {}
        """The end of the first name that is resolved to the other, or that renames the other."""
        self._look(tokens, named)
        self.taken: Counter[Pair] = Counter()
        """How often one's name was resolved to the other."""
        self._links = self._linked(spots, earlier)
        self.answers = Answers(talk)

    def _look(self, tokens: Tokens, named: Sequence[MentionCandidate]) -> None:
        everywhere: dict[int, set[int]] = defaultdict(set)
        paragraphs, length = paragraph_of(tokens), max(len(tokens), 1)
        for spot in named:
            self._seen[_who(spot)].take(spot, part=spot.first * _PARTS // length)
            everywhere[paragraphs[spot.first]].add(_who(spot))
        for together in everywhere.values():
            if len(together) <= CROWD:
                for who in together:
                    self._seen[who].company.update(together - {who})
        self._together = Cooccurrence.of(tokens, ((spot.first, _who(spot)) for spot in named))
        for before, spot in pairwise(named):
            if before.who != spot.who and 0 <= spot.first - before.end <= _NEAR:
                pair, gap = _pair(_who(before), _who(spot)), " ".join(tokens.lower[before.end : spot.first])
                self._gaps[pair][gap] += 1
                if gap in _RENAMING:
                    self._note_as_one(pair, spot)

    def _note_as_one(self, pair: Pair, spot: MentionCandidate) -> None:
        self._as_one[pair] = min(spot.end, self._as_one.get(pair, spot.end))

    def _linked(
        self, spots: Sequence[MentionCandidate], earlier: Sequence[Sequence[tuple[int, float]]]
    ) -> Mapping[int, Mapping[int, float]]:
        """Return for each person the mean share of their names' antecedents that is each other person's."""
        totals: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for spot, before in zip(spots, earlier, strict=True):
            if not spot.options or spot.who not in self.people:
                continue
            for at, share in before:
                other = spots[at]
                if other.who in self.people and other.who != spot.who:
                    totals[spot.who][other.who] += share
                    if share >= _TAKEN and other.options:
                        pair = _pair(spot.who, other.who)
                        self.taken[pair] += 1
                        self._note_as_one(pair, spot)
        return {
            who: {other: total / self._seen[who].count for other, total in linked.items()}
            for who, linked in totals.items()
        }

    def __iter__(self) -> Iterator[Pair]:
        """Yield the pairs with a word or forms of a given name in common, linked, or beside one another.

        And those of whom one answers when the other is called.
        """
        akin: dict[str, set[int]] = defaultdict(set)
        for number, person in self.people.items():
            forms = {form for given in person.givens for form in full_names_of(given)}
            for word in self._words[number] | forms:
                akin[word].add(number)
        few = (sorted(people) for people in akin.values() if len(people) <= _NAMESAKES)
        found = {pair for people in few for pair in combinations(people, 2)}
        for one, linked in self._links.items():
            found |= {_pair(one, other) for other, share in linked.items() if share >= _LINKED}
        found |= {pair for pair, gaps in self._gaps.items() if any(gap in gaps for gap in _RENAMING)}
        found |= {_pair(*pair) for pair in self.answers.pairs() if self.people.keys() >= pair}
        yield from sorted(found)

    def spelt_alike(self) -> Iterator[Pair]:
        """Yield the pairs that share no word, but have words that are spelt alike: `Tryon` and `Tyron`.

        Such words begin alike.
        """
        found = set[Pair]()
        few = sorted(word for word, bearers in self._bearers.items() if len(bearers) <= _NAMESAKES)
        for _, alike in groupby(few, key=lambda word: word[0]):
            words = list(alike)
            for at, word in enumerate(words[1:], 1):
                for other in get_close_matches(word, words[:at], n=at, cutoff=_ALIKE):
                    found |= {_pair(a, b) for a in self._bearers[word] for b in self._bearers[other]}
        yield from sorted(pair for pair in found if not self.shared(pair))

    def together(self, pair: Pair) -> int:
        """Return the number of paragraphs in which the narration names both."""
        return self._together.paragraphs.get(frozenset(pair), 0)

    def shared(self, pair: Pair) -> bool:
        """Return whether the two share a word of their names."""
        return not self._words[pair[0]].isdisjoint(self._words[pair[1]])

    def arises(self, pair: Pair) -> int | None:
        """Return the end of the first name that gives reason to take two for one.

        It stands for the other, shares a word with the other's, or is beside a call of the other.
        """
        one, other = (self._seen[number].words for number in pair)
        ends = [max(one[word], other[word]) for word in one.keys() & other.keys()]
        more = (self._as_one.get(pair), self.answers.arises(*pair))
        return min([*ends, *(end for end in more if end is not None)], default=None)

    def features(self, pair: Pair) -> list[float]:
        rarer, other = sorted(pair, key=lambda n: (self._seen[n].count, n))
        a, b = self.people[rarer], self.people[other]
        return [
            *self._names(a, b),
            *_titles(a, b),
            *self._places(rarer, other),
            *self._links_of(rarer, other),
            *self.answers.features(rarer, other),
        ]

    def _names(self, a: CastMember, b: CastMember) -> list[float]:
        alike = any(same_given(one, other) for one in a.givens for other in b.givens)
        return [
            self.shared((a.number, b.number)),
            any(_within(one, other) or _within(other, one) for one in a.names for other in b.names),
            not a.givens.keys().isdisjoint(b.givens),
            alike,
            bool(a.givens and b.givens and not alike),
            not a.surnames.keys().isdisjoint(b.surnames),
            bool(a.surnames and b.surnames and a.surnames.keys().isdisjoint(b.surnames)),
            _complete(a, b) or _complete(b, a),
            _likeness(a, b),
        ]

    def _places(self, rarer: int, other: int) -> list[float]:
        one, two, pair = self._seen[rarer], self._seen[other], _pair(rarer, other)
        gaps, least = self._gaps.get(pair, Counter[str]()), max(one.count, 1)
        start, end = max(one.first, two.first), min(one.last, two.last)
        shortest = max(min(one.last - one.first, two.last - two.first), 1)
        akin = self._words[rarer] & self._words[other]
        namesakes = set[int]().union(*(self._bearers[word] for word in akin)).difference(pair)
        return [
            log1p(one.count) / 4,
            log1p(two.count) / 4,
            log1p(len(namesakes)),
            _share(self._together.paragraphs, pair),
            _share(self._together.sentences, pair),
            log1p(self.together(pair)) / 2,
            min(1.0, 2 * sum(gaps[gap] for gap in _RENAMING) / least),
            min(1.0, 2 * sum(gaps[gap] for gap in _JOINING) / least),
            min(1.0, 2 * sum(n for gap, n in gaps.items() if gap.startswith(("'s", "’s"))) / least),
            _cosine(one.parts, two.parts),
            _cosine(one.company, two.company),
            max(-1.0, min(1.0, (end - start) / shortest)),
            one.told / least,
            max(0.0, -self._men[rarer] * self._men[other]),
        ]

    def _links_of(self, rarer: int, other: int) -> list[float]:
        there, back = self._link(rarer, other), self._link(other, rarer)
        rivals = [
            share
            for number in (rarer, other)
            for who, share in self._links.get(number, {}).items()
            if who not in (rarer, other)
        ]
        return [
            there,
            back,
            max(there, back) > max(rivals, default=0.0),
            log1p(self.taken[_pair(rarer, other)]),
        ]

    def _link(self, one: int, other: int) -> float:
        return self._links.get(one, {}).get(other, 0.0)


def _within(one: ProperName, other: ProperName) -> bool:
    return set(one.core) <= set(other.core)


def _complete(one: CastMember, other: CastMember) -> bool:
    """Return whether one has only given names and the other only surnames."""
    return bool(one.givens and not one.surnames and other.surnames and not other.givens)


def _likeness(a: CastMember, b: CastMember) -> float:
    return max(
        SequenceMatcher(None, " ".join(one.core), " ".join(other.core)).ratio()
        for one, _ in a.names.most_common(_LONGEST)
        for other, _ in b.names.most_common(_LONGEST)
    )


def _titles(a: CastMember, b: CastMember) -> list[float]:
    one, other = a.titles, b.titles
    return [
        not one.isdisjoint(other),
        bool(one and other) and one.isdisjoint(other),
        bool(one) != bool(other),
        (is_wed(a) and is_unwed(b)) or (is_wed(b) and is_unwed(a)),
        (is_wed(a) and not other) or (is_wed(b) and not one),
        (is_office(one) and _is_woman(b)) or (is_office(other) and _is_woman(a)),
        bool(a.gender and a.gender == b.gender),
        bool(a.gender and b.gender and a.gender != b.gender),
    ]


def _is_woman(person: CastMember) -> bool:
    return person.gender == SHE and not is_office(person.titles)


def _manhood(pronouns: Mapping[str, float]) -> float:
    """Return from 1 for somebody who is always `he` to -1 for one who is always `she`."""
    he, she = pronouns.get(HE, 0.0), pronouns.get(SHE, 0.0)
    return (he - she) / (he + she + _PRONOUNS)


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def _who(spot: MentionCandidate) -> int:
    assert spot.who is not None
    return spot.who


def _share(places: Places[int], pair: Pair) -> float:
    """Return the part of the places with the rarer of two people that have the other, too."""
    fewer = min(places.get(frozenset((who,)), 0) for who in pair)
    return places.get(frozenset(pair), 0) / (fewer + _STEADY)


def _cosine(one: Counter[K], other: Counter[K]) -> float:
    both = sum(count * other[key] for key, count in one.items() if key in other)
    return both / sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values())) if both else 0.0
