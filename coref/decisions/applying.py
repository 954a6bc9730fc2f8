"""Applies decisions about whole characters to annotations. Pure functions, for checked decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from coref.census import recount
from coref.decisions.following import moved
from coref.decisions.types import Decision
from coref.errors import CharacterUnknown, DecisionInvalid
from coref.lookup import quoted
from coref.types import Annotations, Character, Merge

BY_READER = "a reader says so"
"""The evidence given for a merge that a reader decided."""


def existing(annotations: Annotations, character_id: str | None, *, field: str = "character") -> Character:
    if character_id is None:
        raise DecisionInvalid(f"`{field}` is missing.", remedy="Give it the id or name of a character.")
    character = annotations.character(character_id)
    if character is None:
        raise DecisionInvalid(
            f"There is no character {quoted(character_id)}.", remedy=CharacterUnknown.remedy
        )
    return character


def merge(annotations: Annotations, decision: Decision) -> Annotations:
    one, other = existing(annotations, decision.character), existing(annotations, decision.other)
    joined = replace(one, aliases=one.aliases + other.aliases, pronouns=one.pronouns or other.pronouns)
    characters = [joined if c.id == one.id else c for c in annotations.characters if c.id != other.id]
    found = Merge(one.id, one.name, other.name, 1.0, BY_READER, decision.revealed)
    said = replace(annotations, merges=(*annotations.merges, found))
    return repointed(said, characters, {other.id: one.id})


def rename(annotations: Annotations, decision: Decision) -> Annotations:
    name = " ".join((decision.name or "").split())  # as the reader writes it
    characters = [replace(c, name=name) if c.id == decision.character else c for c in annotations.characters]
    return repointed(annotations, characters, {})


def hide(annotations: Annotations, decision: Decision) -> Annotations:
    hidden = existing(annotations, decision.character).id
    characters = [c for c in annotations.characters if c.id != hidden]
    return repointed(annotations, characters, {hidden: None})


def dismiss(annotations: Annotations, decision: Decision) -> Annotations:
    if decision.other is None:
        confirmed = existing(annotations, decision.character).id
        return replace(annotations, confirmed=annotations.confirmed | {confirmed})
    pair = {decision.character, decision.other}
    return replace(annotations, doubts=tuple(d for d in annotations.doubts if {d.one, d.other} != pair))


def repointed(
    annotations: Annotations, characters: Sequence[Character], moves: Mapping[str, str | None]
) -> Annotations:
    """Replace characters wherever annotations refer to them, and recount.

    Each id in `moves` becomes another id, or None.
    """

    def to(character_id: str | None) -> str | None:
        return moves.get(character_id, character_id) if character_id is not None else None

    mentions = tuple(
        replace(m, character=to(m.character)) if m.character in moves else m for m in annotations.mentions
    )
    return replace(
        moved(annotations, moves),
        characters=recount(characters, mentions),
        mentions=mentions,
        quotes=tuple(
            replace(q, speaker=to(q.speaker), addressee=to(q.addressee)) for q in annotations.quotes
        ),
    )
