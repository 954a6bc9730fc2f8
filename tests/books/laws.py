"""Invariants of every book, whatever its format."""

from __future__ import annotations

from itertools import pairwise

from books.types import Book


def assert_lawful(book: Book) -> None:
    _chapters_tile(book)
    _paragraphs_lie_in_their_chapters(book)
    _exclusions_cross_no_paragraph(book)
    _nothing_is_lost(book)
    _marks_lie_in_paragraphs(book)


def _chapters_tile(book: Book) -> None:
    assert book.chapters
    assert [chapter.index for chapter in book.chapters] == list(range(len(book.chapters)))
    for before, after in pairwise(book.chapters):
        assert before.span.end == after.span.start
    assert book.chapters[-1].span.end <= len(book.text)


def _paragraphs_lie_in_their_chapters(book: Book) -> None:
    for index, paragraph in enumerate(book.paragraphs):
        assert paragraph.index == index
        assert book.chapters[paragraph.chapter].span.covers(paragraph.span)
        assert book.slice(paragraph.span).strip() == book.slice(paragraph.span) != ""
        assert book.paragraph_at(paragraph.span.start) == paragraph
    for one, next_one in pairwise(book.paragraphs):
        assert one.span.end <= next_one.span.start
        assert one.chapter <= next_one.chapter


def _exclusions_cross_no_paragraph(book: Book) -> None:
    for one, next_one in pairwise(book.excluded):
        assert one.span.end <= next_one.span.start
    paragraphs = [p.span for p in book.paragraphs]
    at = 0
    for exclusion in book.excluded:
        span = exclusion.span
        assert 0 <= span.start < span.end <= len(book.text)
        while at < len(paragraphs) and paragraphs[at].end <= span.start:
            at += 1
        if at < len(paragraphs) and paragraphs[at].overlaps(span):
            assert paragraphs[at].covers(span), "an exclusion takes a part of a paragraph and more"


def _nothing_is_lost(book: Book) -> None:
    kept = sorted([p.span for p in book.paragraphs] + [e.span for e in book.excluded])
    reached = 0
    for span in kept:
        gap = book.text[reached : span.start]
        assert not gap.strip(), f"in neither a paragraph nor an exclusion: {gap.strip()[:80]!r}"
        reached = max(reached, span.end)
    assert not book.text[reached:].strip()


def _marks_lie_in_paragraphs(book: Book) -> None:
    if book.play is None:
        return
    for before, after in pairwise(book.play.speeches):
        assert before.span.end <= after.label.start
    for speech in book.play.speeches:
        assert speech.label.end <= speech.span.start
        assert book.paragraph_at(speech.label.start) is not None
    for direction in book.play.directions:
        home = book.paragraph_at(direction.start)
        assert home is not None
        assert home.span.covers(direction)
