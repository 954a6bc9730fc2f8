"""Names that only the network reads as somebody's: `Andy Green`, which to the rules is a village green."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from coref.language.tokens import Tokens, each_paragraph
from coref.language.word_lists import words
from coref.names.casing import is_capitalised
from coref.names.name_uses import NameUse, ProperName, name_at, titles_at
from coref.names.person_candidates import noun_gender
from coref.names.person_cues import OnTokens
from coref.native.mention_candidates import NetworkMention
from coref.types import EntityCategory, MentionKind

_OFTEN: Final = 3
"""How often the network must read a name."""
_MOSTLY: Final = 0.5
"""Share of the uses of a shorter name that must be part of it: of `Jack`, if it is `Happy Jack`."""


def with_read_names(
    tokens: Tokens, uses: Sequence[NameUse], found: Iterable[NetworkMention]
) -> list[NameUse]:
    """Return the uses with those of names that the rules lack, or have only a part of.

    `found` are the mentions that the network found itself.
    """
    beside = _Beside(uses)
    read = Counter(
        tuple(tokens.words[s.first : s.end])
        for s in found
        if _names_somebody(tokens, s) and beside.has_room(s)
    )
    names = {name for name, count in read.items() if count >= _OFTEN}
    longer = [use for use in _uses_of(tokens, names) if beside.has_room(use)]
    parts: dict[ProperName, Counter[ProperName]] = defaultdict(Counter)
    for use in longer:
        parts[use.name].update(part.name for part in beside.inside(use))
    counts = Counter(use.name for use in uses)
    chosen = [
        use
        for use in longer
        if all(count > _MOSTLY * counts[part] for part, count in parts[use.name].items())
    ]
    gone = {part.first for use in chosen for part in beside.inside(use)}
    return sorted([*(use for use in uses if use.first not in gone), *chosen], key=lambda use: use.first)


class _Beside:
    """Which uses of names stand where."""

    def __init__(self, uses: Iterable[NameUse]) -> None:
        self._at = {at: use for use in uses for at in range(use.first, use.end)}

    def inside(self, place: OnTokens) -> list[NameUse]:
        found = (self._at.get(at) for at in range(place.first, place.end))
        return list({use.first: use for use in found if use is not None}.values())

    def has_room(self, place: OnTokens) -> bool:
        """Return whether the place is more than the uses in it, of which none sticks out."""
        size = place.end - place.first
        return all(
            place.first <= use.first and use.end <= place.end and use.end - use.first < size
            for use in self.inside(place)
        )


def _names_somebody(tokens: Tokens, place: NetworkMention) -> bool:
    """Return whether a mention reads as a name, and not as a noun such as `Papa` or an oath."""
    _, first = titles_at(tokens, place.first, place.end)
    core = tokens.words[first : place.end]
    return (
        place.category is EntityCategory.PERSON
        and place.kind is MentionKind.PROPER
        and not place.several
        and noun_gender(place.head) is None
        and all(map(is_capitalised, core))
        and not words("never_names").issuperset(core)
    )


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
