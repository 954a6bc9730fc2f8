"""Corrections of one draft of a book, made again in another draft."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from books.drafts import finder
from books.types import Span
from coref.decisions.log import standing
from coref.decisions.reassigning import newcomer
from coref.decisions.types import Decision, DecisionKind, Sighting
from coref.decisions.whom import CHANGING, Recognition, sighting
from coref.errors import DecisionInvalid
from coref.types import Annotations
from service.library import Library
from service.usecases.decisions import Logged, decide, logged


@dataclass(frozen=True, slots=True)
class NotCopied:
    """A correction of the other draft that was not made, or not everywhere, and the reason."""

    entry: Logged
    reason: str


def copy(library: Library, *, book_id: str, source: str) -> tuple[NotCopied, ...]:
    """Makes the corrections of the book `source` that are in effect in another draft of it.

    People are found by the places that name them, or by their names, and passages by their paragraphs.
    Nothing is made twice, even if it was undone in this draft.
    """
    old, new = library.open(source), library.open(book_id)
    places = finder(old.book, new.book)
    people = _People(old.resolved, new.resolved, places)
    there = {replace(d, number=0): d for d in (*new.log, *standing(new.log))}
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
            people.newcomers[came.id] = comes.id
        if lost := len(entry.decision.spans) - len(wanted.spans):
            left.append(NotCopied(entry, f"{lost} of its {len(entry.decision.spans)} passages were changed."))
    return tuple(left)


class _People:
    """Finds the characters of the other draft in this one."""

    def __init__(self, old: Annotations, new: Annotations, places: Callable[[Span], Span | None]) -> None:
        self._old = old
        self._now = Recognition(new)
        self._places = places
        self.newcomers: dict[str, str] = {}
        """The ids of those whom corrections brought in, in this draft."""

    def find(self, key: str | None, kind: DecisionKind, name: str | None) -> str | None:
        """The id of the character in this draft. Raises `DecisionInvalid`."""
        if key is None or key in self.newcomers:
            return self.newcomers.get(key or "")
        one = self._old.character(key)
        seen = None if one is None else self._moved(sighting(one, self._old.mentions_of(key)))
        found = None if seen is None else self._now.find(seen)
        if seen is None or found is None:
            raise DecisionInvalid(f"This draft has no character “{name or key}”.")
        if kind in CHANGING and not self._now.is_whole(seen, found):
            raise DecisionInvalid(f"In this draft “{name}” is only another name of {found.name}.")
        return found.id

    def _moved(self, seen: Sighting) -> Sighting:
        return replace(seen, places=tuple(place for each in seen.places if (place := self._places(each))))


def _translated(entry: Logged, people: _People, places: Callable[[Span], Span | None]) -> Decision:
    """The decision for the new draft, with the passages that are in it. Raises `DecisionInvalid`."""
    made = entry.decision
    character = people.find(made.character, made.kind, entry.character)
    other = people.find(made.other, made.kind, entry.other)
    spans = tuple(span for each in made.spans if (span := places(each)))
    if made.spans and not spans:
        raise DecisionInvalid("Its passage was changed.")
    if made.revealed and not places(max(made.spans, key=lambda span: span.end)):
        raise DecisionInvalid("The last passage that reveals it was changed.")
    return replace(made, number=0, character=character, other=other, spans=spans)
