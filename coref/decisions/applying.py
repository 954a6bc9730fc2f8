"""Applies each kind of decision to annotations. Pure functions, for decisions that have been checked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from coref.census import make_id, pronouns_of, ranked, recount
from coref.decisions.following import moved, parted, respoken, retold, within
from coref.decisions.types import Decision
from coref.errors import DecisionInvalid
from coref.language.word_lists import plain, same, table
from coref.types import Alias, Annotations, Character, Mention, MentionKind, Merge, Quote

_FIRST_PERSON = frozenset(("i", "me", "my", "mine", "myself"))
BY_READER = "a reader says so"
"""The evidence given for a merge that a reader decided."""


def existing(annotations: Annotations, character_id: str | None) -> Character:
    character = annotations.character(character_id) if character_id else None
    if character is None:
        raise DecisionInvalid(f"There is no character {character_id!r}.")
    return character


def merge(annotations: Annotations, decision: Decision) -> Annotations:
    one, other = existing(annotations, decision.character), existing(annotations, decision.other)
    joined = replace(one, aliases=one.aliases + other.aliases, pronouns=one.pronouns or other.pronouns)
    characters = [joined if c.id == one.id else c for c in annotations.characters if c.id != other.id]
    said = replace(
        annotations, merges=(*annotations.merges, Merge(one.id, one.name, other.name, 1.0, BY_READER))
    )
    return _repointed(said, characters, {other.id: one.id})


def split(annotations: Annotations, decision: Decision) -> Annotations:
    old = existing(annotations, decision.character)
    name = plain(decision.name or "")
    new_id = split_off(decision)
    leaves = leaving(decision)
    mentions = tuple(replace(m, character=new_id) if leaves(m) else m for m in annotations.mentions)
    theirs = tuple(m for m in mentions if m.character == new_id)
    gone = {same(a) for a in decision.aliases}
    new = replace(
        old,
        id=new_id,
        name=name,
        aliases=tuple(a for a in old.aliases if same(a.text) in gone),
        pronouns=pronouns_of(theirs) or old.pronouns,
    )
    left = tuple(a for a in old.aliases if same(a.text) not in gone)
    rest = replace(old, aliases=left, name="" if same(old.name) in gone else old.name)
    characters = [new, *(rest if c.id == old.id else c for c in annotations.characters)]
    counted = recount(characters, mentions)
    quotes = tuple(
        replace(q, speaker=new_id) if q.speaker == old.id and q.span in decision.spans else q
        for q in annotations.quotes
    )
    after = replace(
        annotations, characters=tuple(_named(c) for c in counted), mentions=mentions, quotes=quotes
    )
    return parted(after, annotations, old=old.id, names=gone)


def split_off(decision: Decision) -> str:
    """Return the id of the new character."""
    return make_id(plain(decision.name or ""), f"split {decision.number}")


def leaving(decision: Decision) -> Callable[[Mention], bool]:
    """Return a test for the mentions that go to the new character."""
    names, spans = {same(a) for a in decision.aliases}, frozenset(decision.spans)

    def leaves(mention: Mention) -> bool:
        if mention.character != decision.character:
            return False
        named = mention.kind is not MentionKind.PRONOUN and same(mention.surface) in names
        return named or mention.span in spans

    return leaves


def _named(character: Character) -> Character:
    """Give a character who lost their display name in a split the next best name."""
    if character.name:
        return character
    if character.aliases:
        return replace(character, name=character.aliases[0].text)
    return replace(character, name="someone", aliases=(Alias("someone", 0, character.first),))


def rename(annotations: Annotations, decision: Decision) -> Annotations:
    name = " ".join((decision.name or "").split())  # as the reader writes it
    characters = [replace(c, name=name) if c.id == decision.character else c for c in annotations.characters]
    return _repointed(annotations, characters, {})


def hide(annotations: Annotations, decision: Decision) -> Annotations:
    hidden = existing(annotations, decision.character).id
    characters = [c for c in annotations.characters if c.id != hidden]
    return _repointed(annotations, characters, {hidden: None})


def narrator(annotations: Annotations, decision: Decision) -> Annotations:
    teller = existing(annotations, decision.character).id
    said = _outside(annotations.quotes)
    mentions = tuple(
        replace(m, character=teller) if _is_first_person(m) and said(m) else m for m in annotations.mentions
    )
    after = replace(
        annotations, characters=recount(annotations.characters, mentions), mentions=mentions, narrator=teller
    )
    gone = {c.id for c in annotations.characters} - {c.id for c in after.characters}
    return _repointed(retold(after, annotations, teller), after.characters, dict.fromkeys(gone, teller))


def speaker(annotations: Annotations, decision: Decision) -> Annotations:
    """Set the speaker of quotes. "I" in a quote is its speaker, and nobody speaks to themselves."""
    who, said = decision.character, frozenset(decision.spans)
    quotes = tuple(_spoken_by(q, who) if q.span in said else q for q in annotations.quotes)
    after = replace(annotations, quotes=quotes)
    mentions = list(annotations.mentions)
    touched = {who}
    for at in within(annotations.mentions, decision.spans):
        if _is_first_person(mentions[at]):
            touched.add(mentions[at].character)
            mentions[at] = replace(mentions[at], character=who)
    if touched == {who}:
        return after
    # A book may have hundreds of these decisions, so only the characters involved are counted again.
    counted = recount((c for c in annotations.characters if c.id in touched), mentions)
    others = (c for c in annotations.characters if c.id not in touched)
    after = replace(after, characters=ranked((*others, *counted)), mentions=tuple(mentions))
    after = respoken(after, annotations, decision.spans)
    gone = touched - {None} - {c.id for c in counted}
    return _repointed(after, after.characters, dict.fromkeys(filter(None, gone))) if gone else after


def _spoken_by(quote: Quote, who: str | None) -> Quote:
    heard = quote.addressee if quote.addressee != who else None
    return replace(quote, speaker=who, addressee=heard, confidence=float(who is not None))


def dismiss(annotations: Annotations, decision: Decision) -> Annotations:
    pair = {decision.character, decision.other}
    return replace(annotations, doubts=tuple(d for d in annotations.doubts if {d.one, d.other} != pair))


def _is_first_person(mention: Mention) -> bool:
    said = mention.surface.casefold()
    first = said in _FIRST_PERSON or table("chinese_pronouns").get(said) == "i"
    return mention.kind is MentionKind.PRONOUN and first


def _outside(quotes: Sequence[Quote]) -> Callable[[Mention], bool]:
    starts = [q.span.start for q in quotes]

    def told(mention: Mention) -> bool:
        at = bisect_right(starts, mention.span.start) - 1
        return at < 0 or not quotes[at].span.covers(mention.span)

    return told


def _repointed(
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
