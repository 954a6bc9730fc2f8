"""The texts of BookSum's sections in the novels at hand, for users who have only the summaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from books.types import Book
from evaluation.booksum.novel_layout import layout_of
from evaluation.booksum.novel_sections import PairedNovel, match_rows
from evaluation.booksum.section_matching import SectionMatch
from evaluation.booksum.types import AlignedRow, SummaryLevel
from evaluation.datasets import shelf
from retrieval.passages import told

ChapterParagraphs = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class NovelTexts:
    chapters: Mapping[str, ChapterParagraphs]
    """By BookSum's number of the book."""
    matches: Mapping[str, SectionMatch]
    """By the path of the summary."""

    def text_of(self, row: AlignedRow) -> tuple[str, ...]:
        """Return the paragraphs that a summary covers; none where they are not known."""
        chapters = self.chapters.get(row.bid, ())
        if row.level is SummaryLevel.CHAPTER:
            match = self.matches.get(row.summary_path)
            chapters = chapters[match.first : match.last + 1] if match else ()
        return tuple(paragraph for chapter in chapters for paragraph in chapter)


def read_texts(novels: Sequence[PairedNovel]) -> NovelTexts:
    chapters: dict[str, ChapterParagraphs] = {}
    matches: dict[str, SectionMatch] = {}
    for each in novels:
        book = shelf.open_book(each.novel.book.path)
        chapters[each.bid] = _chapters(book)
        layout = layout_of([chapter.title for chapter in book.chapters])
        for row, match in match_rows(each.rows, layout):
            if isinstance(match, SectionMatch):
                matches[row.summary_path] = match
    return NovelTexts(chapters, matches)


def _chapters(book: Book) -> ChapterParagraphs:
    found: list[list[str]] = [[] for _ in book.chapters]
    for paragraph in told(book):
        found[paragraph.chapter].append(book.slice(paragraph.span))
    return tuple(map(tuple, found))
