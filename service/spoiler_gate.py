"""Parses places, and `upto`, which hides the book after one: a chapter or a paragraph."""

from __future__ import annotations

import re

from books.types import Book, Chapter, Span
from service.errors import ChapterUnknown, GateInvalid
from service.shelf import OpenBook, View

_CHAPTER = re.compile(r"(?:ch(?:apter)?:)?(\d{1,6})")
_PARAGRAPH = re.compile(r"p(?:aragraph)?:(\d{1,9})")


def parse(book: Book, upto: str | None) -> int | None:
    """The end offset of a `part`."""
    return None if upto is None else part(book, upto).end


def part(book: Book, place: str) -> Span:
    """The span of `5` or `ch:5` (chapters count from 1), or of `p:120` (paragraphs count from 0)."""
    wanted = place.strip().lower()
    if match := _CHAPTER.fullmatch(wanted):
        return _chapter(book, int(match[1]))
    if match := _PARAGRAPH.fullmatch(wanted):
        return _paragraph(book, int(match[1]))
    if not wanted:
        raise GateInvalid("`upto` is empty.", remedy="Omit it for the whole book, or give a chapter: `5`.")
    raise GateInvalid(f"“{place}” is neither a chapter nor a paragraph.")


def view(opened: OpenBook, upto: str | None) -> View:
    return opened.view(parse(opened.book, upto))


def _chapter(book: Book, number: int) -> Span:
    if not 1 <= number <= len(book.chapters):
        raise GateInvalid(f"There is no chapter {number}. The book has {len(book.chapters)}.")
    return book.chapters[number - 1].span


def _paragraph(book: Book, index: int) -> Span:
    if index >= len(book.paragraphs):
        raise GateInvalid(f"There is no paragraph {index}. The book has {len(book.paragraphs)}.")
    return book.paragraphs[index].span


def chapter(view: View, number: int) -> Chapter:
    """A chapter of the visible part of a book, counted from 1."""
    there = view.book.chapters
    if 1 <= number <= len(there):
        return there[number - 1]
    if view.upto is None:
        raise ChapterUnknown(f"There is no chapter {number}. The book has {len(there)}.")
    raise GateInvalid(
        f"There is no chapter {number} in what you have read.",
        remedy="Choose a chapter that you have read, or give a later place as `upto`.",
    )
