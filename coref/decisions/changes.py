"""The differences between two states of one book's annotations, to preview a decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from books.types import Span
from coref.types import Annotations, Character, Doubt, MentionKind


@dataclass(frozen=True, slots=True)
class ReassignedSpan:
    """A mention that refers to somebody else now, or a quote with another speaker. None stands for nobody."""

    span: Span
    quote: bool
    was: Character | None
    becomes: Character | None
    named: bool = False
    """Whether the mention is more than a pronoun."""


@dataclass(frozen=True, slots=True)
class CharacterCount:
    name: str
    mentions: int
    quotes: int


@dataclass(frozen=True, slots=True)
class CharacterChange:
    """A character before and after. None means that there is no such character."""

    id: str
    before: CharacterCount | None
    after: CharacterCount | None


@dataclass(frozen=True, slots=True)
class AnnotationChanges:
    people: tuple[CharacterChange, ...]
    """Characters who appear, vanish, change name or counts, or give and receive equally many mentions."""
    handed: tuple[ReassignedSpan, ...]
    """Mentions in story order, then quotes."""
    narrator_before: Character | None
    narrator_after: Character | None
    doubts_gone: tuple[tuple[Character, Character], ...]
    doubts_back: tuple[tuple[Character, Character], ...]

    @property
    def mentions(self) -> int:
        return sum(not h.quote for h in self.handed)

    @property
    def quotes(self) -> int:
        return sum(h.quote for h in self.handed)


def changes(before: Annotations, after: Annotations) -> AnnotationChanges:
    """Compare two states with the same mentions and quotes in the same order."""
    old, new = _by_id(before), _by_id(after)
    handed = tuple(_handed(before, after, old, new))
    was, now = _counted(before), _counted(after)
    moved = {c.id for h in handed for c in (h.was, h.becomes) if c is not None}
    gone, back = _left(before.doubts, after.doubts), _left(after.doubts, before.doubts)
    return AnnotationChanges(
        people=tuple(
            CharacterChange(key, was.get(key), now.get(key))
            for key in {**was, **now}
            if key in moved or was.get(key) != now.get(key)
        ),
        handed=handed,
        narrator_before=old.get(before.narrator or ""),
        narrator_after=new.get(after.narrator or ""),
        doubts_gone=tuple((old[d.one], old[d.other]) for d in gone),
        doubts_back=tuple((new[d.one], new[d.other]) for d in back),
    )


def _by_id(annotations: Annotations) -> dict[str, Character]:
    return {c.id: c for c in annotations.characters}


def _counted(annotations: Annotations) -> dict[str, CharacterCount]:
    spoken = Counter(q.speaker for q in annotations.quotes)
    return {c.id: CharacterCount(c.name, c.mention_count, spoken[c.id]) for c in annotations.characters}


def _handed(
    before: Annotations, after: Annotations, old: Mapping[str, Character], new: Mapping[str, Character]
) -> Iterator[ReassignedSpan]:
    for was, now in zip(before.mentions, after.mentions, strict=True):
        if was.character != now.character:
            named = was.kind is not MentionKind.PRONOUN
            yield ReassignedSpan(
                was.span, False, old.get(was.character or ""), new.get(now.character or ""), named
            )
    for said, says in zip(before.quotes, after.quotes, strict=True):
        if said.speaker != says.speaker:
            yield ReassignedSpan(said.span, True, old.get(said.speaker or ""), new.get(says.speaker or ""))


def _left(these: Sequence[Doubt], others: Sequence[Doubt]) -> list[Doubt]:
    """Return the doubts that are not among the others.

    A doubt about a character who was merged into another is a doubt about that other now.
    """
    pairs = {frozenset((d.one, d.other)) for d in others}
    missing = [d for d in these if frozenset((d.one, d.other)) not in pairs]
    known = {frozenset((d.one, d.other)) for d in these}
    moved = Counter(_why(d) for d in others if frozenset((d.one, d.other)) not in known)
    left = []
    for doubt in missing:
        if moved[_why(doubt)]:
            moved[_why(doubt)] -= 1
        else:
            left.append(doubt)
    return left


def _why(doubt: Doubt) -> tuple[str, float | None, int]:
    return doubt.evidence, doubt.confidence, doubt.at
