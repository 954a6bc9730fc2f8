"""Books and annotations built by hand."""

from __future__ import annotations

import re

import pytest

from books.types import Book, Chapter, ImportReport, Paragraph, ParagraphKind, Span
from coref.census import recount
from coref.types import Alias, Annotations, Character, CharacterKind, Mention, MentionKind, Quote

STORY = """Chapter 1

Mrs. Hale opened the door. “Who is there?” she said.

I saw Tom Hale and the lamplighter. Tom waved to me.

Chapter 2

“I am Edward Vane,” said the lamplighter, and Mrs. Hale laughed at him.
"""


def make_book(text: str, *, title: str = "A Book") -> Book:
    """Make a book with paragraphs at blank lines. A line that starts with `Chapter` opens a chapter."""
    spans = [Span(m.start(), m.end()) for m in re.finditer(r"\S(?:.|\n(?!\s*\n))*", text)]
    heads = [s for s in spans if s.of(text).startswith("Chapter ")]
    starts = [s.start for s in heads] or [0]
    starts[0] = 0
    ends = [*starts[1:], len(text)]
    chapters = tuple(
        Chapter(i, Span(a, b).of(text).partition("\n")[0], Span(a, b))
        for i, (a, b) in enumerate(zip(starts, ends, strict=True))
    )
    paragraphs = tuple(
        Paragraph(
            i,
            next(c.index for c in chapters if c.span.covers(s)),
            s,
            ParagraphKind.HEADING if s in heads else ParagraphKind.PROSE,
        )
        for i, s in enumerate(spans)
    )
    return Book(text, title, None, chapters, paragraphs, (), ImportReport("txt", "utf-8", "en", "headings"))


def person(
    character_id: str, name: str, *, pronouns: str | None = None, role: str | None = None
) -> Character:
    aliases = (Alias(role, 1, 0),) if role else ()
    return Character(character_id, name, aliases, CharacterKind.PERSON, pronouns, 0, 0)


def mark(text: str, surface: str, who: str | None, kind: MentionKind, *, nth: int = 0) -> Mention:
    found = [m.start() for m in re.finditer(rf"\b{re.escape(surface)}\b", text)][nth]
    return Mention(Span(found, found + len(surface)), kind, who, surface)


@pytest.fixture
def book() -> Book:
    return make_book(STORY)


@pytest.fixture
def annotations(book: Book) -> Annotations:
    """Mrs. Hale, Tom, a lamplighter who turns out in chapter 2 to be Edward Vane, and an unknown narrator."""
    t, proper, nominal, pronoun = book.text, *MentionKind
    mentions = sorted(
        [
            mark(t, "Mrs. Hale", "hale", proper),
            mark(t, "she", "hale", pronoun),
            mark(t, "I", None, pronoun),
            mark(t, "Tom Hale", "tom", proper),
            mark(t, "the lamplighter", "vane", nominal),
            mark(t, "Tom", "tom", proper, nth=1),
            mark(t, "me", None, pronoun),
            mark(t, "I", "vane", pronoun, nth=1),
            mark(t, "Edward Vane", "vane", proper),
            mark(t, "the lamplighter", "vane", nominal, nth=1),
            mark(t, "Mrs. Hale", "hale", proper, nth=1),
            mark(t, "him", "vane", pronoun),
        ],
        key=lambda m: m.key,
    )
    quotes = tuple(
        Quote(Span(t.index(said), t.index(said) + len(said)), who, to, 0.9)
        for said, who, to in [("“Who is there?”", "hale", None), ("“I am Edward Vane,”", "vane", "hale")]
    )
    people = [
        person("hale", "Mrs. Hale", pronouns="she/her"),
        person("tom", "Tom", pronouns="he/him"),
        person("vane", "Edward Vane", pronouns="he/him", role="the lamplighter"),
    ]
    return Annotations("hand/1", recount(people, mentions), tuple(mentions), quotes)
