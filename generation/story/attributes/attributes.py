"""What a character looks like and is like, in the book's own phrases, where it is certain who is
described.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache, cached_property

from generation.lexicon import rows
from generation.story.attributes.attribute_finder import AttributeFinder
from generation.story.attributes.attribute_mention import AttributeMention
from generation.story.indexed_book import IndexedBook
from generation.story.types import Stroke, StrokeKind

MOST = 30
_KINDS = {StrokeKind.IS_A: 1.2, StrokeKind.IS: 1.0, StrokeKind.HAS: 1.0, StrokeKind.FEATURE: 0.8}
_SPOKEN, _ASIDE, _DENIED = 0.4, 0.6, 0.7
_NEW = 1.4
"""Factor for a character who has just been named for the first time, since they are then most likely
described.
"""
_MORE = 0.35
"""Added for each adjective after the first."""
_RICHEST = 4


class CharacterAttributes:
    """The attributes of all characters in one book, found together because its sentences are read
    only once.
    """

    def __init__(self, reading: IndexedBook) -> None:
        self._r = reading
        self._finder = AttributeFinder(reading)

    def of(self, character: str) -> tuple[Stroke, ...]:
        """Return the character's attributes, most distinctive first."""
        all_seen = self._seen.get(character, ())
        often = Counter(seen.phrase.casefold() for seen in all_seen)
        found = [
            (seen, self._stroke(seen))
            for seen in all_seen
            if not seen.aside or often[seen.phrase.casefold()] > 1 or len(seen.adjectives) > 1
        ]
        found.sort(key=lambda f: (-f[1].weight, f[0].word))
        kept: list[tuple[AttributeMention, Stroke]] = []
        for seen, stroke in found:
            if not any(_again(seen, other) or _clash(seen, other) for other, _ in kept):
                kept.append((seen, stroke))
        return tuple(stroke for _, stroke in kept[:MOST])

    @cached_property
    def _seen(self) -> dict[str, list[AttributeMention]]:
        found: dict[str, list[AttributeMention]] = defaultdict(list)
        for seen in self._finder.all():
            found[seen.owner.character].append(seen)
        return found

    def _stroke(self, seen: AttributeMention) -> Stroke:
        start = self._r.parse.starts[seen.word]
        rich = 1 + _MORE * (min(len(seen.adjectives), _RICHEST) - 1) + (_MORE if " of " in seen.phrase else 0)
        weight = seen.owner.trust * _KINDS[seen.kind] * rich
        if self._finder.owners.new(start, seen.owner.character):
            weight *= _NEW
        if seen.speaker is not None:
            weight *= _SPOKEN
        if seen.denied:
            weight *= _DENIED
        if seen.aside:
            weight *= _ASIDE
        return Stroke(
            kind=seen.kind,
            aspect=seen.aspect,
            text=seen.text,
            phrase=seen.phrase,
            adjectives=seen.adjectives,
            noun=seen.noun,
            counted=seen.counted,
            speaker=seen.speaker,
            citation=self._r.cite(start),
            weight=round(weight, 3),
            denied=seen.denied,
        )


def _again(one: AttributeMention, other: AttributeMention) -> bool:
    """Whether an attribute is already contained in another: "round eyes" adds nothing to "round
    blue eyes".
    """
    if one.noun is None or one.kind is StrokeKind.IS_A:
        return one.phrase == other.phrase
    return one.noun == other.noun and set(one.lemmas) <= set(other.lemmas)


def _clash(one: AttributeMention, other: AttributeMention) -> bool:
    """Whether two attributes contradict each other (tall and short, fair and dark): one belongs to somebody
    else.
    """
    if (one.noun if one.kind is not StrokeKind.IS_A else None) != (
        other.noun if other.kind is not StrokeKind.IS_A else None
    ):
        return False
    return any((a, b) in _clashes() for a in one.lemmas for b in other.lemmas)


@cache
def _clashes() -> frozenset[tuple[str, str]]:
    pairs = [(a, b) for name in ("clashes", "antonyms") for a, b in rows(name)]
    return frozenset(pairs) | frozenset((b, a) for a, b in pairs)
