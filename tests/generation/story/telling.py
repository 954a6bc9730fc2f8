"""Small books: people are marked by hand, and the shipped network parses them."""

from __future__ import annotations

from dataclasses import replace

from books.types import Book
from coref.types import Annotations, Mention, MentionKind
from generation.story.cast import cast_of
from generation.story.indexed_book import reading_of
from generation.story.ties import learnt_ties
from generation.story.types import Tie
from tests.generation.grammar import with_grammar
from tests.generation.novel import story


def tell(marked: str, **people: str) -> tuple[Book, Annotations]:
    """Build a book. Lower-case phrases such as `[her mother|ruth]` refer to people and are no names."""
    book, annotations = story(marked, **people)
    mentions = tuple(_as_said(book, mention) for mention in annotations.mentions)
    return with_grammar(book, replace(annotations, mentions=mentions))


def told_ties(marked: str, of: str, **people: str) -> tuple[Tie, ...]:
    return tuple(learnt_ties.ties(reading_of(cast_of(*tell(marked, **people))), of))


def ties(marked: str, of: str, **people: str) -> set[tuple[str, str | None]]:
    return {(tie.term, tie.other) for tie in told_ties(marked, of, **people)}


def _as_said(book: Book, mention: Mention) -> Mention:
    said = book.slice(mention.span)
    called = mention.kind is MentionKind.PROPER and said.split()[0].islower()
    return replace(mention, kind=MentionKind.NOMINAL if called else mention.kind, surface=said)
