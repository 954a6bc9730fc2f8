"""Applies decisions that give mentions and quotes to somebody else. Pure functions, for checked decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from books.types import Span
from coref.census import make_id, pronouns_of, ranked, recount
from coref.decisions.along import Handed, QuotePlaces, along, word_of
from coref.decisions.applying import existing, repointed
from coref.decisions.following import followed, parted, respoken, within
from coref.decisions.types import Decision, DecisionKind
from coref.language.word_lists import plain, same
from coref.types import (
    Alias,
    Annotations,
    Character,
    CharacterKind,
    EntityCategory,
    Mention,
    MentionKind,
    Quote,
    Teller,
)

_NEW: Final = (DecisionKind.SPLIT, DecisionKind.NARRATOR, DecisionKind.MENTION)
"""Decisions that can bring in somebody new."""


def newcomer(decision: Decision) -> Character | None:
    """Return the character that the decision brings in, without mentions, if there is one."""
    splits = decision.kind is DecisionKind.SPLIT
    if decision.kind not in _NEW or not decision.name or (decision.character and not splits):
        return None
    name = plain(decision.name)
    seed = f"{decision.kind.value} {decision.number}"
    return Character(make_id(name, seed), name, (), CharacterKind.PERSON, None, 0, 0)


def handed(annotations: Annotations, decision: Decision) -> Handed:
    """Return what a split or a mention moves."""
    splits = decision.kind is DecisionKind.SPLIT
    whose = decision.character if splits else decision.other
    mentions, quotes = annotations.mentions, annotations.quotes
    said = within(quotes, decision.spans) if splits else ()
    named_mentions = frozenset(at for at in meant(annotations, decision) if mentions[at].character == whose)
    named_quotes = frozenset(at for at in said if quotes[at].speaker == whose)
    found = Handed(named_mentions, named_quotes, named_mentions, named_quotes)
    if not decision.pronouns or whose is None:
        return found
    return along(annotations, whose, found, near=not decision.aliases and not splits)


def meant(annotations: Annotations, decision: Decision) -> Collection[int]:
    """Return the positions of the mentions that the names and spans select, whoever they refer to."""
    mentions = annotations.mentions
    names = {same(alias) for alias in decision.aliases}
    inside = frozenset(within(mentions, decision.spans))
    if not names:
        return inside
    named = {
        at
        for at, mention in enumerate(mentions)
        if mention.kind is not MentionKind.PRONOUN and same(mention.surface) in names
    }
    if decision.kind is DecisionKind.SPLIT:
        return named | inside
    return named & inside if decision.spans else named


def split(annotations: Annotations, decision: Decision) -> Annotations:
    old, new = existing(annotations, decision.character), newcomer(decision)
    assert new is not None
    moved = handed(annotations, decision)
    mentions = tuple(_given(annotations.mentions, moved.mentions, new.id, sure=moved.named_mentions))
    gone = {same(a) for a in decision.aliases}
    new = replace(
        old,
        id=new.id,
        name=new.name,
        aliases=tuple(a for a in old.aliases if same(a.text) in gone),
        pronouns=pronouns_of(m for m in mentions if m.character == new.id) or old.pronouns,
    )
    left = tuple(a for a in old.aliases if same(a.text) not in gone)
    rest = replace(old, aliases=left, name="" if same(old.name) in gone else old.name)
    characters = [new, *(rest if c.id == old.id else c for c in annotations.characters)]
    after = replace(
        annotations,
        characters=tuple(map(_named, recount(characters, mentions))),
        mentions=mentions,
        quotes=tuple(_said(annotations.quotes, moved.quotes, new.id, sure=moved.named_quotes)),
    )
    return parted(after, annotations, old=old.id, names=gone)


def mention(annotations: Annotations, decision: Decision) -> Annotations:
    moved, new = handed(annotations, decision), newcomer(decision)
    who = new.id if new else decision.character
    mentions = tuple(_given(annotations.mentions, moved.mentions, who, sure=moved.named_mentions))
    theirs = [mentions[at] for at in sorted(moved.mentions)]
    if new:
        called = (Alias(m.surface, 0, m.span.start) for m in theirs if m.kind is MentionKind.NOMINAL)
        new = replace(new, aliases=tuple(called), pronouns=pronouns_of(theirs))
    after = replace(
        annotations,
        characters=recount((*annotations.characters, *([new] if new else [])), mentions),
        mentions=mentions,
        quotes=tuple(_said(annotations.quotes, moved.quotes, who, sure=moved.named_quotes)),
    )
    return _without_the_gone(followed(after, annotations), annotations, who)


def narrator(annotations: Annotations, decision: Decision) -> Annotations:
    new = newcomer(decision)
    who = new.id if new else decision.character
    told = frozenset(telling(annotations, decision))
    mentions = tuple(_given(annotations.mentions, told, who, sure=told))
    tellers = _tellers(annotations, decision.spans, who)
    after = replace(
        annotations,
        characters=recount((*annotations.characters, *([new] if new else [])), mentions),
        mentions=mentions,
        tellers=tellers,
        narrator=_main(tellers) if decision.spans else who,
    )
    return _without_the_gone(followed(after, annotations), annotations, who)


def telling(annotations: Annotations, decision: Decision) -> Iterator[int]:
    """Yield the positions of every "I" outside quotes that the decision is about."""
    quotes = QuotePlaces([q.span for q in annotations.quotes])
    nobody = newcomer(decision) is None and decision.character is None
    inside = frozenset(within(annotations.mentions, decision.spans)) if decision.spans else None
    for at, one in enumerate(annotations.mentions):
        if not _is_first_person(one) or (inside is not None and at not in inside):
            continue
        if quotes.of(one.span.start) is None and not (nobody and one.character is None):
            yield at


def speaker(annotations: Annotations, decision: Decision) -> Annotations:
    """Set the speaker of quotes. "I" in a quote is its speaker, and nobody speaks to themselves."""
    who, said = decision.character, frozenset(decision.spans)
    quotes = tuple(_spoken_by(q, who) if q.span in said else q for q in annotations.quotes)
    mentions = list(annotations.mentions)
    touched = {who}
    for at in within(annotations.mentions, decision.spans):
        if _is_first_person(mentions[at]):
            touched.add(mentions[at].character)
            sure = mentions[at].confidence if who is None else 1.0
            mentions[at] = replace(mentions[at], character=who, confidence=sure)
    after = replace(annotations, quotes=quotes, mentions=tuple(mentions))
    if touched == {who}:
        return after
    # A book may have hundreds of these decisions, so only the characters involved are counted again.
    counted = recount((c for c in annotations.characters if c.id in touched), mentions)
    others = (c for c in annotations.characters if c.id not in touched)
    after = replace(after, characters=ranked((*others, *counted)))
    after = respoken(after, annotations, decision.spans)
    gone = touched - {None} - {c.id for c in counted}
    return repointed(after, after.characters, dict.fromkeys(filter(None, gone))) if gone else after


def _given(
    mentions: Sequence[Mention], places: frozenset[int], who: str | None, *, sure: frozenset[int]
) -> Iterator[Mention]:
    """Give mentions to somebody. Those of which a reader says it are `sure`; others only go along."""
    for at, one in enumerate(mentions):
        if at not in places:
            yield one
        elif who is None:
            yield replace(one, character=None)
        else:
            given = replace(one, character=who, entity=None, category=EntityCategory.PERSON)
            yield replace(given, confidence=1.0) if at in sure else given


def _said(
    quotes: Sequence[Quote], places: frozenset[int], who: str | None, *, sure: frozenset[int]
) -> Iterator[Quote]:
    """Give quotes to somebody. Those of which a reader says it are `sure`; others only go along."""
    for at, one in enumerate(quotes):
        if at not in places:
            yield one
        else:
            yield _spoken_by(one, who) if at in sure else _heard(replace(one, speaker=who))


def _spoken_by(quote: Quote, who: str | None) -> Quote:
    return _heard(replace(quote, speaker=who, confidence=float(who is not None)))


def _heard(quote: Quote) -> Quote:
    return replace(quote, addressee=None) if quote.addressee == quote.speaker else quote


def _named(character: Character) -> Character:
    """Give a character who lost their display name in a split the next best name."""
    if character.name:
        return character
    if character.aliases:
        return replace(character, name=character.aliases[0].text)
    return replace(character, name="someone", aliases=(Alias("someone", 0, character.first),))


def _without_the_gone(after: Annotations, before: Annotations, who: str | None) -> Annotations:
    """Redirect what refers to characters who have no mention any more."""
    gone = {c.id for c in before.characters} - {c.id for c in after.characters}
    return repointed(after, after.characters, dict.fromkeys(gone, who)) if gone else after


def _tellers(annotations: Annotations, parts: Sequence[Span], who: str | None) -> tuple[Teller, ...]:
    """Return who tells which part of the book, when `who` tells these parts, or all of it."""
    before = annotations.tellers
    if not parts:
        return tuple(replace(t, character=who) for t in before) if who else ()
    if not before and annotations.narrator:
        ends = (span.end for span in (*parts, *(m.span for m in annotations.mentions)))
        before = (Teller(Span(0, max(ends)), annotations.narrator),)
    left = (replace(t, span=span) for t in before for span in _beside(t.span, parts))
    new = (Teller(span, who) for span in parts) if who else ()
    return tuple(sorted((*left, *new), key=lambda t: (t.span.start, t.span.end)))


def _beside(span: Span, parts: Iterable[Span]) -> Iterator[Span]:
    """Yield what is left of a span without these parts."""
    at = span.start
    for part in sorted(parts, key=lambda p: p.start):
        if at < part.start < span.end:
            yield Span(at, part.start)
        if part.start < span.end:
            at = max(at, part.end)
    if at < span.end:
        yield Span(at, span.end)


def _main(tellers: Sequence[Teller]) -> str | None:
    """Return who tells most of the book."""
    told = Counter[str]()
    for teller in tellers:
        told[teller.character] += len(teller.span)
    return told.most_common(1)[0][0] if told else None


def _is_first_person(mention: Mention) -> bool:
    return mention.kind is MentionKind.PRONOUN and word_of(mention.surface) == "i"
