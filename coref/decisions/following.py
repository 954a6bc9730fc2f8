"""Keeps references consistent with corrected mentions: tellers, merges, doubts and traits.

When a reader merges, splits or hides characters, everything recorded about them goes to the right character.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from books.types import Span
from coref.language.word_lists import same
from coref.types import Annotations, Doubt, Mention, Merge, Quote, Teller, Trait

_AROUND = 3
"""Mentions on either side that are searched for the nearest one. Several nested ones may start together."""

Moves = Mapping[str, str | None]


def moved(annotations: Annotations, moves: Moves) -> Annotations:
    """Redirect every reference to a character as `moves` says. References to nobody are dropped."""
    if not moves:
        return annotations
    return replace(
        annotations,
        narrator=_to(moves, annotations.narrator),
        confirmed=frozenset(who for each in annotations.confirmed if (who := _to(moves, each))),
        tellers=tuple(
            replace(t, character=who) for t in annotations.tellers if (who := _to(moves, t.character))
        ),
        merges=tuple(
            replace(m, character=who) for m in annotations.merges if (who := _to(moves, m.character))
        ),
        doubts=undecided(
            replace(d, one=one, other=other)
            for d in annotations.doubts
            if (one := _to(moves, d.one)) and (other := _to(moves, d.other))
        ),
        traits=tuple(
            _pointing(t, who, _to(moves, t.other)) if t.character in moves or t.other in moves else t
            for t in annotations.traits
            if (who := _to(moves, t.character))
        ),
    )


def undecided(doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """Drop doubts about a single character, and keep the likeliest for each pair."""
    found: dict[frozenset[str], Doubt] = {}
    for doubt in doubts:
        pair = frozenset((doubt.one, doubt.other))
        if len(pair) == 2 and (pair not in found or _likelier(doubt, found[pair])):
            found[pair] = doubt
    return tuple(found.values())


def _likelier(one: Doubt, other: Doubt) -> bool:
    return (one.confidence or 0.0) > (other.confidence or 0.0)


def parted(annotations: Annotations, before: Annotations, *, old: str, names: Collection[str]) -> Annotations:
    """Return `annotations` with references that follow a split.

    Some mentions of `old` have gone elsewhere since `before`, and the names in `names` went with them.
    """
    nearest = _Nearest(before.mentions, annotations.mentions)
    return replace(
        annotations,
        tellers=tuple(nearest.teller(t) if t.character == old else t for t in before.tellers),
        merges=tuple(_merges_left(before.merges, old, _new(before, annotations, old), names)),
        traits=tuple(_followed(annotations, before, nearest)),
    )


def followed(annotations: Annotations, before: Annotations) -> Annotations:
    """Return `annotations` with traits that follow the mentions which have gone elsewhere since `before`.

    Traits whose mention is nobody's now are dropped.
    """
    nearest = _Nearest(before.mentions, annotations.mentions)
    return replace(annotations, traits=tuple(_followed(annotations, before, nearest)))


def _followed(annotations: Annotations, before: Annotations, nearest: _Nearest) -> Iterable[Trait]:
    pairs = zip(before.mentions, annotations.mentions, strict=True)
    lost = {was.character for was, now in pairs if was.character != now.character} - {None}
    for trait in before.traits:
        if trait.character not in lost and trait.other not in lost:
            yield trait
        elif trait.character not in lost or nearest.now(trait.character, trait.span):
            yield _near(trait, nearest)


def respoken(annotations: Annotations, before: Annotations, quotes: Sequence[Span]) -> Annotations:
    """Return `annotations` with references that follow a change of speaker.

    Every "I" of these quotes has become another character's, or nobody's, since `before`.
    """
    said = within(before.mentions, quotes)
    nearest = _Nearest(*([all_of.mentions[at] for at in said] for all_of in (before, annotations)))
    traits: list[Trait | None] = list(before.traits)
    for at in within(before.traits, quotes):
        trait = before.traits[at]
        told = nearest.now(trait.character, trait.span)
        traits[at] = _near(trait, nearest) if told else None
    return replace(annotations, traits=tuple(trait for trait in traits if trait is not None))


def within(marks: Sequence[Mention | Quote | Trait], spans: Sequence[Span]) -> list[int]:
    """Return the indices of items that begin in one of the spans.

    The items are in story order, and the spans do not overlap.
    """
    edges = sorted({(span.start, span.end) for span in spans})
    ends = [[bisect_left(marks, at, key=lambda m: m.span.start) for at in edge] for edge in edges]
    return [at for first, last in ends for at in range(first, last)]


def _to(moves: Moves, character: str | None) -> str | None:
    return moves.get(character, character) if character is not None else None


def _pointing(trait: Trait, who: str, other: str | None) -> Trait:
    """Redirect a trait. Nobody is their own sister."""
    return replace(trait, character=who, other=other if other != who else None)


def _near(trait: Trait, nearest: _Nearest) -> Trait:
    who = nearest.now(trait.character, trait.span) or trait.character
    return _pointing(trait, who, nearest.now(trait.other, trait.span) if trait.other else None)


def _new(before: Annotations, after: Annotations, old: str) -> str:
    """Return the character that received the mentions."""
    known = {c.id for c in before.characters}
    return next((c.id for c in after.characters if c.id not in known), old)


def _merges_left(merges: Sequence[Merge], old: str, new: str, names: Collection[str]) -> Iterable[Merge]:
    """Yield the merges that remain. Two names that the reader separated never were one character's."""
    for merge in merges:
        gone = (same(merge.name) in names, same(merge.other) in names)
        if merge.character != old or not any(gone):
            yield merge
        elif all(gone):
            yield replace(merge, character=new)


class _Nearest:
    """Finds whom the mention of a character nearest to a span refers to now."""

    def __init__(self, before: Sequence[Mention], after: Sequence[Mention]) -> None:
        self._theirs: dict[str, list[tuple[Span, str | None]]] = defaultdict(list)
        for was, now in zip(before, after, strict=True):
            if was.character is not None:
                self._theirs[was.character].append((was.span, now.character))

    def now(self, character: str, span: Span) -> str | None:
        theirs = self._theirs.get(character, [])
        at = bisect_left(theirs, span.start, key=lambda pair: pair[0].start)
        around = theirs[max(0, at - _AROUND) : at + _AROUND]
        if not around:
            return character
        return min(around, key=lambda pair: _distance(pair[0], span))[1]

    def teller(self, teller: Teller) -> Teller:
        """Return the part with the character who received most of the teller's mentions in it."""
        theirs = self._theirs.get(teller.character, [])
        start, end = (
            bisect_left(theirs, at, key=lambda p: p[0].start) for at in (teller.span.start, teller.span.end)
        )
        votes = Counter(now for _, now in theirs[start:end] if now is not None)
        most = votes.most_common(1)
        return replace(teller, character=most[0][0]) if most else teller


def _distance(one: Span, other: Span) -> int:
    return max(0, one.start - other.end, other.start - one.end)
