"""Everything the book says around one person: the sentences that mention them, coded, in story order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from weakref import WeakKeyDictionary

from books.types import Paragraph, ParagraphKind, Span
from coref.types import Character, Quote
from generation import sentences
from generation.cast import Cast, Standing
from generation.names import agrees
from generation.offline.slots import QUOTED, ROOM, Line, Slot, encode, part_of

LOOK_BACK = 3
"""Paragraphs whose names a pronoun may still stand for."""
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
        self._names_by_paragraph: dict[int, list[str]] = {}

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
        names = self._names_before(paragraph)
        slots: list[Slot] = []
        for standing in self.cast.standing_in(paragraph.span):
            span, who = standing.span, standing.character
            surface = span.of(text)
            part = part_of(surface, text[span.end : span.end + 24])
            sure = not standing.pronoun or surface[0] in "Im" or self._nearest(names, surface) == who
            slots.append(Slot(span, who, who == self.character.id, part, sure, standing.pronoun))
            if self._names(standing, quotes):
                names.append(who)
        return slots

    def _names(self, standing: Standing, quotes: Sequence[Quote]) -> bool:
        """Whether a pronoun after it may mean it: a name of the narration that is no possessor."""
        span, text = standing.span, self.cast.book.text
        if standing.pronoun or text.startswith(_POSSESSIVE, span.end):
            return False
        return not any(q.span.covers(span) for q in quotes)

    def _names_before(self, paragraph: Paragraph) -> list[str]:
        """Those of the paragraphs before, when they are of the same chapter: the story goes on."""
        found: list[str] = []
        for at in range(max(0, paragraph.index - LOOK_BACK), paragraph.index):
            before = self.cast.book.paragraphs[at]
            if before.chapter == paragraph.chapter and before.kind is not ParagraphKind.HEADING:
                found += self._named_in(before)
        return found

    def _named_in(self, paragraph: Paragraph) -> list[str]:
        kept = self._names_by_paragraph
        if paragraph.index not in kept:
            quotes = self.cast.quotes_in(paragraph.span)
            standings = self.cast.standing_in(paragraph.span)
            kept[paragraph.index] = [s.character for s in standings if self._names(s, quotes)]
        return kept[paragraph.index]

    def _nearest(self, names: Sequence[str], pronoun: str) -> str | None:
        """The last name that a pronoun may stand for."""
        people = self.cast.by_id
        return next((who for who in reversed(names) if agrees(pronoun, people[who])), None)
