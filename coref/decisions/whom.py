"""Whom corrections mean after the book was read differently, or in another draft of it.

The id of a character is made of the name that the book first calls them by, so a better resolver may give it
to somebody else. A correction therefore keeps some of the places where the book names those whom it is about.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from books.sampling import evenly
from books.types import Span
from coref.decisions.types import Decision, DecisionKind, Sighting
from coref.language.word_lists import same
from coref.types import Annotations, Character, Mention, MentionKind

PLACES: Final = 50
"""Maximum number of places in a sighting."""
CHANGING: Final = (DecisionKind.MERGE, DecisionKind.SPLIT, DecisionKind.RENAME, DecisionKind.HIDE)
"""Decisions that change or remove a character: they do not pass to somebody of whom that was a small part."""


def sighting(character: Character, mentions: Sequence[Mention]) -> Sighting:
    """Return where the book names a character who has these mentions."""
    found = _naming(mentions)
    spans = [mention.span for mention in found or mentions]
    return Sighting(character.id, character.name, bool(found), len(spans), tuple(evenly(spans, PLACES)))


def _naming(mentions: Sequence[Mention]) -> list[Mention]:
    return [mention for mention in mentions if mention.kind is MentionKind.PROPER]


class Recognition:
    """Finds the characters of these annotations whom other annotations sighted."""

    def __init__(self, annotations: Annotations) -> None:
        self._annotations = annotations
        self._mentions: dict[str, list[Mention]] = defaultdict(list)
        self._ends: dict[int, str] = {}
        self._starts: dict[int, str] = {}
        self._spans: dict[Span, str] = {}
        for mention in annotations.mentions:
            if who := mention.character:
                self._mentions[who].append(mention)
                self._ends[mention.span.end] = self._starts[mention.span.start] = who
                self._spans[mention.span] = who

    def find(self, seen: Sighting) -> Character | None:
        """Return who is the same to every place, who has most of them, or the only one with the name."""
        one = self._annotations.character(seen.character)
        if one is not None and sighting(one, self._mentions[one.id]) == seen:
            return one
        holders = Counter(map(self._holder, seen.places))
        for key, count in holders.most_common(1):
            if key and 2 * count > len(seen.places):
                return self._annotations.character(key)
        found = [c for c in self._annotations.characters if same(c.name) == same(seen.name)]
        return found[0] if len(found) == 1 else None

    def is_whole(self, seen: Sighting, found: Character) -> bool:
        """Return whether who was sighted is not only a small part of `found`.

        They have one id or name, or `found` is mentioned at most twice as often.
        """
        if found.id == seen.character or same(found.name) == same(seen.name):
            return True
        mentions = self._mentions[found.id]
        return len(_naming(mentions) if seen.named else mentions) <= 2 * seen.count

    def _holder(self, place: Span) -> str | None:
        """Return whom a place means. Resolvers differ in whether a title belongs to a name."""
        return self._spans.get(place) or self._ends.get(place.end) or self._starts.get(place.start)


def sighted(resolved: Annotations, decision: Decision) -> tuple[Sighting, ...]:
    """Return where the book names those whom a decision is about.

    Somebody whom an earlier correction brought in has no places: the id is that correction's.
    """
    people = map(resolved.character, filter(None, (decision.character, decision.other)))
    return tuple(sighting(one, resolved.mentions_of(one.id)) for one in people if one)


def of_today(log: Sequence[Decision], resolved: Annotations) -> tuple[Decision, ...]:
    """Return the log with the ids that those whom it is about have in `resolved`.

    Who is not found has an id of nobody, so that the correction has no effect.
    """
    if not any(decision.sightings for decision in log):
        return tuple(log)
    recognition = Recognition(resolved)
    return tuple(_of_today(decision, recognition) for decision in log)


def _of_today(decision: Decision, recognition: Recognition) -> Decision:
    now = {seen.character: _key(seen, decision.kind, recognition) for seen in decision.sightings}
    one, other = (now.get(key or "", key) for key in (decision.character, decision.other))
    seen = tuple(replace(each, character=now[each.character]) for each in decision.sightings)
    return replace(decision, character=one, other=other, sightings=seen)


def _key(seen: Sighting, kind: DecisionKind, recognition: Recognition) -> str:
    found = recognition.find(seen)
    if found is None or (kind in CHANGING and not recognition.is_whole(seen, found)):
        return f"{seen.character}-before"
    return found.id
