"""Corrections of one draft of a book, made again in another draft."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from books.drafts import finder
from books.types import Span
from coref.decisions.log import standing
from coref.decisions.reassigning import newcomer
from coref.decisions.types import Decision, DecisionKind
from coref.errors import DecisionInvalid
from coref.language.word_lists import same
from coref.types import Annotations, Character
from service.library import Library
from service.usecases.decisions import Logged, decide, log, logged

_CHANGING: Final = (DecisionKind.MERGE, DecisionKind.SPLIT, DecisionKind.RENAME, DecisionKind.HIDE)
"""Decisions that change or remove a character, who must then have the same id or name."""


@dataclass(frozen=True, slots=True)
class NotCopied:
    """A correction of the other draft that was not made, or not everywhere, and the reason."""

    entry: Logged
    reason: str


def copy(library: Library, *, book_id: str, source: str) -> tuple[NotCopied, ...]:
    """Makes the corrections of the book `source` that are in effect in another draft of it.

    People are found by their ids or names, passages by their paragraphs. Nothing is made twice, even if it
    was undone in this draft.
    """
    old, new = library.open(source), library.open(book_id)
    people = _people(old.resolved, new.resolved)
    places = finder(old.book, new.book)
    known = log(library, book_id=book_id)
    there = {replace(d, number=0): d for d in (*known, *standing(known))}
    left = []
    for entry in logged(library, book_id=source):
        if not entry.in_effect or entry.decision.kind is DecisionKind.UNDO:
            continue
        try:
            wanted = _translated(entry, people, places)
            made = there.get(wanted) or decide(library, book_id=book_id, wanted=wanted)
        except DecisionInvalid as error:
            left.append(NotCopied(entry, error.detail))
            continue
        came, comes = newcomer(entry.decision), newcomer(made)
        if came and comes:
            people[came.id] = comes
        if lost := len(entry.decision.spans) - len(wanted.spans):
            left.append(NotCopied(entry, f"{lost} of its {len(entry.decision.spans)} passages were changed."))
    return tuple(left)


def _people(old: Annotations, new: Annotations) -> dict[str, Character]:
    pairs = ((one.id, _counterpart(one, new.characters)) for one in old.characters)
    return {key: found for key, found in pairs if found}


def _counterpart(one: Character, others: Sequence[Character]) -> Character | None:
    """The only one who has the id, or else the name, or else an alias like the name."""
    name = same(one.name)
    found = (
        [c for c in others if c.id == one.id]
        or [c for c in others if same(c.name) == name]
        or [c for c in others if any(same(alias.text) == name for alias in c.aliases)]
    )
    return found[0] if len(found) == 1 else None


def _translated(
    entry: Logged, people: Mapping[str, Character], places: Callable[[Span], Span | None]
) -> Decision:
    """The decision for the new draft, with the passages that are in it. Raises `DecisionInvalid`."""
    made = entry.decision
    for key, name in ((made.character, entry.character), (made.other, entry.other)):
        found = people.get(key or "")
        if key and found is None:
            raise DecisionInvalid(f"This draft has no character “{name or key}”.")
        if found and made.kind in _CHANGING and found.id != key and same(found.name) != same(name or ""):
            raise DecisionInvalid(f"In this draft “{name}” is only another name of {found.name}.")
    spans = tuple(span for each in made.spans if (span := places(each)))
    if made.spans and not spans:
        raise DecisionInvalid("Its passage was changed.")
    if made.revealed and not places(max(made.spans, key=lambda span: span.end)):
        raise DecisionInvalid("The last passage that reveals it was changed.")
    character, other = (people[key].id if key else None for key in (made.character, made.other))
    return replace(made, number=0, character=character, other=other, spans=spans)
