"""Measures the doubts about a cast: which people with two characters they ask about, and how many not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from coref.types import Annotations
from evaluation.coref.cast_cases import bearers, compared
from evaluation.coref.tallies import Sums
from evaluation.corpus.casts import GROUP, NovelCast

K = TypeVar("K", bound=Hashable)

_MOSTLY = 0.7
"""Share of the uses of a character's names from which on the character is the person who bears these."""


@dataclass(frozen=True, slots=True)
class DoubtScore(Sums):
    one: int = 0
    """Pairs of characters who are one person."""
    found: int = 0
    """Those of them that are asked about."""
    asked: int = 0
    """Doubts."""
    known: int = 0
    """Doubts about two characters of whom readers know who they are. `found` of them are about one person."""
    said: float = 0.0
    """The sum of the probabilities that these have."""


def score_doubts(cast: NovelCast, annotations: Annotations) -> DoubtScore:
    meant = people_of(cast, annotations)
    known = [each for each in annotations.doubts if {each.one, each.other} <= meant.keys()]
    return DoubtScore(
        one=sum(meant[one] == meant[other] for one, other in combinations(meant, 2)),
        found=sum(meant[each.one] == meant[each.other] for each in known),
        asked=len(annotations.doubts),
        known=len(known),
        said=sum(each.confidence or 0.0 for each in known),
    )


def people_of(cast: NovelCast, annotations: Annotations) -> Mapping[str, str]:
    """Return the person whom each character is, where readers know it."""
    names = {each.id: {a.text: a.count for a in each.aliases} for each in annotations.characters}
    return people_meant(cast, names)


def people_meant(cast: NovelCast, characters: Mapping[K, Mapping[str, int]]) -> Mapping[K, str]:
    """Return the person whom each character is, where readers know it and no two are mixed in one.

    `characters` has how often each name is used for each of them.
    """
    owners = bearers(cast)
    found: dict[K, str] = {}
    for character, names in characters.items():
        uses: Counter[str] = Counter()
        for name, count in names.items():
            people = owners.get(compared(name), ())
            if len(people) == 1 and people[0] != GROUP:
                uses[people[0]] += count
        for person, count in uses.most_common(1):
            if count >= _MOSTLY * uses.total():
                found[character] = person
    return found
