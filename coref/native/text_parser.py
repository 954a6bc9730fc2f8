"""Parses a text that is no book, such as one written about a book."""

from __future__ import annotations

from books.types import Book, Chapter, ImportReport, Paragraph, ParagraphKind, Span
from coref.language.lemmas import mended
from coref.language.syntax import Parse
from coref.language.tokens import tokenize
from coref.native.book_parser import parse_words
from coref.native.book_words import words_of
from coref.native.network import LiteraryNetwork
from coref.native.word_pieces import WordPieces


def parse_text(network: LiteraryNetwork, pieces: WordPieces, text: str) -> Parse:
    words = words_of(tokenize(as_book(text)), [])
    told = parse_words(network, pieces, [words.words[first:end] for first, end in words.sentences])
    return Parse(
        starts=words.starts,
        ends=words.ends,
        sentences=words.sentences,
        tags=told.tags,
        lemmas=mended(words.words, list(told.tags), list(told.lemmas)),
        heads=told.heads,
        relations=told.relations,
        events=told.events,
    )


def as_book(text: str) -> Book:
    """Return the text as a book. Each line is a paragraph, and no sentence extends beyond it."""
    lines: list[Paragraph] = []
    at = 0
    for line in text.split("\n"):
        lines.append(Paragraph(len(lines), 0, Span(at, at + len(line)), ParagraphKind.PROSE))
        at += len(line) + 1
    chapter = Chapter(0, "", Span(0, len(text)))
    return Book(text, "", None, (chapter,), tuple(lines), (), ImportReport("text", "utf-8", "en", "none"))
