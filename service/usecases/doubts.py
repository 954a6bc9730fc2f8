"""Who may be one and the same: for readers to decide, up to the spoiler gate."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from books.types import Span
from coref.types import Character, Doubt, Mention, MentionKind
from service.shelf import View
from service.usecases.places import Place, place


@dataclass(frozen=True, slots=True)
class Question:
    """Are they one? `one` is mentioned more, and would take in `other`."""

    one: Character
    other: Character
    doubt: Doubt
    one_at: Place
    """Where the book first calls each by a name, for a look at both."""
    other_at: Place

    @property
    def impact(self) -> int:
        """Mentions that would change hands if they were one."""
        return self.other.mention_count

    @property
    def weight(self) -> float:
        """Mentions that are expected to change hands: what an answer is worth."""
        return self.impact * self.doubt.confidence


def questions(view: View) -> tuple[Question, ...]:
    """What nobody has decided yet; first of all where most mentions are likely with the wrong person."""
    annotations = view.annotations
    rank = {c.id: number for number, c in enumerate(annotations.characters)}
    seen = _first_named(annotations.mentions, {who for d in annotations.doubts for who in (d.one, d.other)})
    found = []
    for doubt in annotations.doubts:
        one, other = (annotations.characters[at] for at in sorted((rank[doubt.one], rank[doubt.other])))
        places = (place(view.book, seen[who.id]) for who in (one, other))
        found.append(Question(one, other, doubt, *places))
    return tuple(sorted(found, key=lambda q: (-q.weight, rank[q.one.id], rank[q.other.id])))


def _first_named(mentions: Iterable[Mention], whom: Collection[str]) -> dict[str, Span]:
    """Where each is first called by a name; by a noun or pronoun, if they never are."""
    seen: dict[MentionKind, dict[str, Span]] = {kind: {} for kind in MentionKind}
    for mention in mentions:
        if mention.character is not None and mention.character in whom:
            seen[mention.kind].setdefault(mention.character, mention.span)
    return seen[MentionKind.PRONOUN] | seen[MentionKind.NOMINAL] | seen[MentionKind.PROPER]
