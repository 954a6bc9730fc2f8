"""Who is mentioned in which passage, as columns, so that counting up to a gate only needs masks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from books.types import Span
from coref.types import Annotations, MentionKind, TraitKind

Ints = NDArray[np.integer[Any]]

_KINDS = {MentionKind.PROPER: 0, MentionKind.NOMINAL: 1, MentionKind.PRONOUN: 2}
_DESCRIBING_GAP = 12
"""How far after a mention a describing phrase may start: "Emma, too, was a"."""
_KIN_GAP = 40


@dataclass(frozen=True, slots=True)
class Signs:
    """What each of the first passages contains about the requested characters: one entry per passage."""

    proper: Ints
    nominal: Ints
    pronoun: Ints
    described: Ints
    """Mentions directly followed by a describing phrase, or descriptions known from the annotations."""
    related: Ints
    """Mentions near a word of kinship or rank, or kinship known from the annotations."""
    spoken: Ints
    """Quotes in which one of them speaks."""
    firsts: Ints
    """Passages in which one of them first appears, or is first named."""

    @property
    def mentions(self) -> Ints:
        return self.proper + self.nominal + self.pronoun

    @property
    def presence(self) -> Ints:
        """Return how often one of them is mentioned or speaks: dialogue seldom names its speaker."""
        return self.mentions + self.spoken


class Postings:
    """The mentions and quotes of one book's annotations, mapped to its passages."""

    def __init__(self, annotations: Annotations, spans: Ints, *, describing: Ints, kin: Ints) -> None:
        self._annotations = annotations
        self._number = {c.id: n for n, c in enumerate(annotations.characters)}
        mentions = [m for m in annotations.mentions if m.character in self._number]
        self._start = _column(m.span.start for m in mentions)
        self._end = _column(m.span.end for m in mentions)
        self._kind = _column(_KINDS[m.kind] for m in mentions)
        self._who = _column(self._number[m.character or ""] for m in mentions)
        self._passage = _inside(self._start, spans)
        self._described = _described(self._end, self._passage, spans, describing)
        self._related = _related(self._start, self._end, self._passage, spans, kin)
        quotes = (q for q in annotations.quotes if q.speaker in self._number)
        self._quotes = _SpanCounts(((self._number[q.speaker or ""], q.span) for q in quotes), spans)
        self._descriptions = _SpanCounts(self._traits(TraitKind.IS), spans)
        self._kinship = _SpanCounts(self._traits(TraitKind.KIN), spans)

    def _traits(self, kind: TraitKind) -> Iterator[tuple[int, Span]]:
        """Yield the character and span of each trait; a kinship counts for both characters."""
        for trait in self._annotations.traits:
            if trait.kind is kind and trait.modal is None:
                ends = {trait.character, trait.other if kind is TraitKind.KIN else None}
                yield from ((self._number[who], trait.span) for who in ends if who in self._number)

    @property
    def annotations(self) -> Annotations:
        return self._annotations

    def counts(self, characters: Sequence[str], *, visible: int, upto: int | None) -> Ints:
        """Return how often the characters are mentioned in each of the first `visible` passages."""
        chosen = self._mentions(self._numbers(characters), visible, upto)
        return np.bincount(self._passage[chosen], minlength=visible)

    def signs(self, characters: Sequence[str], *, visible: int, upto: int | None) -> Signs:
        numbers = self._numbers(characters)
        chosen = self._mentions(numbers, visible, upto)
        passage = self._passage[chosen]
        kind = self._kind[chosen]

        def count(mask: NDArray[np.bool_]) -> Ints:
            return np.bincount(passage[mask], minlength=visible)

        return Signs(
            proper=count(kind == 0),
            nominal=count(kind == 1),
            pronoun=count(kind == 2),
            # The greater, not the sum: both see the same words.
            described=np.maximum(
                count(self._described[chosen]), self._descriptions.counts(numbers, visible, upto)
            ),
            related=np.maximum(count(self._related[chosen]), self._kinship.counts(numbers, visible, upto)),
            spoken=self._quotes.counts(numbers, visible, upto),
            firsts=self._firsts(numbers, chosen, visible),
        )

    def _numbers(self, characters: Sequence[str]) -> Ints:
        return _column(self._number[c] for c in characters if c in self._number)

    def _mentions(self, numbers: Ints, visible: int, upto: int | None) -> Ints:
        """Return the positions of these characters' mentions in visible passages."""
        chosen = np.isin(self._who, numbers) & (self._passage >= 0) & (self._passage < visible)
        if upto is not None:
            chosen &= self._end <= upto
        return np.flatnonzero(chosen)

    def _firsts(self, numbers: Ints, chosen: Ints, visible: int) -> Ints:
        found = np.zeros(visible, dtype=np.int64)
        for number in numbers:
            mine = chosen[self._who[chosen] == number]
            named = mine[self._kind[mine] == 0]
            for first in {int(self._passage[few[0]]) for few in (mine, named) if len(few)}:
                found[first] += 1
        return found


class _SpanCounts:
    """The spans about or spoken by a character; each counts in every passage that it touches."""

    def __init__(self, spans_by_character: Iterable[tuple[int, Span]], spans: Ints) -> None:
        rows = list(spans_by_character)
        ends = _column(span.end for _, span in rows)
        first = np.searchsorted(spans[:, 1], _column(span.start for _, span in rows), side="right")
        touched = np.searchsorted(spans[:, 0], ends) - first
        times = np.maximum(touched, 0)
        self._who = np.repeat(_column(who for who, _ in rows), times)
        self._end = np.repeat(ends, times)
        before = np.repeat(np.cumsum(times) - times, times)
        self._passage = np.repeat(first, times) + np.arange(len(before)) - before

    def counts(self, numbers: Ints, visible: int, upto: int | None) -> Ints:
        chosen = np.isin(self._who, numbers) & (self._passage >= 0) & (self._passage < visible)
        if upto is not None:
            chosen &= self._end <= upto
        return np.bincount(self._passage[chosen], minlength=visible)


def _column(values: Iterable[int]) -> Ints:
    """Return a narrow column, as there is one entry per mention.

    No book has two thousand million characters.
    """
    return np.fromiter(values, dtype=np.int32)


def _inside(starts: Ints, spans: Ints) -> Ints:
    """Return the passage that each offset lies in; -1 in headings and between passages."""
    if not len(spans):
        return np.full(len(starts), -1, dtype=np.int64)
    at = np.searchsorted(spans[:, 0], starts, side="right") - 1
    return np.where((at >= 0) & (starts < spans[at, 1]), at, -1).astype(np.int32)


def _described(ends: Ints, passage: Ints, spans: Ints, describing: Ints) -> NDArray[np.bool_]:
    limit = np.minimum(ends + _DESCRIBING_GAP, _bound(passage, spans, 1))
    return np.searchsorted(describing, ends) < np.searchsorted(describing, limit, side="right")


def _related(starts: Ints, ends: Ints, passage: Ints, spans: Ints, kin: Ints) -> NDArray[np.bool_]:
    low = np.maximum(starts - _KIN_GAP, _bound(passage, spans, 0))
    high = np.minimum(ends + _KIN_GAP, _bound(passage, spans, 1))
    return np.searchsorted(kin, low) < np.searchsorted(kin, high)


def _bound(passage: Ints, spans: Ints, side: int) -> Ints:
    """Return start or end of each one's passage, so that no cue counts for a mention in another passage."""
    if not len(spans):
        return np.zeros(len(passage), dtype=np.int64)
    return np.asarray(spans[np.maximum(passage, 0), side])
