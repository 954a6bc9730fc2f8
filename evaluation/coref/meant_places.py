"""Measures who is meant at every place of excerpts of novels where readers said it, in whole resolved novels.

Within an excerpt a person's own character is the one that most places with their name have, or most places of
any kind if no name stands there, and a character belongs to the person who has most of its places. A place is
right where both agree. People whom the resolver lists nowhere in the excerpt are counted apart.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from coref.language.word_lists import table
from coref.names.certainty import MentionSort, sort_of
from coref.types import Annotations, MentionKind
from evaluation.coref.cast_places import character_at, mentions_by_end
from evaluation.coref.tallies import Sums
from evaluation.corpus.meant import MeantExcerpt, MeantNovel


@dataclass(frozen=True, slots=True)
class MeantScore(Sums):
    places: int = 0
    """Places of people who have a character in the excerpt. The next four add up to it."""
    right: int = 0
    mixed: int = 0
    """The character is mostly somebody else."""
    split: int = 0
    """The person is mostly another character."""
    lost: int = 0
    """No character is mentioned here."""
    others: int = 0
    """Places of people without a character, and places that mean nobody in particular."""
    taken: int = 0
    """Those of them that are taken for somebody who has one."""


@dataclass(frozen=True, slots=True)
class _Place:
    sort: MentionSort
    who: str | None
    found: str | None


def score_meant(novel: MeantNovel, text: str, annotations: Annotations) -> dict[MentionSort, MeantScore]:
    """Return the scores by sort of place. Raises ValueError if the text is not the novel's."""
    ends = mentions_by_end(annotations.mentions)
    scores: dict[MentionSort, MeantScore] = {}
    for excerpt in novel.excerpts:
        places = []
        for (start, _, who), span in zip(excerpt.places, excerpt.spans(text), strict=True):
            found = character_at(span, ends)
            places.append(_Place(_sort(excerpt, start, text[span.start : span.end]), who, found))
        for sort, each in _scored(places):
            scores[sort] = scores.get(sort, MeantScore()) + each
    return scores


def _sort(excerpt: MeantExcerpt, start: int, words: str) -> MentionSort:
    pronoun = table("pronoun_classes").get(words.casefold(), "")
    kind = MentionKind.PRONOUN if pronoun else MentionKind.NOMINAL
    if kind is MentionKind.NOMINAL and words.split()[-1][:1].isupper():
        kind = MentionKind.PROPER
    return sort_of(kind, pronoun, quoted=excerpt.speech[start] != "0")


def _scored(places: Sequence[_Place]) -> Iterator[tuple[MentionSort, MeantScore]]:
    own, bearers = _own(places), _bearers(places)
    for place in places:
        if place.who not in own:
            yield place.sort, MeantScore(others=1, taken=place.found in own.values())
        else:
            outcome = _outcome(place, own[place.who], bearers)
            yield place.sort, replace(MeantScore(places=1), **{outcome: 1})


def _own(places: Sequence[_Place]) -> dict[str | None, str]:
    """Return each person's own character, of people who have one."""
    named, every = defaultdict[str, Counter[str]](Counter), defaultdict[str, Counter[str]](Counter)
    for place in places:
        if place.who is not None and place.found is not None:
            every[place.who][place.found] += 1
            if place.sort is MentionSort.NAME:
                named[place.who][place.found] += 1
    return {who: (named.get(who) or found).most_common(1)[0][0] for who, found in every.items()}


def _bearers(places: Sequence[_Place]) -> Mapping[str, str | None]:
    """Return whom each character mostly means."""
    people = defaultdict[str, Counter[str | None]](Counter)
    for place in places:
        if place.found is not None:
            people[place.found][place.who] += 1
    return {found: counts.most_common(1)[0][0] for found, counts in people.items()}


def _outcome(place: _Place, own: str, bearers: Mapping[str, str | None]) -> str:
    if place.found is None:
        return "lost"
    if bearers[place.found] != place.who:
        return "mixed"
    return "right" if place.found == own else "split"
