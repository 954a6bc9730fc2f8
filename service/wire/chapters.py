"""The chapters of a book, detected or corrected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AliasPath, BaseModel, ConfigDict, Field

from books.edits import MOST_CHAPTERS, ChapterMark
from books.types import Book, Chapter
from generation.types import AnswerLanguage
from service.usecases.chapters import Change, ChapterPlan, Planned
from service.wire.books import BookOut
from service.wire.jobs import JobOut
from service.wire.shapes import LOCATOR, Copy, Out, locator_at


class ChapterOut(Out):
    number: int = Field(description="Counted from 1.")
    title: str = Field(description="As the book or a reader has it; empty if there is none.")
    start: int = Field(ge=0, description="Code-point offset in the text of the book.")
    end: int = Field(ge=0, description="Start of the next chapter, or end of the story.")
    words: int
    locator: str | None = Field(description=LOCATOR)

    @classmethod
    def of(cls, chapter: Chapter, *, book: Book, words: int) -> ChapterOut:
        start, end = chapter.span.start, chapter.span.end
        return cls.like(chapter, start=start, end=end, words=words, locator=locator_at(book, start))


class ChaptersOut(Out):
    book: str = Field(description="The book's id.")
    by: str = Field(
        description="Source of the chapters: `contents`, `headings`, `acts`, `reader` (corrected) or `none`."
    )
    language: str = Field(description="Of the text, with its script: `en`, `zh`, `zh-Hant` (traditional).")
    chapters: list[ChapterOut]

    @classmethod
    def of(cls, book: Book, *, book_id: str, words: Sequence[int]) -> ChaptersOut:
        chapters = [ChapterOut.of(c, book=book, words=words[c.index]) for c in book.chapters]
        written = AnswerLanguage.of(book)
        language = written.value if written.spoken == book.language else book.language
        return cls(book=book_id, by=book.report.chapters_by, language=language, chapters=chapters)


_Ignored = Annotated[Any, Field(description="Ignored: it is accepted because `GET` returns it.")]


class ChapterIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    start: int = Field(ge=0, le=2**31, description="Offset of the first character of a line.")
    title: str = Field(min_length=1, max_length=1000)
    number: _Ignored = None
    end: _Ignored = None
    words: _Ignored = None
    locator: _Ignored = None


class ChaptersIn(BaseModel):
    """All chapters in story order. Each ends where the next one starts."""

    model_config = ConfigDict(extra="forbid")

    chapters: list[ChapterIn] = Field(min_length=1, max_length=MOST_CHAPTERS)
    book: _Ignored = None
    by: _Ignored = None
    language: _Ignored = None

    def marks(self) -> list[ChapterMark]:
        return [ChapterMark(chapter.start, chapter.title) for chapter in self.chapters]


class FormerOut(Copy[Chapter]):
    number: int = Field(description="Its number now, counted from 1.")
    title: str
    start: int = Field(
        validation_alias=AliasPath("span", "start"), description="Code-point offset in the text of the book."
    )


class PlannedOut(Copy[Planned]):
    number: int = Field(description="Counted from 1.")
    title: str
    start: int = Field(
        validation_alias=AliasPath("span", "start"), description="Code-point offset in the text of the book."
    )
    end: int = Field(
        validation_alias=AliasPath("span", "end"),
        description="Start of the next chapter, or end of the story.",
    )
    words: int
    change: Change = Field(
        description="`same`, `retitled`, `moved` (the same title with another start) or `new`. The number "
        "can differ in any case."
    )
    was: FormerOut | None = Field(description="The current chapter that it replaces; null for a new one.")


class ChapterPlanOut(Copy[ChapterPlan]):
    chapters: list[PlannedOut]
    gone: list[FormerOut] = Field(description="Current chapters whose text would become part of another.")


class CorrectedOut(Out):
    book: BookOut
    job: JobOut | None = Field(description="The job that applies the chapters; null if nothing changes.")
