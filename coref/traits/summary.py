"""The distinctive traits of a character: each trait counted, with its places, the most distinctive first.

A word is distinctive if the character has it much more often than the rest of the cast, in units of chance
(log-odds with the cast's own usage as the prior). One odd word weighs little, and "say" weighs nothing,
however frequent. A word that everybody has comes last, and still has its count.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from books.types import Book, Span
from coref.types import Annotations, Trait, TraitKind

TIES = (TraitKind.KIN, TraitKind.SOCIAL)
_NOTHING = 1e-9
_EXPECTED = 10.0
"""Size of the prior in words. A larger prior makes rare words weigh less."""


@dataclass(frozen=True, slots=True)
class ToldTrait:
    """One trait of a character with all its places."""

    lemma: str
    other: str | None
    """The character at the other end of a relation. Each such character makes a relation of its own."""
    weight: float
    """Above 0 if it is more the character's than the others'. From about 2 on it is distinctive."""
    traits: tuple[Trait, ...]
    """In story order."""
    chapters: tuple[int, ...]
    """Chapters in which it occurs, counted from 1."""

    @property
    def count(self) -> int:
        return len(self.traits)

    @property
    def quoted(self) -> int:
        """How many of the places are in direct speech, not in the narration."""
        return sum(t.quoted for t in self.traits)

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(t.span for t in self.traits)


@dataclass(frozen=True, slots=True)
class TraitSummary:
    """The traits of one character. Each list begins with the most distinctive."""

    character: str
    said: Mapping[TraitKind, tuple[ToldTrait, ...]]
    """Traits that hold. Every kind is a key."""
    denied: Mapping[TraitKind, tuple[ToldTrait, ...]]
    """Traits that are denied: never refused, was not proud."""
    possible: Mapping[TraitKind, tuple[ToldTrait, ...]]
    """Traits that may hold, might have held, or are only asked, tried or thought."""


_Key = tuple[TraitKind, str, str | None]


class TraitSummaries:
    """Summaries for the characters of one book. The traits of the whole cast are counted once."""

    def __init__(self, book: Book, annotations: Annotations) -> None:
        self._book = book
        self._of: dict[str, list[Trait]] = defaultdict(list)
        self._cast: dict[TraitKind, Counter[str]] = defaultdict(Counter)
        for trait in annotations.traits:
            self._of[trait.character].append(trait)
            self._cast[trait.kind][trait.lemma] += 1
        self._sizes = {kind: counts.total() for kind, counts in self._cast.items()}

    def of(self, character: str) -> TraitSummary:
        theirs = self._of.get(character, [])
        own: dict[TraitKind, Counter[str]] = defaultdict(Counter)
        for trait in theirs:
            own[trait.kind][trait.lemma] += 1
        parts = (
            [t for t in theirs if not t.negated and t.modal is None],
            [t for t in theirs if t.negated and t.modal is None],
            [t for t in theirs if t.modal is not None],
        )
        return TraitSummary(character, *(self._by_kind(part, own) for part in parts))

    def _by_kind(
        self, traits: Iterable[Trait], own: Mapping[TraitKind, Counter[str]]
    ) -> dict[TraitKind, tuple[ToldTrait, ...]]:
        places: dict[_Key, list[Trait]] = defaultdict(list)
        for t in traits:
            places[t.kind, t.lemma, t.other if t.kind in TIES else None].append(t)
        found: dict[TraitKind, list[ToldTrait]] = {kind: [] for kind in TraitKind}
        for (kind, lemma, other), where in places.items():
            weight = self._weight(kind, lemma, own[kind])
            found[kind].append(ToldTrait(lemma, other, weight, tuple(where), self._chapters(where)))
        return {kind: tuple(sorted(told, key=_order)) for kind, told in found.items()}

    def _weight(self, kind: TraitKind, lemma: str, own: Counter[str]) -> float:
        """Return the log-odds of the word for the character against all others, over its standard error."""
        cast, size = self._cast[kind][lemma], self._sizes[kind]
        expected = _EXPECTED * cast / size
        mine, others = own[lemma], cast - own[lemma]
        rest = own.total() + _EXPECTED - mine - expected
        beyond = size - own.total() + _EXPECTED - others - expected
        if min(rest, beyond) < _NOTHING:
            return 0.0  # there is no other word, or no other character, to compare with
        odds = math.log((mine + expected) / rest) - math.log((others + expected) / beyond)
        return odds / math.sqrt(1 / (mine + expected) + 1 / (others + expected))

    def _chapters(self, traits: Sequence[Trait]) -> tuple[int, ...]:
        found = (self._book.chapter_at(t.span.start) for t in traits)
        return tuple(sorted({chapter.number for chapter in found if chapter is not None}))


def _order(told: ToldTrait) -> tuple[float, int, int, str]:
    """Sort key by weight. Relations are sorted by their frequency."""
    weight = 0.0 if told.traits[0].kind in TIES else told.weight
    return (-weight, -told.count, told.traits[0].span.start, told.lemma)
