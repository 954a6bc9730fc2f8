"""Everything the book says around one person: the sentences that mention them, coded, in story order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from weakref import WeakKeyDictionary

from books.types import Paragraph, Span
from coref.types import Character, Quote
from generation import sentences
from generation.cast import Cast
from generation.offline.slots import QUOTED, ROOM, Line, Slot, encode, part_of

_POSSESSIVE = ("’s ", "'s ")
_KEPT: WeakKeyDictionary[Cast, dict[str, View]] = WeakKeyDictionary()


def view_of(cast: Cast, character: Character) -> View:
    """One person's view of a cast, kept as long as the cast is."""
    mine = _KEPT.setdefault(cast, {})
    if character.id not in mine:
        mine[character.id] = View(cast, character)
    return mine[character.id]


class View:
    """One person's sentences."""

    def __init__(self, cast: Cast, character: Character) -> None:
        self.cast = cast
        self.character = character

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        return tuple(line for p in self.paragraphs for line in self._lines(p))

    @cached_property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        return tuple(self.cast.book.paragraphs[at] for at in self.cast.paragraphs_of(self.character.id))

    def _lines(self, paragraph: Paragraph) -> Iterator[Line]:
        quotes = self.cast.quotes_in(paragraph.span)
        slots = self._slots(paragraph, quotes)
        for span in sentences.split(self.cast.book.text, paragraph.span):
            inside = tuple(s for s in slots if span.covers(s.span))
            if any(s.target for s in inside) and len(inside) < ROOM:
                yield self._line(paragraph, span, inside, quotes)

    def _line(
        self, paragraph: Paragraph, span: Span, slots: tuple[Slot, ...], quotes: Sequence[Quote]
    ) -> Line:
        text = self.cast.book.text
        spoken = [q for q in quotes if q.span.overlaps(span)]
        hidden = tuple(q.span for q in spoken)
        silent = any(h.covers(span) for h in hidden)
        return Line(
            span=span,
            chapter=paragraph.chapter,
            paragraph=paragraph.index,
            narration=QUOTED if silent else encode(text, span, slots, hidden=hidden),
            speech=encode(text, span, slots) if spoken else None,
            speaker=spoken[0].speaker if spoken else None,
            slots=slots,
        )

    def _slots(self, paragraph: Paragraph, quotes: Sequence[Quote]) -> list[Slot]:
        text = self.cast.book.text
        slots: list[Slot] = []
        nearest: str | None = None
        for standing in self.cast.standing_in(paragraph.span):
            span, who = standing.span, standing.character
            part = part_of(span.of(text), text[span.end : span.end + 24])
            first = standing.pronoun and text[span.start] in "Im"
            sure = first or not standing.pronoun or nearest == who
            slots.append(Slot(span, who, who == self.character.id, part, sure, standing.pronoun))
            names = len(span) and not standing.pronoun and not text.startswith(_POSSESSIVE, span.end)
            if names and not any(q.span.covers(span) for q in quotes):
                nearest = who
        return slots
