"""A chapter to read: its paragraphs with mentions and speakers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from books.types import Book, Chapter, Paragraph, Span
from coref.types import EntityCategory, Mention, MentionKind, Quote
from service import spoiler_gate
from service.shelf import View

M = TypeVar("M", Mention, Quote)
_AROUND = 20_000
"""Maximum distance before a paragraph of the start of a quote that reaches into it."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A paragraph with its mentions and quotes, with offsets in the book."""

    paragraph: Paragraph
    mentions: tuple[Mention, ...]
    unlisted: tuple[Mention, ...]
    """Mentions of people who are not listed."""
    things: tuple[Mention, ...]
    """Names that are taken for those of places or things."""
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    book: Book
    chapter: Chapter
    paragraphs: tuple[Marked, ...]


def leaf(view: View, *, number: int) -> Leaf:
    """`number` counts from 1. A chapter after `upto` raises an error."""
    chapter = spoiler_gate.chapter(view, number)
    known = {character.id for character in view.annotations.characters}
    mentions = list(_within(view.annotations.mentions, chapter.span))
    listed = [m for m in mentions if m.character in known]
    unlisted = [m for m in mentions if m.character is None and m.category is EntityCategory.PERSON]
    things = [
        m
        for m in mentions
        if m.character is None and m.kind is MentionKind.PROPER and m.category is not EntityCategory.PERSON
    ]
    quotes = list(_within(view.annotations.quotes, chapter.span))
    found = [p for p in view.book.paragraphs if p.chapter == chapter.index]
    return Leaf(view.book, chapter, tuple(_marked(p, (listed, unlisted, things), quotes) for p in found))


def _marked(paragraph: Paragraph, sorts: Iterable[Sequence[Mention]], quotes: Sequence[Quote]) -> Marked:
    listed, unlisted, things = (
        tuple(m for m in _within(mentions, paragraph.span) if paragraph.span.covers(m.span))
        for mentions in sorts
    )
    return Marked(paragraph, listed, unlisted, things, tuple(_within(quotes, paragraph.span)))


def _within(marks: Sequence[M], span: Span) -> Iterator[M]:
    """The marks that overlap a span. They must be sorted by start."""
    for mark in marks[bisect_left(marks, span.start - _AROUND, key=_start) :]:
        if mark.span.start >= span.end:
            return
        if mark.span.end > span.start:
            yield mark


def _start(mark: Mention | Quote) -> int:
    return mark.span.start
