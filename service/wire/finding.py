"""What a search in a book finds."""

from __future__ import annotations

from pydantic import Field

from books.types import Book
from retrieval.finding.types import Find, WordCount
from service.usecases.finding import SearchedBook
from service.wire.shapes import LOCATOR, Copy, Out, Page, SpanOut, locator_at


class FindOut(Out):
    span: SpanOut
    chapter: int = Field(description="Counted from 1.")
    text: str
    marks: list[SpanOut] = Field(
        description=(
            "The words searched for, or without words the people of `with:`, as offsets in the book; "
            "none for what is only near in meaning."
        )
    )
    locator: str | None = Field(description=LOCATOR)

    @classmethod
    def of(cls, find: Find, *, book: Book) -> FindOut:
        passage = find.passage
        locator = locator_at(book, passage.span.start)
        return cls.like(passage, chapter=passage.chapter + 1, marks=find.marks, locator=locator)


class WordCountOut(Copy[WordCount]):
    word: str = Field(description="As it was searched for.")
    passages: int = Field(description="Number of passages that have this word.")
    similar: list[str] = Field(description="Words of the book that are spelt like it, if none has it.")


class BookSearchOut(Page[FindOut]):
    total: int = Field(description="Number of passages that have all of the words.")
    by_chapter: list[int] = Field(description="The same for each chapter that you have read.")
    near: list[FindOut] = Field(
        description="Passages near in meaning without all of the words, nearest first: on the first page."
    )
    words: list[WordCountOut] = Field(description="Each word alone, if no passage has all of them.")

    @classmethod
    def of(cls, searched: SearchedBook, *, following: str | None) -> BookSearchOut:
        found, book = searched.found, searched.view.book
        items, near = (
            [FindOut.of(find, book=book) for find in finds] for finds in (found.by_words, found.by_meaning)
        )
        return cls.like(found, items=items, next=following, near=near)
