"""Readers' corrections: a log of decisions that is replayed over the annotations of any resolver.

The log is append-only, and undoing is a decision too. Replaying is a pure function of annotations and log, so
that a better resolver of tomorrow still respects what a person decided today.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from books.types import Book
from coref.decisions import applying, reassigning
from coref.decisions.applying import existing
from coref.decisions.reassigning import handed, meant, newcomer, telling
from coref.decisions.types import Decision, DecisionKind, SkippedDecision
from coref.errors import DecisionInvalid
from coref.types import Annotations, Character, MentionKind

NAME_LIMIT = 200
"""Maximum number of characters in a name that a reader gives."""
_LOG = "List the book's corrections again to see their numbers and which of them are undone."
_MENTIONS = "Give names that the book uses for that character, or spans in which it mentions them."
_OTHER = "Give as `other` (`--other`) who they refer to so far; leave it out if that is nobody in the list."
_QUOTES = "Give the whole span of each quote, as the book's chapters list them."


@dataclass(frozen=True, slots=True)
class Replayed:
    annotations: Annotations
    skipped: tuple[SkippedDecision, ...]
    """Decisions that no longer fit: what they correct came with one that was undone, or a better resolver
    found other characters."""


def replay(annotations: Annotations, book: Book, log: Sequence[Decision]) -> Annotations:
    """Return the annotations as corrected by readers. Decisions that no longer fit are skipped."""
    return replay_with_report(annotations, book, log).annotations


def replay_with_report(annotations: Annotations, book: Book, log: Sequence[Decision]) -> Replayed:
    """Replay the log like `replay`, and report the skipped decisions."""
    return _carried_out(_with_surfaces(annotations, book) if log else annotations, (), standing(log))


def replay_on(
    current: Replayed, log: Sequence[Decision], *, done: int, resolved: Annotations, book: Book
) -> Replayed:
    """Replay the whole log on `resolved`, given that `current` contains its first `done` entries."""
    further = log[done:]
    if done > len(log) or any(decision.kind is DecisionKind.UNDO for decision in further):
        return replay_with_report(resolved, book, log)
    state = current.annotations
    found = _carried_out(_with_surfaces(state, book) if further else state, standing(log[:done]), further)
    return replace(found, skipped=(*current.skipped, *found.skipped))


def _carried_out(state: Annotations, earlier: Sequence[Decision], decisions: Sequence[Decision]) -> Replayed:
    skipped: list[SkippedDecision] = []
    for at, decision in enumerate(decisions):
        before = (*earlier, *decisions[:at])
        meant = _about_the_one(state, decision, before)
        try:
            _CHECKS[decision.kind](state, meant)
            state = _done(state, meant, before)
        except DecisionInvalid as error:
            skipped.append(SkippedDecision(decision, error.detail))
    return Replayed(state, tuple(skipped))


def _about_the_one(state: Annotations, decision: Decision, earlier: Iterable[Decision]) -> Decision:
    """Return the decision with whoever two have turned out to be.

    Who has not read that far decides about the two. That one of them is called something, or is no
    character, is not said of the other.
    """
    if decision.kind in (DecisionKind.RENAME, DecisionKind.HIDE):
        return decision
    merges = [d for d in earlier if d.kind is DecisionKind.MERGE]
    moves, secret = {d.other: d.character for d in merges}, {d.other for d in merges if d.revealed}

    def now(key: str | None) -> str | None:
        gone = key in secret
        while gone and key in moves and state.character(key or "") is None:
            key = moves.pop(key)
        return key

    return replace(decision, character=now(decision.character), other=now(decision.other))


def _done(state: Annotations, decision: Decision, earlier: Iterable[Decision]) -> Annotations:
    """Apply a decision. A name that a reader gave stays, even if a split takes its words away."""
    after = _ACTIONS[decision.kind](state, decision)
    if decision.kind is not DecisionKind.SPLIT:
        return after
    given = [d for d in earlier if d.kind is DecisionKind.RENAME and d.character == decision.character]
    return applying.rename(after, given[-1]) if given else after


def standing(log: Sequence[Decision]) -> tuple[Decision, ...]:
    """Return the decisions that count, in order: neither undone nor undoing. An undo can be undone."""
    dead = undone(log)
    kept = (d for d in log if d.kind is not DecisionKind.UNDO and d.number not in dead)
    return tuple(sorted(kept, key=lambda d: d.number))


def former_names(resolved: Annotations, log: Sequence[Decision]) -> dict[str, str]:
    """Return the name of everybody by id, before they were renamed, merged or removed."""
    seen = {s.character: s.name for decision in log for s in decision.sightings}
    found = seen | {c.id: c.name for c in resolved.characters}
    return found | {new.id: new.name for new in map(newcomer, log) if new}


def undone(log: Sequence[Decision]) -> frozenset[int]:
    """Return the numbers of undone decisions, including undone undos."""
    dead: set[int] = set()
    for decision in sorted(log, key=lambda d: d.number, reverse=True):
        undoes = decision.undoes if decision.kind is DecisionKind.UNDO else None
        if undoes is not None and decision.number not in dead:
            dead.add(undoes)
    return frozenset(dead)


def check(annotations: Annotations, decision: Decision, log: Sequence[Decision]) -> None:
    """Raise `DecisionInvalid` unless `decision` makes sense now.

    `annotations` are the current ones, with `log` already replayed.
    """
    if decision.kind is DecisionKind.UNDO:
        _check_undo(decision, log)
    else:
        _CHECKS[decision.kind](annotations, decision)


def decided(
    current: Replayed, decision: Decision, log: Sequence[Decision], *, resolved: Annotations, book: Book
) -> Replayed:
    """Apply `decision` to `current`, which is `resolved` with `log` replayed.

    The result is the same as that of replaying the whole log. Raises `DecisionInvalid`.
    """
    if decision.kind is DecisionKind.UNDO:
        _check_undo(decision, log)
        return replay_with_report(resolved, book, (*log, decision))
    decision = _about_the_one(current.annotations, decision, standing(log))
    _check_left(current, decision, log, resolved)
    check(current.annotations, decision, log)
    after = _done(_with_surfaces(current.annotations, book), decision, standing(log))
    _check_rest(after, decision)
    return Replayed(after, current.skipped)


def _with_surfaces(annotations: Annotations, book: Book) -> Annotations:
    """Fill in missing surfaces from the book, because decisions select mentions by their text."""
    if all(m.surface for m in annotations.mentions):
        return annotations
    return replace(
        annotations, mentions=tuple(replace(m, surface=book.slice(m.span)) for m in annotations.mentions)
    )


# Checks


def _check_left(
    current: Replayed, decision: Decision, log: Sequence[Decision], resolved: Annotations
) -> None:
    """Raise `DecisionInvalid` with the correction that took a character away, if there is one."""
    skipped = {s.decision.number for s in current.skipped}
    names = former_names(resolved, log)
    for key in filter(None, (decision.character, decision.other)):
        if key not in names or current.annotations.character(key) is not None:
            continue
        for earlier in (d for d in standing(log) if d.number not in skipped):
            number, into = earlier.number, names.get(earlier.character or "", earlier.character)
            remedy = f"Undo correction {number}, or choose one of the characters that are there now."
            if earlier.kind is DecisionKind.MERGE and earlier.other == key:
                detail = f"{names[key]} was merged into {into} by correction {number}."
                raise DecisionInvalid(detail, remedy=remedy)
            if earlier.kind is DecisionKind.HIDE and earlier.character == key:
                raise DecisionInvalid(f"{names[key]} was removed by correction {number}.", remedy=remedy)


def _check_rest(after: Annotations, decision: Decision) -> None:
    """Refuse a split that leaves only pronouns, unless to a narrator. One in an old log still counts."""
    rest = after.character(decision.character or "") if decision.kind is DecisionKind.SPLIT else None
    if rest is None or rest.id in {after.narrator, *(teller.character for teller in after.tellers)}:
        return
    if all(m.kind is MentionKind.PRONOUN for m in after.mentions_of(rest.id)):
        detail = "The split takes every name, and would leave somebody who has only pronouns."
        raise DecisionInvalid(detail, remedy="Rename the character instead, or leave one of the names.")


def _check_character(annotations: Annotations, decision: Decision) -> None:
    existing(annotations, decision.character)


def _check_name(decision: Decision) -> None:
    if not decision.name or not decision.name.strip():
        raise DecisionInvalid("The name is missing.", remedy="Give it as `name`.")
    if len(decision.name) > NAME_LIMIT:
        raise DecisionInvalid(f"A name has at most {NAME_LIMIT} characters.", remedy="Shorten it.")


def _check_merge(annotations: Annotations, decision: Decision) -> None:
    existing(annotations, decision.character)
    existing(annotations, decision.other, field="other")
    if decision.character == decision.other:
        raise DecisionInvalid("A character cannot be merged with itself.", remedy="Give two characters.")


def _check_dismiss(annotations: Annotations, decision: Decision) -> None:
    one = existing(annotations, decision.character)
    if decision.other is None:
        if one.id in annotations.confirmed:
            raise DecisionInvalid(f"It is settled that {one.name} is one person.", remedy=_LOG)
        return
    other = existing(annotations, decision.other, field="other")
    if not any({d.one, d.other} == {one.id, other.id} for d in annotations.doubts):
        detail = f"There is no doubt whether {one.name} and {other.name} are one."
        raise DecisionInvalid(detail, remedy="Give a pair from the book's possible duplicates.")


def _check_rename(annotations: Annotations, decision: Decision) -> None:
    existing(annotations, decision.character)
    _check_name(decision)


def _check_split(annotations: Annotations, decision: Decision) -> None:
    character = existing(annotations, decision.character)
    _check_name(decision)
    moved = handed(annotations, decision).mentions
    _check_moved(moved, character)
    if len(moved) == character.mention_count:
        raise DecisionInvalid(f"{character.name} would have no mentions left. Rename the character instead.")


def _check_moved(moved: Collection[int], character: Character | None) -> None:
    if not moved:
        whose = f"No mention of {character.name}" if character else "No mention of somebody who is not listed"
        raise DecisionInvalid(f"{whose} has any of these names or lies at these spans.", remedy=_MENTIONS)


def _check_target(annotations: Annotations, decision: Decision) -> None:
    if decision.character is not None:
        existing(annotations, decision.character)
    elif decision.name is not None:
        _check_name(decision)


def _check_mention(annotations: Annotations, decision: Decision) -> None:
    _check_target(annotations, decision)
    whose = existing(annotations, decision.other) if decision.other is not None else None
    held = {annotations.mentions[at].character for at in meant(annotations, decision)}
    same_one = decision.character == decision.other or held == {decision.character}
    if newcomer(decision) is None and same_one:
        who = annotations.character(decision.character or "")
        name = who.name if who else "nobody who is listed"
        raise DecisionInvalid(f"These mentions refer to {name} already.", remedy="Choose somebody else.")
    if held and decision.other not in held:
        # Not to whom: they may bear a name that the reader has not come to.
        raise DecisionInvalid("These mentions refer to somebody else now.", remedy=_OTHER)
    _check_moved(handed(annotations, decision).mentions, whose)


def _check_narrator(annotations: Annotations, decision: Decision) -> None:
    _check_target(annotations, decision)
    if (decision.spans or newcomer(decision)) and next(telling(annotations, decision), None) is None:
        raise DecisionInvalid("Nobody says “I” outside quotes there.", remedy="Give other `spans`, or none.")


def _check_speaker(annotations: Annotations, decision: Decision) -> None:
    if decision.character is not None:
        existing(annotations, decision.character)
    if not decision.spans:
        raise DecisionInvalid("The spans of quotes are needed to set their speaker.", remedy=_QUOTES)
    strays = set(decision.spans) - {q.span for q in annotations.quotes}
    if strays:
        stray = min(strays, key=lambda span: (span.start, span.end))
        raise DecisionInvalid(f"There is no quote from {stray.start} to {stray.end}.", remedy=_QUOTES)


def _check_undo(decision: Decision, log: Sequence[Decision]) -> None:
    if decision.undoes is None:
        raise DecisionInvalid("The number of the decision to undo is missing.", remedy="Give it as `undoes`.")
    if not any(d.number == decision.undoes for d in log):
        raise DecisionInvalid(f"There is no correction {decision.undoes} to undo.", remedy=_LOG)
    if decision.undoes in undone(log):
        raise DecisionInvalid(f"Decision {decision.undoes} has been undone already.", remedy=_LOG)


_CHECKS: Mapping[DecisionKind, Callable[[Annotations, Decision], None]] = {
    DecisionKind.MERGE: _check_merge,
    DecisionKind.SPLIT: _check_split,
    DecisionKind.RENAME: _check_rename,
    DecisionKind.HIDE: _check_character,
    DecisionKind.NARRATOR: _check_narrator,
    DecisionKind.SPEAKER: _check_speaker,
    DecisionKind.MENTION: _check_mention,
    DecisionKind.DISMISS: _check_dismiss,
}
_ACTIONS: Mapping[DecisionKind, Callable[[Annotations, Decision], Annotations]] = {
    DecisionKind.MERGE: applying.merge,
    DecisionKind.SPLIT: reassigning.split,
    DecisionKind.RENAME: applying.rename,
    DecisionKind.HIDE: applying.hide,
    DecisionKind.NARRATOR: reassigning.narrator,
    DecisionKind.SPEAKER: reassigning.speaker,
    DecisionKind.MENTION: reassigning.mention,
    DecisionKind.DISMISS: applying.dismiss,
}
