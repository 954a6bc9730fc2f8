"""Possible duplicates and doubtful people among the characters, up to `upto`, for readers to resolve."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from books.types import Span
from coref.decisions.types import Decision, DecisionKind
from coref.doubtful_people import DoubtfulPerson, doubtful_people
from coref.types import Character, Doubt, Mention, MentionKind
from service.shelf import View
from service.usecases.places import Place, place


@dataclass(frozen=True, slots=True)
class Question:
    """Whether two characters are the same person. `one` has more mentions and would remain after a merge."""

    one: Character
    other: Character
    doubt: Doubt
    revealed: Span | None
    """The paragraph that gives reason to ask, if both were named before it: they may be two until there."""
    at: Place | None
    """The name that gives reason to ask; None if only the whole book does."""
    one_at: Place
    """The first place that uses a name of each."""
    other_at: Place

    @property
    def impact(self) -> int:
        """Number of mentions that a merge would move."""
        return self.other.mention_count

    @property
    def weight(self) -> float:
        """Expected number of mentions to move: the value of an answer. Without a likelihood, all of them."""
        return self.impact if self.doubt.confidence is None else self.impact * self.doubt.confidence


def questions(view: View) -> tuple[Question, ...]:
    """Unresolved questions, sorted by the expected number of wrongly assigned mentions."""
    annotations = view.annotations
    rank = {c.id: number for number, c in enumerate(annotations.characters)}
    seen = _first_named(annotations.mentions, {who for d in annotations.doubts for who in (d.one, d.other)})
    asked = {d.at for d in annotations.doubts}
    names = {m.span.end: m.span for m in annotations.mentions if m.span.end in asked}
    found = []
    for doubt in annotations.doubts:
        one, other = (annotations.characters[at] for at in sorted((rank[doubt.one], rank[doubt.other])))
        places = (place(view.book, seen[who.id]) for who in (one, other))
        there = view.book.paragraph_at(doubt.at - 1) if doubt.at else None
        revealed = at = None
        if there is not None:
            at = place(view.book, names.get(doubt.at, there.span))
            revealed = there.span if doubt.at > max(seen[one.id].end, seen[other.id].end) else None
        found.append(Question(one, other, doubt, revealed, at, *places))
    return tuple(sorted(found, key=lambda q: (-q.weight, rank[q.one.id], rank[q.other.id])))


@dataclass(frozen=True, slots=True)
class PersonQuestion:
    """Whether somebody whom the book hardly names is really one person."""

    character: Character
    doubtful: DoubtfulPerson
    at: Place
    """The first place that uses a name."""
    give_back: Decision
    """Lets their pronouns, and what they say, be nobody's who is listed."""


def person_questions(view: View) -> tuple[PersonQuestion, ...]:
    """Unresolved questions about single people, most pronouns first."""
    annotations = view.annotations
    doubtful = doubtful_people(annotations)
    seen = _first_named(annotations.mentions, doubtful)
    found = (
        PersonQuestion(
            character,
            doubtful[character.id],
            place(view.book, seen[character.id]),
            _giving_back(annotations.mentions_of(character.id)),
        )
        for character in annotations.characters
        if character.id in doubtful
    )
    return tuple(sorted(found, key=lambda q: -q.doubtful.pronouns))


def _giving_back(theirs: Iterable[Mention]) -> Decision:
    """The decision after which somebody's pronouns, with what they say, are nobody's who is listed."""
    pronouns = [m for m in theirs if m.kind is MentionKind.PRONOUN]
    spans = tuple(m.span for m in pronouns)
    return Decision(0, DecisionKind.MENTION, other=pronouns[0].character, spans=spans, pronouns=True)


def _first_named(mentions: Iterable[Mention], whom: Collection[str]) -> dict[str, Span]:
    """The first use of a name for each character; of a noun or pronoun, if they have no name."""
    seen: dict[MentionKind, dict[str, Span]] = {kind: {} for kind in MentionKind}
    for mention in mentions:
        if mention.character is not None and mention.character in whom:
            seen[mention.kind].setdefault(mention.character, mention.span)
    return seen[MentionKind.PRONOUN] | seen[MentionKind.NOMINAL] | seen[MentionKind.PROPER]
