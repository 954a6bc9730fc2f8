"""Shared models. In the API chapters are counted from 1, and offsets are code points."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from books.types import Book, Span

T = TypeVar("T")


LOCATOR: Final = "Position in the uploaded file: file and element. Null for plain text."


def locator_at(book: Book, offset: int) -> str | None:
    paragraph = book.paragraph_at(offset)
    return paragraph.locator if paragraph else None


class Out(BaseModel):
    """The base class of all responses: only declared fields are sent."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SpanOut(Out):
    start: int = Field(ge=0, description="Code-point offset in the text of the book.")
    end: int = Field(ge=0, description="Offset after the last character.")

    @classmethod
    def of(cls, span: Span) -> SpanOut:
        return cls(start=span.start, end=span.end)


class Page(Out, Generic[T]):
    items: list[T]
    next: str | None = Field(description="Cursor of the next page; null on the last page.")
