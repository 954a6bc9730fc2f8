"""Which mentions of excerpts the resolver assigns to the right character, and what it knew of each.

Each excerpt is resolved as part of its novel, because a resolver knows more of a novel than of a few pages.
With LitBank's, which are beginnings, the novel is cut after some ten thousand words to save time. A character
is the gold entity that most of its mentions in the excerpt mean, names before all others. A mention is right
if its own entity is the same one. Mentions that the gold does not have at the same place are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from books.types import Book, Span, count_words
from coref.names.certainty import MentionFacts
from coref.native.mention_facts import facts_of
from coref.native.resolver import NativeResolver, assemble
from coref.training.litbank_quotations import Excerpt, LitbankPlace, excerpt, meant
from coref.types import EntityCategory

WORDS = 12_500
"""The number of words that are resolved. From 12,000 on the rules weigh as in a whole novel."""
_EDGES = re.compile(r"^\W+|\W+$")


@dataclass(frozen=True, slots=True)
class CertaintyLesson:
    """The mentions of one document that have a character and a gold entity."""

    name: str
    facts: tuple[MentionFacts, ...]
    right: tuple[bool, ...]


def lessons(
    resolver: NativeResolver, litbank: Path, novels: Path, names: Iterable[str], *, words: int = WORDS
) -> Iterator[CertaintyLesson]:
    for name in names:
        yield lesson(resolver, excerpt(litbank, novels, name.removesuffix("_brat")), words=words)


def lesson(resolver: NativeResolver, given: Excerpt, *, words: int = WORDS) -> CertaintyLesson:
    least = max((place.span.end for place in given.mentions), default=0)
    book = opening(given.book, words=words, least=least)
    return novel_lesson(resolver, given.name, book, [given.mentions])


def novel_lesson(
    resolver: NativeResolver, name: str, book: Book, excerpts: Sequence[Sequence[LitbankPlace]]
) -> CertaintyLesson:
    """Return the lesson of a novel's excerpts. The same entity in two of them need not be the same person."""
    ground, meaning = resolver.resolve(book)
    listed = {m.span for m in assemble(ground, meaning).mentions if m.character is not None}
    facts = facts_of(ground, meaning)
    ours = [s for s in meaning.sightings if s.at in facts and s.span in listed]
    told: list[tuple[MentionFacts, bool]] = []
    for places in excerpts:
        entities = meant(places, ground.tokens, ours)
        gold = _by_place(places, book)
        told += [
            (facts[s.at], entities.get(s.who) == place.entity)
            for s in ours
            if s.who is not None
            and s.category is EntityCategory.PERSON
            and (place := gold.get(trimmed(s.span, book))) is not None
        ]
    return CertaintyLesson(name, tuple(f for f, _ in told), tuple(right for _, right in told))


def opening(book: Book, *, words: int, least: int = 0) -> Book:
    """Return the beginning of a book up to the end of a paragraph, and at least up to the offset `least`."""
    seen = 0
    end = len(book.text)
    for paragraph in book.paragraphs:
        seen += count_words(book.slice(paragraph.span))
        if seen >= words and paragraph.span.end >= least:
            end = paragraph.span.end
            break
    chapters = [
        replace(c, span=Span(c.span.start, min(c.span.end, end))) for c in book.chapters if c.span.start < end
    ]
    return replace(
        book,
        text=book.text[:end],
        chapters=tuple(chapters),
        paragraphs=tuple(p for p in book.paragraphs if p.span.end <= end),
        excluded=tuple(e for e in book.excluded if e.span.end <= end),
        sha256="",
    )


def trimmed(span: Span, book: Book) -> Span:
    """Return the span from its first letter to its last, as LitBank's places are."""
    text = book.slice(span)
    bare = _EDGES.sub("", text)
    start = span.start + text.find(bare)
    return Span(start, start + len(bare)) if bare else span


def _by_place(mentions: Iterable[LitbankPlace], book: Book) -> dict[Span, LitbankPlace]:
    return {trimmed(m.span, book): m for m in mentions if m.person}
