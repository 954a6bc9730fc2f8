"""Books built by hand, small enough to follow, and their indexes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

import pytest

from books.types import Book, Chapter, ImportReport, Paragraph, ParagraphKind, Span
from coref.types import Alias, Annotations, Character, CharacterKind, Mention, MentionKind, Quote
from retrieval.index import BookIndex
from retrieval.protocols import Embedder
from retrieval.registry import make_embedder
from tests.novella import indexed

GARDEN = (
    (
        "The Garden",
        "Ann Lee was a tall girl with red hair. She lived beside the garden wall.",
        "The rain fell on the town all night, and nobody came.",
        "“I will dig the garden,” said Ann.",
        "Tom watched from the gate.",
    ),
    (
        "The Letter",
        "A letter came for Ann from her uncle, who kept bees in the hills.",
        "Tom looked at the letter. He seemed afraid of it.",
        "The bees slept. The hills were white.",
        "Lady Moor, for that was Ann now, burned the letter.",
    ),
)


def make_book(chapters: Sequence[Sequence[str]]) -> Book:
    """Make a book; each chapter is its heading and its paragraphs."""
    text, spans, starts = "", [], []
    for at, chapter in enumerate(chapters):
        starts.append(len(text))
        for n, paragraph in enumerate(chapter):
            kind = ParagraphKind.PROSE if n else ParagraphKind.HEADING
            spans.append((at, Span(len(text), len(text) + len(paragraph)), kind))
            text += paragraph + "\n\n"
    ends = [*starts[1:], len(text)]
    return Book(
        text=text,
        title="A Book",
        author=None,
        chapters=tuple(
            Chapter(i, c[0], Span(a, b))
            for i, (c, a, b) in enumerate(zip(chapters, starts, ends, strict=True))
        ),
        paragraphs=tuple(Paragraph(i, at, span, kind) for i, (at, span, kind) in enumerate(spans)),
        excluded=(),
        report=ImportReport("txt", "utf-8", "en", "headings"),
    )


def annotate(book: Book, people: dict[str, dict[str, MentionKind]]) -> Annotations:
    """Annotate a book: every occurrence of a person's words is a mention.

    The word after `said` names the speaker of a quote.
    """
    mentions = sorted(
        (
            Mention(Span(*found.span()), kind, who, found.group())
            for who, words in people.items()
            for word, kind in words.items()
            for found in re.finditer(rf"\b{re.escape(word)}\b", book.text)
        ),
        key=lambda m: m.key,
    )
    quotes = tuple(
        Quote(Span(found.start(1), found.end(1)), who, None, 1.0)
        for found in re.finditer(r"(“[^”]*”) said (\w+)", book.text)
        for who, words in people.items()
        if found.group(2) in words
    )
    return Annotations("hand/1", tuple(_character(who, mentions) for who in people), tuple(mentions), quotes)


def _character(who: str, mentions: Sequence[Mention]) -> Character:
    mine = [m for m in mentions if m.character == who]
    named = {m.surface: m.span.start for m in reversed(mine) if m.kind is MentionKind.PROPER}
    aliases = tuple(
        Alias(word, sum(m.surface == word for m in mine), first)
        for word, first in sorted(named.items(), key=lambda item: item[1])
    )
    first = mine[0].span.start if mine else 0
    return Character(who, next(iter(named), who), aliases, CharacterKind.PERSON, None, len(mine), first)


PEOPLE = {
    "ann": {"Ann Lee": MentionKind.PROPER, "Lady Moor": MentionKind.PROPER, "She": MentionKind.PRONOUN}
    | {"Ann": MentionKind.PROPER, "her": MentionKind.PRONOUN},
    "tom": {"Tom": MentionKind.PROPER, "He": MentionKind.PRONOUN},
}

Indexer = Callable[[Book], BookIndex]


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return make_embedder("hashing")


@pytest.fixture
def index_of(tmp_path: Path) -> Indexer:
    """Return a function that builds and opens an index, each in a folder of its own."""
    made = count()
    return lambda book: indexed(book, tmp_path / f"index-{next(made)}")


@pytest.fixture
def book() -> Book:
    return make_book(GARDEN)


@pytest.fixture
def annotations(book: Book) -> Annotations:
    return annotate(book, PEOPLE)


@pytest.fixture
def index(book: Book, index_of: Indexer) -> BookIndex:
    return index_of(book)
