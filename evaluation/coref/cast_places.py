"""Measures who is who in whole novels, at places where a reader said who is meant.

A person's own character is the one that most of their places have, and a character belongs to the person who
has most of its places. A place is right where both agree.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from books.types import Span
from coref.language.word_lists import table
from coref.types import Annotations, Mention
from evaluation.coref.cast_cases import compared, owners_of
from evaluation.coref.tallies import Sums
from evaluation.corpus.casts import GROUP, CastPlace, NovelCast


@dataclass(frozen=True, slots=True)
class CastScore(Sums):
    places: int = 0
    """Names of people. The next four add up to it."""
    right: int = 0
    mixed: int = 0
    """The character is mostly somebody else."""
    split: int = 0
    """The person is mostly another character."""
    lost: int = 0
    """No character is mentioned here."""
    nobody: int = 0
    """Places that mean no person of the story."""
    taken: int = 0
    """Those of them that are taken for somebody."""
    told: int = 0
    """Places of "I"."""
    told_right: int = 0


@dataclass(frozen=True, slots=True)
class ReadPlace:
    """A place with the character that the resolver found there."""

    place: CastPlace
    found: str | None

    @property
    def first_person(self) -> bool:
        return table("pronoun_classes").get(self.place.words.strip().casefold()) == "i"


def read_places(cast: NovelCast, text: str, annotations: Annotations) -> list[ReadPlace]:
    """Raises ValueError if the text does not have a place."""
    mentions = mentions_by_end(annotations.mentions)
    read: list[ReadPlace] = []
    for place in cast.places:
        span = place.find(text)
        if span is None:
            raise ValueError(f"{cast.novel} does not have “{place.quote}”")
        read.append(ReadPlace(place, character_at(span, mentions)))
    return read


def mentions_by_end(mentions: Iterable[Mention]) -> Mapping[int, Sequence[Mention]]:
    """Return the mentions of characters by where they end."""
    found: dict[int, list[Mention]] = defaultdict(list)
    for mention in mentions:
        if mention.character is not None:
            found[mention.span.end].append(mention)
    return found


def character_at(span: Span, mentions: Mapping[int, Sequence[Mention]]) -> str | None:
    """Return the character of the mention that ends with a name, the one nearest to it in length."""
    ends = [mention for at in range(span.end - 2, span.end + 1) for mention in mentions.get(at, ())]
    fits = [mention for mention in ends if mention.span.start < span.end]
    best = min(fits, key=lambda mention: abs(mention.span.start - span.start), default=None)
    return None if best is None else best.character


def score(places: Sequence[ReadPlace]) -> CastScore:
    meant = [each for each in places if each.place.who not in (None, GROUP)]
    own, bearers = _most_by(meant)
    told: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    for each in meant:
        (told if each.first_person else outcomes)[_outcome(each, own, bearers)] += 1
    nobody = [each for each in places if each.place.who is None]
    return CastScore(
        places=outcomes.total(),
        right=outcomes["right"],
        mixed=outcomes["mixed"],
        split=outcomes["split"],
        lost=outcomes["lost"],
        nobody=len(nobody),
        taken=sum(each.found is not None for each in nobody),
        told=told.total(),
        told_right=told["right"],
    )


def characters_by_person(places: Iterable[ReadPlace]) -> Mapping[str, str]:
    """Return the character whom each person mostly is where they are named, or else where they say "I"."""
    places = list(places)
    named = _most_by(each for each in places if not each.first_person)[0]
    saying = _most_by(each for each in places if each.first_person)[0]
    return {who: max(found, key=lambda each: found[each]) for who, found in {**saying, **named}.items()}


Most = Mapping[str, Counter[str]]


def _most_by(places: Iterable[ReadPlace]) -> tuple[Most, Most]:
    """Count the characters of each person, and the people of each character."""
    characters: dict[str, Counter[str]] = defaultdict(Counter)
    people: dict[str, Counter[str]] = defaultdict(Counter)
    for each in places:
        if each.place.who is not None and each.found is not None:
            characters[each.place.who][each.found] += 1
            people[each.found][each.place.who] += 1
    return characters, people


def _outcome(each: ReadPlace, characters: Most, people: Most) -> str:
    who, found = each.place.who or "", each.found
    if found is None:
        return "lost"
    if people[found][who] < max(people[found].values()):
        return "mixed"
    return "right" if characters[who][found] == max(characters[who].values()) else "split"


@dataclass(frozen=True, slots=True)
class NamePairs(Sums):
    """Pairs of names that a novel has and that each mean one person only."""

    one: int = 0
    """Pairs that mean the same person."""
    found: int = 0
    """Pairs that mean the same character."""
    right: int = 0
    """Pairs that mean both."""


def name_pairs(cast: NovelCast, annotations: Annotations) -> NamePairs:
    """Compare the names of the cast with those of the characters. A name is whose it is most often."""
    owners = owners_of(annotations.characters)
    known = [
        (people[0], owners[key])
        for name, people in cast.names.items()
        if len(people) == 1 and people[0] != GROUP and (key := compared(name)) in owners
    ]
    pairs = [(a[0] == b[0], a[1] == b[1]) for a, b in combinations(known, 2)]
    return NamePairs(
        sum(one for one, _ in pairs), sum(found for _, found in pairs), sum(all(pair) for pair in pairs)
    )
