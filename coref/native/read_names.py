"""Names that only the network reads as somebody's: `Andy Green`, which to the rules is a village green."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from coref.language.tokens import Tokens, each_paragraph
from coref.names.casing import is_capitalised
from coref.names.given_cast import ARTICLES
from coref.names.name_uses import NameUse, ProperName, name_at, titles_at
from coref.names.person_candidates import noun_gender
from coref.native.mention_candidates import NetworkMention
from coref.types import EntityCategory, MentionKind

_OFTEN: Final = 3
"""How often the network must read a name."""
_MOSTLY: Final = 0.5
"""Share of the uses of a shorter name that must be part of it: of `Jack`, if it is `Happy Jack`."""
_SOMETIMES: Final = 0.25
"""Share of its places at which the network must find somebody."""


def with_read_names(
    tokens: Tokens, uses: Sequence[NameUse], found: Iterable[NetworkMention]
) -> list[NameUse]:
    """Return the uses with those of names that the rules lack, or have only a part of.

    `found` are the mentions that the network found itself.
    """
    beside, somebody, read = _Beside(uses), set[int](), Counter[tuple[str, ...]]()
    for mention in found:
        if mention.category is EntityCategory.PERSON:
            somebody.update(range(mention.first, mention.end))
            place = _name_in(tokens, mention)
            if place is not None and beside.has_room(place):
                read[tuple(tokens.words[place.start : place.stop])] += 1
    often = {name for name, count in read.items() if count >= _OFTEN}
    longer: dict[ProperName, list[NameUse]] = defaultdict(list)
    for use in _uses_of(tokens, often):
        if beside.has_room(range(use.first, use.end)):
            longer[use.name].append(use)
    counts = Counter(use.name for use in uses)
    chosen, gone = list[NameUse](), set[int]()
    for places in longer.values():
        inside = [part for use in places for part in beside.inside(range(use.first, use.end))]
        parts = Counter(part.name for part in inside)
        meant = sum(use.first in somebody for use in places)
        if meant > _SOMETIMES * len(places) and all(n > _MOSTLY * counts[part] for part, n in parts.items()):
            chosen += places
            gone.update(part.first for part in inside)
    return sorted([*(use for use in uses if use.first not in gone), *chosen], key=lambda use: use.first)


class _Beside:
    """Which uses of names stand where."""

    def __init__(self, uses: Iterable[NameUse]) -> None:
        self._at = {at: use for use in uses for at in range(use.first, use.end)}

    def inside(self, place: range) -> list[NameUse]:
        found = (self._at.get(at) for at in place)
        return list({use.first: use for use in found if use is not None}.values())

    def has_room(self, place: range) -> bool:
        """Return whether the place is more than the uses in it, of which none sticks out."""
        return all(
            place.start <= use.first and use.end <= place.stop and use.end - use.first < len(place)
            for use in self.inside(place)
        )


def _name_in(tokens: Tokens, mention: NetworkMention) -> range | None:
    """Return the place of the name in what means somebody, without its article; None for a noun: `Papa`."""
    start = mention.first + (tokens.lower[mention.first] in ARTICLES)
    _, first = titles_at(tokens, start, mention.end)
    core = tokens.words[first : mention.end]
    names_one = (
        mention.kind is MentionKind.PROPER
        and not mention.several
        and noun_gender(mention.head) is None
        and core != []
        and all(map(is_capitalised, core))
    )
    return range(start, mention.end) if names_one else None


def _uses_of(tokens: Tokens, names: Collection[tuple[str, ...]]) -> Iterator[NameUse]:
    """Yield every place where one of these names stands, the longest of those that begin there."""
    begun: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for name in sorted(names, key=len, reverse=True):
        begun[name[0]].append(name)
    for _, first, end in each_paragraph(tokens):
        at = first
        while at < end:
            stops = (
                at + len(name) for name in begun.get(tokens.words[at], ()) if _stands(tokens, name, at, end)
            )
            stop = next(stops, None)
            if stop is not None:
                yield name_at(tokens, at, stop, paragraph=(first, end))
            at = at + 1 if stop is None else stop


def _stands(tokens: Tokens, name: tuple[str, ...], at: int, end: int) -> bool:
    return at + len(name) <= end and tuple(tokens.words[at : at + len(name)]) == name
