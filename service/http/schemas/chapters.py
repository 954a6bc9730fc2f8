"""The chapters of a book, found or corrected."""

from __future__ import annotations

from pydantic import BaseModel, Field

from books.edits import MOST_CHAPTERS
from books.report import words_by_chapter
from books.types import Book, Chapter
from service.http.schemas.books import BookOut
from service.http.schemas.jobs import JobOut
from service.http.schemas.shapes import LOCATOR, Out, locator_at
from service.usecases.chapters import Corrected


class ChapterOut(Out):
    number: int = Field(description="Counted from 1.")
    title: str
    start: int = Field(ge=0, description="Code-point offset into the book's text.")
    end: int = Field(ge=0, description="Where the next chapter starts, or the story ends.")
    words: int
    locator: str | None = Field(description=LOCATOR)

    @classmethod
    def of(cls, chapter: Chapter, *, book: Book, words: int) -> ChapterOut:
        return cls(
            number=chapter.number,
            title=chapter.title,
            start=chapter.span.start,
            end=chapter.span.end,
            words=words,
            locator=locator_at(book, chapter.span.start),
        )


class ChaptersOut(Out):
    book: str = Field(description="The book's id.")
    by: str = Field(
        description="How they were found: by `contents`, `headings`, `acts`, a `reader`, or `none`."
    )
    chapters: list[ChapterOut]

    @classmethod
    def of(cls, book: Book, *, book_id: str) -> ChaptersOut:
        words = words_by_chapter(book)
        chapters = [ChapterOut.of(c, book=book, words=words[c.index]) for c in book.chapters]
        return cls(book=book_id, by=book.report.chapters_by, chapters=chapters)


class ChapterIn(BaseModel):
    """Whatever else `GET` says of a chapter may stay in; only these two count."""

    start: int = Field(ge=0, le=2**31, description="Offset of the first character of a line.")
    title: str = Field(min_length=1, max_length=1000)


class ChaptersIn(BaseModel):
    """All chapters, in the story's order. Each ends where the next one starts."""

    chapters: list[ChapterIn] = Field(min_length=1, max_length=MOST_CHAPTERS)


class CorrectedOut(Out):
    book: BookOut
    job: JobOut | None = Field(description="The job that reads the book so; null if it is read so already.")

    @classmethod
    def of(cls, corrected: Corrected) -> CorrectedOut:
        job = JobOut.of(corrected.job) if corrected.job else None
        return cls(book=BookOut.of(corrected.book), job=job)
