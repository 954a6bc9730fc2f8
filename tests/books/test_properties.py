"""Invariants of any novel in any format; and what survives a conversion between formats."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings

from books.reading import read
from books.types import Book, ParagraphKind
from tests.books.laws import assert_lawful
from tests.books.novels import FORMATS, Chapter, Novel, as_docx, as_epub, as_html, as_markdown, novels

Write = Callable[[Novel], bytes]
MARKED_UP = pytest.mark.parametrize("write", [as_html, as_epub, as_docx], ids=["html", "epub", "docx"])


def one_line(text: str) -> str:
    return " ".join(text.split())


def told(book: Book) -> list[str]:
    """Return the paragraphs of the story, ignoring white space."""
    kept = (p for p in book.paragraphs if p.kind is not ParagraphKind.HEADING)
    return [one_line(book.slice(p.span)) for p in kept]


@pytest.mark.parametrize("format_", FORMATS)
@settings(max_examples=5)
@given(novel=novels())
def test_any_novel_in_any_format_is_read_lawfully_and_the_same_again(format_: str, novel: Novel) -> None:
    assert_read(format_, novel)


@pytest.mark.soak
@pytest.mark.parametrize("format_", FORMATS)
@settings(max_examples=15)
@given(novel=novels())
def test_many_novels_in_any_format_are_read_lawfully(format_: str, novel: Novel) -> None:
    assert_read(format_, novel)


def assert_read(format_: str, novel: Novel) -> None:
    data = FORMATS[format_](novel)
    book = read(data, force=True)
    assert book.report.format == format_
    assert_lawful(book)
    assert read(data, force=True) == book


@MARKED_UP
@settings(max_examples=5)
@given(novel=novels(chapters=2))
def test_marked_up_novels_keep_every_paragraph_and_chapter(write: Write, novel: Novel) -> None:
    assert_kept(write, novel)


@pytest.mark.soak
@MARKED_UP
@settings(max_examples=15)
@given(novel=novels(chapters=2))
def test_many_marked_up_novels_keep_every_paragraph_and_chapter(write: Write, novel: Novel) -> None:
    assert_kept(write, novel)


def assert_kept(write: Write, novel: Novel) -> None:
    book = read(write(novel), force=True)
    assert told(book) == [one_line(" ".join(lines)) for c in novel.chapters for lines in c.paragraphs]
    assert [chapter.title for chapter in book.chapters] == [c.heading.rstrip(".") for c in novel.chapters]


@settings(max_examples=8)
@given(novel=novels(chapters=2))
def test_text_to_epub_to_text_keeps_every_paragraph(novel: Novel) -> None:
    assert_kept_both_ways(novel)


@pytest.mark.soak
@settings(max_examples=25)
@given(novel=novels(chapters=2))
def test_many_texts_to_epub_to_text_keep_every_paragraph(novel: Novel) -> None:
    assert_kept_both_ways(novel)


def assert_kept_both_ways(novel: Novel) -> None:
    text = read(FORMATS["text"](novel), force=True)
    again = read(as_epub(as_novel(text)), force=True)
    assert told(again) == told(text)
    assert [one_line(c.title) for c in again.chapters] == [one_line(c.title) for c in text.chapters]


def as_novel(book: Book) -> Novel:
    chapters = []
    for chapter in book.chapters:
        kept = [p for p in book.paragraphs_of(chapter.index) if p.kind is not ParagraphKind.HEADING]
        lines = tuple(tuple(book.slice(p.span).split("\n")) for p in kept)
        chapters.append(Chapter(chapter.title, lines))
    return Novel(book.title, tuple(chapters))


def test_markdown_keeps_what_it_does_not_mean_otherwise() -> None:
    lines = (("It rained on the harbour, and *nobody* came, or so they said at the Quay. " * 4,),)
    novel = Novel("The Quay", tuple(Chapter(f"Chapter {n}", lines) for n in (1, 2)))
    book = read(as_markdown(novel))
    kept = "It rained on the harbour, and nobody came, or so they said at the Quay. " * 4
    assert told(book) == [kept.strip()] * 2
    assert [c.title for c in book.chapters] == ["Chapter 1", "Chapter 2"]
