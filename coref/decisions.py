"""What readers correct: a log of decisions that is replayed over whatever a resolver says.

The log is append-only; undoing is a decision too. Replaying is a pure function of annotations and log, so a
better resolver tomorrow still respects what a person said today.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from books.types import Book, Span
from coref.census import make_id, pronouns_of, recount
from coref.errors import DecisionInvalid
from coref.following import moved, parted, retold
from coref.types import Alias, Annotations, Character, Mention, MentionKind, Merge, Quote
from coref.words import plain, same, table

_FIRST_PERSON = frozenset(("i", "me", "my", "mine", "myself"))
BY_READER = "a reader says so"
"""The evidence for a merge that somebody decided."""
NAME_LIMIT = 200
"""Characters in a name that a reader gives."""


class DecisionKind(StrEnum):
    MERGE = "merge"
    SPLIT = "split"
    RENAME = "rename"
    HIDE = "hide"
    NARRATOR = "narrator"
    DISMISS = "dismiss"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Decision:
    """One entry of the log. Which fields matter depends on the kind:

    merge: `character` takes in `other`; split: the mentions that say one of `aliases`, or that lie at one of
    `spans`, leave `character` for a new one called `name` (a span that is a quote moves its speaker);
    rename: `character` is shown as `name`; hide: `character` is not a character; narrator: "I" outside quotes
    is `character`; dismiss: there is no doubt any more whether `character` and `other` are one, they are two;
    undo: the decision with number `undoes` no longer counts.
    """

    number: int
    """Position in the book's log, from 1."""
    kind: DecisionKind
    character: str | None = None
    other: str | None = None
    name: str | None = None
    aliases: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    undoes: int | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A decision that could not be carried out on these annotations, and why."""

    decision: Decision
    reason: str


@dataclass(frozen=True, slots=True)
class Replayed:
    annotations: Annotations
    skipped: tuple[Skipped, ...]
    """Decisions that no longer fit, for example because a better resolver found other characters."""


def replay(annotations: Annotations, book: Book, log: Sequence[Decision]) -> Annotations:
    """The annotations as readers have corrected them; decisions that no longer fit are passed over."""
    return replay_with_report(annotations, book, log).annotations


def replay_with_report(annotations: Annotations, book: Book, log: Sequence[Decision]) -> Replayed:
    """Like `replay`, and says which decisions were passed over."""
    skipped: list[Skipped] = []
    state = _with_surfaces(annotations, book) if log else annotations
    for decision in standing(log):
        try:
            _CHECKS[decision.kind](state, decision)
            state = _ACTIONS[decision.kind](state, decision)
        except DecisionInvalid as error:
            skipped.append(Skipped(decision, error.detail))
    return Replayed(state, tuple(skipped))


def standing(log: Sequence[Decision]) -> tuple[Decision, ...]:
    """The decisions that still count, in order: neither undone nor undoing. An undo can be undone."""
    dead: set[int | None] = set()
    kept = []
    for decision in sorted(log, key=lambda d: d.number, reverse=True):
        if decision.number in dead:
            continue
        if decision.kind is DecisionKind.UNDO:
            dead.add(decision.undoes)
        else:
            kept.append(decision)
    return tuple(reversed(kept))


def check(annotations: Annotations, decision: Decision, log: Sequence[Decision]) -> None:
    """Raises `DecisionInvalid` unless `decision` makes sense now.

    `annotations` are the current ones, with `log` already replayed.
    """
    if decision.kind is DecisionKind.UNDO:
        _check_undo(decision, log)
    else:
        _CHECKS[decision.kind](annotations, decision)


def _with_surfaces(annotations: Annotations, book: Book) -> Annotations:
    """Decisions go by what mentions say, so mentions whose words were not kept get them from the book."""
    if all(m.surface for m in annotations.mentions):
        return annotations
    return replace(
        annotations, mentions=tuple(replace(m, surface=book.slice(m.span)) for m in annotations.mentions)
    )


# Checks


def _existing(annotations: Annotations, character_id: str | None) -> Character:
    character = annotations.character(character_id) if character_id else None
    if character is None:
        raise DecisionInvalid(f"There is no character {character_id!r}.")
    return character


def _check_character(annotations: Annotations, decision: Decision) -> None:
    _existing(annotations, decision.character)


def _check_name(decision: Decision) -> None:
    if not decision.name or not decision.name.strip():
        raise DecisionInvalid(f"To {decision.kind.value} a character takes a name.")
    if len(decision.name) > NAME_LIMIT:
        raise DecisionInvalid(f"A name has at most {NAME_LIMIT} characters.")


def _check_merge(annotations: Annotations, decision: Decision) -> None:
    _existing(annotations, decision.character)
    _existing(annotations, decision.other)
    if decision.character == decision.other:
        raise DecisionInvalid("A character cannot be merged with itself.")


def _check_dismiss(annotations: Annotations, decision: Decision) -> None:
    one, other = _existing(annotations, decision.character), _existing(annotations, decision.other)
    if not any({d.one, d.other} == {one.id, other.id} for d in annotations.doubts):
        raise DecisionInvalid(f"There is no doubt whether {one.name} and {other.name} are one.")


def _check_rename(annotations: Annotations, decision: Decision) -> None:
    _existing(annotations, decision.character)
    _check_name(decision)


def _check_split(annotations: Annotations, decision: Decision) -> None:
    character = _existing(annotations, decision.character)
    _check_name(decision)
    moved = sum(_leaves(decision, m) for m in annotations.mentions)
    if not moved:
        raise DecisionInvalid(
            f"No mention of {character.name} says any of these names or lies at these spans."
        )
    if moved == character.mention_count:
        raise DecisionInvalid(f"Every mention would leave {character.name}: rename the character instead.")


def _check_undo(decision: Decision, log: Sequence[Decision]) -> None:
    if not any(d.number == decision.undoes for d in log):
        raise DecisionInvalid(f"There is no decision {decision.undoes} to undo.")
    dead: set[int | None] = set()
    for entry in sorted(log, key=lambda d: d.number, reverse=True):
        if entry.kind is DecisionKind.UNDO and entry.number not in dead:
            dead.add(entry.undoes)
    if decision.undoes in dead:
        raise DecisionInvalid(f"Decision {decision.undoes} is undone already.")


# Actions


def _merge(annotations: Annotations, decision: Decision) -> Annotations:
    one, other = _existing(annotations, decision.character), _existing(annotations, decision.other)
    joined = replace(one, aliases=one.aliases + other.aliases, pronouns=one.pronouns or other.pronouns)
    characters = [joined if c.id == one.id else c for c in annotations.characters if c.id != other.id]
    said = replace(
        annotations, merges=(*annotations.merges, Merge(one.id, one.name, other.name, 1.0, BY_READER))
    )
    return _repointed(said, characters, {other.id: one.id})


def _split(annotations: Annotations, decision: Decision) -> Annotations:
    old = _existing(annotations, decision.character)
    name = plain(decision.name or "")
    new_id = make_id(name, f"split {decision.number}")
    mentions = tuple(
        replace(m, character=new_id) if _leaves(decision, m) else m for m in annotations.mentions
    )
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


def _leaves(decision: Decision, mention: Mention) -> bool:
    if mention.character != decision.character:
        return False
    names = {same(a) for a in decision.aliases}
    return mention.span in decision.spans or (
        mention.kind is not MentionKind.PRONOUN and same(mention.surface) in names
    )


def _named(character: Character) -> Character:
    """Whoever lost their display name in a split is shown under the next best."""
    if character.name:
        return character
    if character.aliases:
        return replace(character, name=character.aliases[0].text)
    return replace(character, name="someone", aliases=(Alias("someone", 0, character.first),))


def _rename(annotations: Annotations, decision: Decision) -> Annotations:
    name = " ".join((decision.name or "").split())  # as the reader writes it
    characters = [replace(c, name=name) if c.id == decision.character else c for c in annotations.characters]
    return _repointed(annotations, characters, {})


def _hide(annotations: Annotations, decision: Decision) -> Annotations:
    hidden = _existing(annotations, decision.character).id
    characters = [c for c in annotations.characters if c.id != hidden]
    return _repointed(annotations, characters, {hidden: None})


def _narrator(annotations: Annotations, decision: Decision) -> Annotations:
    teller = _existing(annotations, decision.character).id
    said = _outside(annotations.quotes)
    mentions = tuple(
        replace(m, character=teller) if _is_first_person(m) and said(m) else m for m in annotations.mentions
    )
    after = replace(
        annotations, characters=recount(annotations.characters, mentions), mentions=mentions, narrator=teller
    )
    gone = {c.id for c in annotations.characters} - {c.id for c in after.characters}
    return _repointed(retold(after, annotations, teller), after.characters, dict.fromkeys(gone, teller))


def _dismiss(annotations: Annotations, decision: Decision) -> Annotations:
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
    """All that pointed at one character points at another, or at nobody, and the counts follow."""

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


_CHECKS: Mapping[DecisionKind, Callable[[Annotations, Decision], None]] = {
    DecisionKind.MERGE: _check_merge,
    DecisionKind.SPLIT: _check_split,
    DecisionKind.RENAME: _check_rename,
    DecisionKind.HIDE: _check_character,
    DecisionKind.NARRATOR: _check_character,
    DecisionKind.DISMISS: _check_dismiss,
}
_ACTIONS: Mapping[DecisionKind, Callable[[Annotations, Decision], Annotations]] = {
    DecisionKind.MERGE: _merge,
    DecisionKind.SPLIT: _split,
    DecisionKind.RENAME: _rename,
    DecisionKind.HIDE: _hide,
    DecisionKind.NARRATOR: _narrator,
    DecisionKind.DISMISS: _dismiss,
}
