"""The spoiler gate: annotations as they would be if the book ended at an offset.

Nothing from later pages passes the gate: no count, no name, no pronoun, no character.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from books.types import Span
from coref.census import NARRATOR, grouped, pronouns_of, recount
from coref.language.word_lists import plain, same, words
from coref.lookup import bare
from coref.names.titles import pronouns_for_name
from coref.types import Annotations, Character, Doubt, Mention, MentionKind, Merge, Quote, Teller

_WORD = re.compile(r"\w[\w'-]+")
NAME_PART = re.compile(r"[\u3400-\u9fff]|\w[\w'-]+")
"""A part of a name: a word, or a Chinese character."""


def gate(annotations: Annotations, *, upto: int | None) -> Annotations:
    """Return only what ends at or before `upto`. None means the whole book, and returns the same value."""
    if upto is None:
        return annotations
    mentions = tuple(m for m in annotations.mentions if m.span.end <= upto)
    full = {c.id: c for c in annotations.characters}
    counted = recount((_known_so_far(c, upto) for c in annotations.characters), mentions)
    seen = grouped(mentions, lambda mention: mention.character)
    later = _used_later(annotations.characters, upto)
    named = (
        _as_seen(c, full[c.id], seen[c.id], later, narrates=c.id == annotations.narrator) for c in counted
    )
    characters = tuple(c for c in named if c.name)
    kept = frozenset(c.id for c in characters)
    ahead = _Ahead(annotations.characters, upto)
    return replace(
        annotations,
        characters=characters,
        mentions=tuple(m if m.character in kept else replace(m, character=None) for m in mentions),
        quotes=tuple(_heard(q, kept) for q in annotations.quotes if q.span.end <= upto),
        narrator=annotations.narrator if annotations.narrator in kept else None,
        tellers=tuple(
            _so_far(t, upto) for t in annotations.tellers if t.character in kept and t.span.start < upto
        ),
        merges=tuple(m for m in annotations.merges if m.character in kept and not ahead.tells(m)),
        doubts=annotations.doubts
        if len(mentions) == len(annotations.mentions)
        else tuple(_so_far_doubted(annotations.doubts, characters, upto)),
        traits=tuple(
            t if t.other in kept else replace(t, other=None)
            for t in annotations.traits
            if t.character in kept and t.span.end <= upto
        ),
        parse=annotations.parse and annotations.parse.until(upto),
    )


class _Ahead:
    """What would reveal later pages: names, and words of names, that have not been used for anybody yet."""

    def __init__(self, characters: Sequence[Character], upto: int) -> None:
        said: set[str] = set()
        later: set[str] = set()
        for alias in (a for c in characters for a in c.aliases):
            (said if alias.first < upto else later).update(_WORD.findall(same(alias.text)))
        self._words = later - said - words("articles")
        self._upto = upto

    def tells(self, found: Merge) -> bool:
        told = set(_WORD.findall(same(f"{found.evidence} {found.name} {found.other}")))
        return found.at > self._upto or not told.isdisjoint(self._words)


def _so_far_doubted(doubts: Iterable[Doubt], characters: Sequence[Character], upto: int) -> Iterator[Doubt]:
    """Yield the doubts about people met, without what speaks for them in the whole book."""
    names = {
        c.id: {w for a in c.aliases for w in NAME_PART.findall(bare(a.text))} - words("articles")
        for c in characters
    }
    for doubt in doubts:
        if doubt.one not in names or doubt.other not in names or doubt.at > upto:
            continue
        if names[doubt.one] & names[doubt.other]:
            yield replace(doubt, confidence=None, evidence="they share a name")
        elif doubt.at:
            yield replace(doubt, confidence=None, evidence="the book seems to use their names for one person")


def _so_far(teller: Teller, upto: int) -> Teller:
    """Shorten the part of a teller: the length of a letter is not revealed before its end."""
    return replace(teller, span=Span(teller.span.start, min(teller.span.end, upto)))


def _known_so_far(character: Character, upto: int) -> Character:
    """Remove names that come later. The display name is set once it is known which ones were used."""
    return replace(character, name="", aliases=tuple(a for a in character.aliases if a.first < upto))


def _used_later(characters: Iterable[Character], upto: int) -> set[str]:
    """Return the names that the book uses for anybody only from here on."""
    used: tuple[set[str], set[str]] = set(), set()
    for alias in (alias for c in characters for alias in c.aliases if alias.count):
        used[alias.first >= upto].add(same(alias.text))
    return used[True] - used[False]


def _as_seen(
    seen: Character, full: Character, mentions: Sequence[Mention], later: Collection[str], *, narrates: bool
) -> Character:
    """Return the character with the best name used so far, or an empty one if there is none."""
    name = _name_so_far(seen, full, mentions, later) or (NARRATOR if narrates else "")
    named = recount([replace(seen, name=name)], mentions)[0]
    return replace(named, pronouns=_pronouns_so_far(named, full, mentions))


def _name_so_far(
    seen: Character, full: Character, mentions: Sequence[Mention], later: Collection[str]
) -> str:
    said = {same(a.text) for a in seen.aliases}
    chosen_by_reader = any(not a.count and same(a.text) == same(full.name) for a in full.aliases)
    if (chosen_by_reader and same(full.name) not in later) or same(full.name) in said:
        return full.name
    if seen.aliases:
        return seen.aliases[0].text
    nominal = (plain(m.surface) for m in mentions if m.kind is MentionKind.NOMINAL)
    return next(nominal, "")


def _pronouns_so_far(seen: Character, full: Character, mentions: Sequence[Mention]) -> str | None:
    if not any(m.surface for m in mentions):
        return full.pronouns  # whoever built these values kept no text to judge by
    by_name = (p for a in seen.aliases if (p := pronouns_for_name(a.text)))
    return pronouns_of(mentions) or next(by_name, None)


def _heard(quote: Quote, kept: frozenset[str]) -> Quote:
    return replace(
        quote,
        speaker=quote.speaker if quote.speaker in kept else None,
        addressee=quote.addressee if quote.addressee in kept else None,
    )
