"""The spoiler gate: annotations as they would be if the book ended at an offset.

Nothing that only later pages tell gets through: no count, no name, no pronoun, no character.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from coref.census import pronouns_of, recount
from coref.names import pronouns_for_name
from coref.types import Annotations, Character, Mention, MentionKind, Quote
from coref.words import plain, same

NARRATOR = "the narrator"
"""What someone is called who has said "I" but has not been named yet."""


def gate(annotations: Annotations, *, upto: int | None) -> Annotations:
    """Only what ends at or before `upto`; None means the whole book, and gives back the same value."""
    if upto is None:
        return annotations
    mentions = tuple(m for m in annotations.mentions if m.span.end <= upto)
    full = {c.id: c for c in annotations.characters}
    counted = recount((_told(c, upto) for c in annotations.characters), mentions)
    seen = _by_character(mentions)
    named = (_as_seen(c, full[c.id], seen[c.id], narrates=c.id == annotations.narrator) for c in counted)
    characters = tuple(c for c in named if c.name)
    kept = frozenset(c.id for c in characters)
    return replace(
        annotations,
        characters=characters,
        mentions=tuple(m if m.character in kept else replace(m, character=None) for m in mentions),
        quotes=tuple(_heard(q, kept) for q in annotations.quotes if q.span.end <= upto),
        narrator=annotations.narrator if annotations.narrator in kept else None,
    )


def _told(character: Character, upto: int) -> Character:
    """Without the names that come later; the display name waits until it is known which were said."""
    return replace(character, name="", aliases=tuple(a for a in character.aliases if a.first < upto))


def _by_character(mentions: Sequence[Mention]) -> dict[str, list[Mention]]:
    found: dict[str, list[Mention]] = defaultdict(list)
    for mention in mentions:
        if mention.character is not None:
            found[mention.character].append(mention)
    return found


def _as_seen(seen: Character, full: Character, mentions: Sequence[Mention], *, narrates: bool) -> Character:
    """The character under the best name told so far; an empty name when nothing was told to call them by."""
    name = _name_so_far(seen, full, mentions) or (NARRATOR if narrates else "")
    named = recount([replace(seen, name=name)], mentions)[0]
    return replace(named, pronouns=_pronouns_so_far(named, full, mentions))


def _name_so_far(seen: Character, full: Character, mentions: Sequence[Mention]) -> str:
    said = {same(a.text) for a in seen.aliases}
    chosen_by_reader = any(not a.count and same(a.text) == same(full.name) for a in full.aliases)
    if chosen_by_reader or same(full.name) in said:
        return full.name
    if seen.aliases:
        return seen.aliases[0].text
    nominal = (plain(m.surface) for m in mentions if m.kind is MentionKind.NOMINAL)
    return next(nominal, "")


def _pronouns_so_far(seen: Character, full: Character, mentions: Sequence[Mention]) -> str | None:
    if not any(m.surface for m in mentions):
        return full.pronouns  # whoever built these values kept no words to judge by
    by_name = (p for a in seen.aliases if (p := pronouns_for_name(a.text)))
    return pronouns_of(mentions) or next(by_name, None)


def _heard(quote: Quote, kept: frozenset[str]) -> Quote:
    return replace(
        quote,
        speaker=quote.speaker if quote.speaker in kept else None,
        addressee=quote.addressee if quote.addressee in kept else None,
    )
