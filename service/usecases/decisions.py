"""Corrections by readers: entries of the decision log of a book, which are validated and previewed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Final

from books.sampling import evenly
from coref.decisions.changes import AnnotationChanges, ReassignedSpan, changes
from coref.decisions.gating import gated, ids_until_named
from coref.decisions.log import Replayed, decided, former_names, replay, undone
from coref.decisions.reassigning import newcomer
from coref.decisions.types import Decision, DecisionKind
from coref.decisions.whom import sighted
from coref.errors import CharacterUnknown, DecisionInvalid
from coref.language.word_lists import same
from coref.lookup import find
from coref.types import Annotations, Character
from db.repositories import BookRepository, CharacterRepository, DecisionRepository, PortraitRepository
from db.types import RepeatableRequest
from service import spoiler_gate
from service.errors import IdempotencyKeyReused
from service.library import Library
from service.shelf import OpenBook, View
from service.usecases.given_texts import line
from service.usecases.places import Place, place

_EXAMPLES: Final = 8
_EXAMPLE_QUOTES: Final = 3
"""Maximum number of quotes in the examples if mentions are moved too."""


@dataclass(frozen=True, slots=True)
class Logged:
    """An entry of the log with readable names. Ids may belong to characters that no longer exist."""

    decision: Decision
    undone: bool
    in_effect: bool
    character: str | None
    """Name of the character; None if no character has that id any more."""
    other: str | None
    at: Place | None
    """The place of the first of its spans."""


def logged(library: Library, *, book_id: str) -> tuple[Logged, ...]:
    opened = library.open(book_id)
    if not opened.decisions:
        return ()
    entries = opened.log
    dead = undone(entries)
    idle = dead | _skipped(opened.replayed)
    names = {c.id: c.name for c in opened.annotations.characters} | former_names(opened.resolved, entries)

    def told(entry: Decision) -> Logged:
        who, other = (names.get(key or "") for key in (entry.character, entry.other))
        at = place(opened.book, entry.spans[0]) if entry.spans else None
        return Logged(entry, entry.number in dead, entry.number not in idle, who, other, at)

    return tuple(map(told, entries))


def decide(library: Library, *, book_id: str, wanted: Decision, key: str | None = None) -> Decision:
    """Appends a decision if it is valid for the book as it is now, and updates the names in the library.

    The book is locked in the meantime, so that of two contradictory decisions the second is refused. The
    number of `wanted` is ignored. If the same is wanted again with the same `key`, nothing is appended.
    """
    request = None if key is None else RepeatableRequest(key, _sha256(wanted))
    with library.services.database.session() as session:
        BookRepository(session).lock(library.book(book_id).id)
        if request is not None and (made := _made(DecisionRepository(session), book_id, request)):
            return made
        opened = library.open(book_id)
        wanted = _normalised(spoiler_gate.view(opened, None), wanted)
        repository = DecisionRepository(session)
        after = _after(opened, wanted)
        seen = replace(wanted, sightings=sighted(opened.resolved, wanted))
        decision = repository.append(book_id, seen, repeatable=request)
        CharacterRepository(session).replace(book_id, after.annotations.characters)
    return decision


def _sha256(wanted: Decision) -> str:
    """The hash of what a client sent, and so without sightings."""
    sent = {name: value for name, value in asdict(wanted).items() if name != "sightings"}
    return hashlib.sha256(json.dumps(sent, sort_keys=True).encode()).hexdigest()


def _made(log: DecisionRepository, book_id: str, request: RepeatableRequest) -> Decision | None:
    """Returns the decision that this request has made already. Names in it may mean others by now."""
    known = log.requested(book_id, key=request.key)
    if known is None:
        return None
    decision, before = known
    if before != request:
        raise IdempotencyKeyReused(f"Another correction, number {decision.number}, was sent with this key.")
    return decision


@dataclass(frozen=True, slots=True)
class Preview:
    """The effect of a decision, up to where the reader has read."""

    changes: AnnotationChanges
    examples: tuple[tuple[ReassignedSpan, Place], ...]
    """Some of the mentions and quotes that would be moved, spread over the book."""
    namesakes: tuple[Character, ...]
    """Others who would have the name that it gives."""
    without_effect: tuple[int, ...]
    """Earlier corrections that an undo would leave without effect."""
    answers: int
    """Number of stored answers about the book, which are generated again when they are next requested."""


def preview(library: Library, *, book_id: str, wanted: Decision, upto: str | None = None) -> Preview:
    """Raises the same errors as the decision itself. Nothing is stored. The number of `wanted` is ignored."""
    opened = library.open(book_id)
    view = spoiler_gate.view(opened, upto)
    wanted = _normalised(view, wanted)
    with library.services.database.session(read_only=True) as session:
        answers = PortraitRepository(session).count(book_id, decisions=opened.decisions)
    after = _after(opened, wanted)
    numbered = replace(wanted, number=opened.decisions + 1)
    replayed = partial(replay, opened.resolved, opened.book)
    seen = gated(
        after.annotations, (*opened.log, numbered), said=opened.first_said, replayed=replayed, upto=view.upto
    )
    found = changes(view.annotations, seen)
    idle = sorted(_skipped(after) - _skipped(opened.replayed))
    examples = ((handed, place(view.book, handed.span)) for handed in _spread(found.handed))
    namesakes = _namesakes(seen, numbered)
    return Preview(found, tuple(examples), namesakes, tuple(idle), answers)


def _normalised(view: View, wanted: Decision) -> Decision:
    """The decision with the ids of the characters that it gives by name or alias, and a name on one line.

    Raises DecisionInvalid.
    """
    name = wanted.name and line(wanted.name)
    if wanted.name and not name:
        raise DecisionInvalid("The name is blank.", remedy="Give a name that can be read.")
    return replace(wanted, character=_id(view, wanted.character), other=_id(view, wanted.other), name=name)


def _id(view: View, key: str | None) -> str | None:
    """The id of a character. A key of nobody stays as it is: the checks of the decision refuse it."""
    try:
        return key and find(view.annotations, key).id
    except CharacterUnknown:
        return ids_until_named(view.log).get(key or "", key)


def _after(opened: OpenBook, wanted: Decision) -> Replayed:
    """The annotations after the decision. Raises `DecisionInvalid`."""
    decision = replace(wanted, number=opened.decisions + 1)
    resolved, book = opened.resolved, opened.book
    if decision.revealed > len(book.text):
        detail = f"The book has only {len(book.text)} characters, so nothing is revealed after them."
        raise DecisionInvalid(detail, remedy="Give the span of the passage that reveals it.")
    return decided(opened.replayed, decision, opened.log, resolved=resolved, book=book)


def _namesakes(after: Annotations, decision: Decision) -> tuple[Character, ...]:
    """Those whom the book, or a reader, calls by the name that a decision gives somebody else."""
    new = newcomer(decision)
    if new is None and decision.kind is not DecisionKind.RENAME:
        return ()
    who, name = new.id if new else decision.character, same(decision.name or "")
    others = (c for c in after.characters if c.id != who)
    return tuple(c for c in others if name in map(same, (c.name, *(alias.text for alias in c.aliases))))


def _skipped(replayed: Replayed) -> frozenset[int]:
    return frozenset(skipped.decision.number for skipped in replayed.skipped)


def _spread(handed: Sequence[ReassignedSpan]) -> list[ReassignedSpan]:
    """Selects examples: names are preferred to pronouns, and quotes are shown together with mentions."""
    quotes = [h for h in handed if h.quote]
    mentions = [h for h in handed if not h.quote]
    named = [h for h in mentions if h.named] or mentions
    room = min(len(quotes), _EXAMPLES - min(len(named), _EXAMPLES - _EXAMPLE_QUOTES))
    chosen = [*evenly(named, _EXAMPLES - room), *evenly(quotes, room)]
    return sorted(chosen, key=lambda h: (h.span.start, h.span.end))
